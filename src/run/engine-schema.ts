import { migrateSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import { GlobalLogger } from '@dbos-inc/dbos-sdk/internal/telemetry/logs';

/**
 * Brings the engine's own tables up to date as their owner and lets the bot's role use them, so that the bot can work
 * under a role that owns nothing. The SDK's public `DBOS.migrate` does the same but tells every statement to the console.
 */
export function migrateEngine(ownerUrl: string, role: string): Promise<void> {
  return migrateSystemDatabase(ownerUrl, new GlobalLogger(undefined, { logLevel: 'error' }), 'dbos', role);
}
