import { sql } from 'kysely';
import { type BackupHeader, tablesInOrder, unusable } from './backup.ts';
import { StoreError } from './errors.ts';
import { storable } from './jsonb.ts';
import { migrateTo } from './migrate.ts';
import * as runs from './runs.ts';
import type { Db } from './tables.ts';

/** Maximum number of rows, and of their characters, per insert statement. */
const page = 500;
const maxCharacters = 4_000_000;

/**
 * Loads a checked backup into an empty database, with the tables it was made from; the next start migrates them. All or
 * nothing. Call it as the owner of the tables.
 * Throws StoreError `database_not_empty`, `backup_newer`.
 */
export async function restore(
  owner: Db,
  header: BackupHeader,
  lines: AsyncIterable<string>,
): Promise<number> {
  await refuseTables(owner);
  await migrateTo(owner, header.migrations);
  return owner.transaction().execute(async (trx) => {
    const tables = new Set(await tablesInOrder(trx));
    let rows = 0;
    for await (const { table, batch } of batches(lines)) {
      if (!tables.has(table)) throw unusable(`it has rows of a table ${storable(table)}, which there is not`);
      const name = sql.table(table);
      await sql`insert into ${name} overriding system value
        select * from json_populate_recordset(null::${name}, ${`[${batch.join(',')}]`}::json)`.execute(trx);
      rows += batch.length;
    }
    await continueCounters(trx);
    return rows;
  });
}

async function refuseTables(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' limit 3`.execute(db);
  if (rows.length === 0) return;
  throw new StoreError(
    'database_not_empty',
    `The database is not empty (it has ${rows.map(({ name }) => name).join(', ')}); restore into a new one: another DATA_DIR, or createdb and another DATABASE_URL.`,
  );
}

/** Rows of one table at a time, as JSON. Skips the first and last lines, which are not rows. */
async function* batches(lines: AsyncIterable<string>): AsyncGenerator<{ table: string; batch: string[] }> {
  let [table, size]: [string, number] = ['', 0];
  let batch: string[] = [];
  for await (const line of lines) {
    const tab = line.indexOf('\t');
    if (line.startsWith('{') || tab < 0) continue;
    const next = line.slice(0, tab);
    if (batch.length > 0 && (next !== table || batch.length >= page || size > maxCharacters)) {
      yield { table, batch };
      [batch, size] = [[], 0];
    }
    table = next;
    batch.push(line.slice(tab + 1));
    size += line.length;
  }
  if (batch.length > 0) yield { table, batch };
}

/** Sequences continue after the restored rows. */
async function continueCounters(trx: Db): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(trx);
  for (const { table, column } of rows) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}), false)`.execute(trx);
  }
}

/**
 * Active work has gone on elsewhere since the backup: runs may have made their writes. So they are cancelled before
 * their next write, and recent arrivals are not processed again. Resolves with the number of each.
 */
export async function stopWhatWasUnderWay(db: Db, now: Date): Promise<{ runs: number; arrivals: number }> {
  const open = await db
    .selectFrom('runs')
    .select(['teamId', 'id'])
    .where('state', '=', sql.lit('running'))
    .execute();
  for (const { teamId, id: runId } of open) {
    const reason = 'restored from a backup: what it did since then is not known here';
    await runs.requestCancel(db, { teamId, runId, by: 'system', at: now, reason });
  }
  const { numUpdatedRows } = await db
    .updateTable('inbox')
    .set({ event: null, doneAt: now })
    .where('doneAt', 'is', null)
    .executeTakeFirst();
  return { runs: open.length, arrivals: Number(numUpdatedRows) };
}
