import { CountersignError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';

export type StoreCode =
  | 'database_unreachable'
  | 'database_newer'
  | 'database_pooled'
  | 'disk_full'
  | 'migration_failed'
  | 'revision_exists'
  | 'not_found'
  | 'lock_held'
  | 'database_not_empty'
  | 'backup_unusable'
  | 'backup_newer'
  | 'audit_rewritten'
  | 'audit_key_missing'
  | 'audit_key_unusable'
  | 'token_key'
  | 'token_broken';

/** The database cannot be used, or its rows do not allow the operation. */
export class StoreError extends CountersignError {
  declare readonly code: StoreCode;

  constructor(code: StoreCode, message: string, facts: JsonObject = {}, cause?: unknown) {
    super(code, message, facts, cause);
  }
}
