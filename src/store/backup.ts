import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { currentHead } from '../audit/head.ts';
import { StoreError } from './errors.ts';
import { appliedMigrations } from './migrate.ts';
import type { Db } from './tables.ts';
import { auditedTeams } from './teams.ts';

/**
 * A backup is text: a JSON header line, a line `<table><tab><row as JSON>` for each row, and a JSON trailer line with
 * the row count and the SHA-256 of everything before it.
 */
const headerSchema = z.object({
  format: z.literal('countersign-backup/1'),
  version: z.string(),
  at: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  /** End of each workspace's audit log. */
  heads: z.array(z.object({ team: z.string(), count: z.int(), head: z.string() })),
});
export type BackupHeader = z.infer<typeof headerSchema>;

const trailerSchema = z.strictObject({ rows: z.int(), sha256: z.string() });

const page = 500;

/** Passes every row to `write`, as of one moment, while the bot keeps running. Resolves with the number of rows. */
export function backup(
  db: Db,
  { version, now }: { readonly version: string; readonly now: Date },
  write: (line: string) => Promise<void>,
): Promise<number> {
  const sum = createHash('sha256');
  const tell = (line: string): Promise<void> => {
    sum.update(`${line}\n`);
    return write(line);
  };
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await tell(JSON.stringify(await headerOf(trx, version, now)));
      let rows = 0;
      for (const table of await tablesInOrder(trx)) rows += await copyOut(trx, table, tell);
      await write(
        JSON.stringify({ rows, sha256: sum.digest('hex') } satisfies z.infer<typeof trailerSchema>),
      );
      return rows;
    });
}

async function headerOf(trx: Db, version: string, now: Date): Promise<BackupHeader> {
  const migrations = await appliedMigrations(trx);
  const heads = (
    await Promise.all((await auditedTeams(trx)).map((team) => currentHead(trx, team, now)))
  ).flatMap((head) => (head === null ? [] : [{ team: head.team, count: head.count, head: head.head }]));
  return { format: 'countersign-backup/1', version, at: now.toISOString(), migrations, heads };
}

async function copyOut(trx: Db, table: string, tell: (line: string) => Promise<void>): Promise<number> {
  await sql`declare backup no scroll cursor for select row_to_json(t)::text as row from ${sql.table(table)} t`.execute(
    trx,
  );
  let count = 0;
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch forward ${sql.lit(page)} from backup`.execute(trx);
    for (const { row } of rows) await tell(`${table}\t${row}`);
    count += rows.length;
    if (rows.length < page) break;
  }
  await sql`close backup`.execute(trx);
  return count;
}

/** Our tables, each after the ones it references. Throws a TypeError for a cycle. */
export async function tablesInOrder(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; needs: string[] }>`
    select c.relname as name, coalesce(array_agg(distinct r.relname::text) filter (where r.oid <> c.oid), '{}') as needs
    from pg_class c
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
      left join pg_class r on r.oid = k.confrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\_%'
    group by c.relname order by c.relname`.execute(db);
  const ordered: string[] = [];
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name, needs }) => !ordered.includes(name) && needs.every((each) => ordered.includes(each)),
    );
    if (next.length === 0) throw new TypeError('tables refer to each other in a circle');
    ordered.push(...next.map(({ name }) => name));
  }
  return ordered;
}

/** Throws StoreError `backup_unusable` unless the backup is complete and intact. */
export async function checkBackup(lines: AsyncIterable<string>): Promise<BackupHeader> {
  const sum = createHash('sha256');
  let header: BackupHeader | null = null;
  let last: string | null = null;
  let count = -1;
  for await (const line of lines) {
    header ??= readHeader(line);
    if (last !== null) sum.update(`${last}\n`);
    last = line;
    count += 1;
  }
  if (header === null || last === null) throw unusable('it is empty');
  const trailer = trailerSchema.safeParse(jsonOrNull(last));
  if (!trailer.success) throw unusable('its end is missing: the copy was cut short');
  if (trailer.data.rows !== count - 1)
    throw unusable(`it should have ${trailer.data.rows} rows and has ${count - 1}`);
  if (trailer.data.sha256 !== sum.digest('hex')) throw unusable('it was changed after it was made');
  return header;
}

function readHeader(line: string): BackupHeader {
  const read = headerSchema.safeParse(jsonOrNull(line));
  if (read.success) return read.data;
  throw unusable('it does not begin like one');
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function unusable(why: string): StoreError {
  return new StoreError('backup_unusable', `This is not a backup that can be used: ${why}.`);
}
