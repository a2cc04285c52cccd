import { type CompiledQuery, sql } from 'kysely';
import { canonicalJson, isCanonicalJson } from '../core/canonical.ts';
import type { Json } from '../core/json.ts';
import type { RunMode } from '../core/run.ts';
import { storable } from '../store/jsonb.ts';
import type { AuditRow, Db } from '../store/tables.ts';
import { type AuditKeys, keysOf } from './key.ts';
import { changeData, type KeyChange, keyChanged, keyMissing } from './key-change.ts';
import {
  type AuditFact,
  type ChainVerdict,
  createChainCheck,
  formatLine,
  GENESIS,
  hashLine,
} from './line.ts';

export interface AuditEntry {
  readonly teamId: string;
  readonly at: Date;
  /** Event name, such as `revision.approved` or `write.intended`. */
  readonly kind: string;
  /** Slack user id, or `system`. */
  readonly actor: string;
  /** The subject of the event, such as `revision:<request>/<number>`. */
  readonly subject: string;
  /** Facts without secrets. */
  readonly data: Json;
  /** The plan that it is about, for events; not part of the log. */
  readonly about?: { readonly requestId: string; readonly number: number; readonly mode?: RunMode };
}

const PAGE = 500;

/**
 * Adds a line and returns its place in the chain. On a pool it is on disk when this resolves. Inside a transaction it
 * commits with that; append last there, because the team's other writers wait for it. Code that also changes rows goes
 * through `ledger.ts`.
 */
export async function append(db: Db, entry: AuditEntry): Promise<Head> {
  if (!db.isTransaction) return db.transaction().execute((trx) => append(trx, entry));
  await lockChain(db, entry.teamId);
  const lines = chained(await headOf(db, entry.teamId), [entry], keysOf(db));
  await db.executeQuery(insertion(db, lines));
  return lines.at(-1) ?? nowhere;
}

/** The end of a chain; `seq` is 0 before its first line. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
  /** Key of the last line; null if it has none. */
  readonly keyId: string | null;
}

const nowhere: Head = { seq: 0, hash: GENESIS, keyId: null };

/** One writer per team at a time: two writers that read the same last line would fork the chain. */
export async function lockChain(trx: Db, teamId: string): Promise<void> {
  await trx.executeQuery(chainLock(trx, teamId));
}

export function chainLock(db: Db, teamId: string): CompiledQuery {
  return sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${teamId}`}, 0))`.compile(db);
}

