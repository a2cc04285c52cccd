import { DBOSClient } from '@dbos-inc/dbos-sdk';

/** Removes what the engine keeps about runs, from a process that runs none. */
export async function forgetRuns(databaseUrl: string, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  const client = await DBOSClient.create({ systemDatabaseUrl: databaseUrl });
  try {
    await client.deleteWorkflows([...runIds]);
  } finally {
    await client.destroy();
  }
}