export async function headOf(db: Db, teamId: string): Promise<Head> {
  const last = await db
    .selectFrom('audit')
    .select(['seq', 'hash', 'keyId'])
    .where('teamId', '=', teamId)
    .orderBy('seq', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return last ?? nowhere;
}

/** The hash of one line, or null if there is none. */
export async function hashAt(db: Db, teamId: string, seq: number): Promise<string | null> {
  const row = await db
    .selectFrom('audit')
    .select('hash')
    .where('teamId', '=', teamId)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row?.hash ?? null;
}

/**
 * Adds to the head of a locked chain, signed with the key of its last line: a new one signs when `changeKey` has
 * said so. Throws StoreError `audit_key_missing`.
 */
export function chained(head: Head, entries: readonly AuditEntry[], keys: AuditKeys): AuditRow[] {
  const keyId = head.keyId ?? keys.current?.id ?? null;
  let last = head;
  return firstKey(head, entries, keyId).map((entry) => {
    const row = nextLine(last, entry, keyId, keys);
    last = row;
    return row;
  });
}

/** Says in a log from before there were keys from which line on one vouches for it. */
function firstKey(head: Head, entries: readonly AuditEntry[], to: string | null): readonly AuditEntry[] {
  const [first] = entries;
  if (first === undefined || head.seq === 0 || head.keyId === to) return entries;
  const { teamId, at } = first;
  const data = { from: head.keyId, to };
  return [{ teamId, at, kind: keyChanged, actor: 'system', subject: 'audit', data }, ...entries];
}

/**
 * From here on the first of the keys signs the log of a team, which its last key signs too, unless that one is lost. Null
 * where the first one signs already. Throws StoreError `audit_key_missing` for a last key that is not given.
 */
export function changeKey(
  db: Db,
  teamId: string,
  at: Date,
  { isLost }: { readonly isLost: boolean },
): Promise<KeyChange | null> {
  const keys = keysOf(db);
  return db.transaction().execute(async (trx) => {
    await lockChain(trx, teamId);
    const head = await headOf(trx, teamId);
    const [from, to] = [head.keyId, keys.current?.id ?? null];
    if (from === null || to === null || from === to) return null;
    const before = keys.find(from);
    if (before === null && !isLost) throw keyMissing(teamId, from);
    const change = { team: teamId, seq: head.seq + 1, prev: head.hash, from, to };
    const data = changeData(change, before);
    const entry = { teamId, at, kind: keyChanged, actor: 'system', subject: 'audit', data };
    await trx.executeQuery(insertion(trx, [nextLine(head, entry, to, keys)]));
    return change;
  });
}

/** Inserts any number of lines in one statement. */
export function insertion(db: Db, lines: readonly AuditRow[]): CompiledQuery {
  const rows = lines.map(({ teamId, seq, at, prevHash, hash, keyId, kind, actor, subject, data }) => ({
    ...{ team_id: teamId, seq, at: at.toISOString(), kind, actor, subject, data },
    ...{ prev_hash: prevHash, hash, key_id: keyId },
  }));
  return sql`insert into audit (team_id, seq, at, kind, actor, subject, data, prev_hash, hash, key_id)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line (team_id text, seq bigint,
      at timestamptz, kind text, actor text, subject text, data text, prev_hash text, hash text,
      key_id text)`.compile(db);
}

/** Recomputes the whole chain of a team from the rows. */
export async function verify(db: Db, teamId: string): Promise<ChainVerdict> {
  const check = createChainCheck(keysOf(db));
  for await (const row of rows(db, teamId)) {
    const why = check.next(rowFact(row), row.prevHash, row.hash);
    if (why !== null) return { ok: false, seq: row.seq, why };
  }
  return { ok: true, ...check.chain() };
}

/** The log of a team as JSON lines, oldest first, without line feeds; join them with line feeds for `verifyExport`. */
export async function* exportLines(db: Db, teamId: string): AsyncGenerator<string> {
  for await (const row of rows(db, teamId)) yield formatLine(rowFact(row), row.prevHash, row.hash);
}

function nextLine(head: Head, entry: AuditEntry, keyId: string | null, keys: AuditKeys): AuditRow {
  const row = {
    teamId: entry.teamId,
    seq: head.seq + 1,
    at: entry.at,
    kind: storable(entry.kind),
    actor: storable(entry.actor),
    subject: storable(entry.subject),
    data: canonicalJson(wellFormed(entry.data)),
    prevHash: head.hash,
    keyId,
  };
  const hash = hashLine(head.hash, rowFact(row), keys);
  if (hash === null) throw keyMissing(entry.teamId, keyId ?? '');
  return { ...row, hash };
}

async function* rows(db: Db, teamId: string): AsyncGenerator<AuditRow> {
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom('audit')
      .selectAll()
      .where('teamId', '=', teamId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(sql.lit(PAGE))
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.seq;
  }
}

/** Half a surrogate pair has no canonical JSON, and an odd character must not end a run. */
function wellFormed(data: Json): Json {
  const text = JSON.stringify(data, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed() : part,
  );
  return JSON.parse(text);
}

/** The content of a stored line. */
export function rowFact(row: Omit<AuditRow, 'hash' | 'prevHash'>): AuditFact {
  // Tampered data that is no longer canonical JSON is kept as text, and its hash does not match.
  const data: Json = isCanonicalJson(row.data) ? JSON.parse(row.data) : row.data;
  const { teamId: team, seq, kind, actor, subject, keyId } = row;
  const fact = { team, seq, at: row.at.toISOString(), kind, actor, subject, data };
  return keyId === null ? fact : { ...fact, key: keyId };
}
