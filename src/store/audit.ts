import { sql } from 'kysely';
import { canonicalJson, isCanonicalJson } from '../core/canonical.ts';
import type { Json } from '../core/json.ts';
import { keysOf } from './audit-key.ts';
import {
  type AuditFact,
  type ChainVerdict,
  createChainCheck,
  formatLine,
  GENESIS,
  hashLine,
} from './audit-line.ts';
import { storable } from './encode.ts';
import { StoreError } from './errors.ts';
import type { AuditRow, Db } from './tables.ts';

export interface AuditEntry {
  readonly teamId: string;
  readonly at: Date;
  /** What happened, such as `revision.approved` or `write.intended`. */
  readonly kind: string;
  /** Slack user id, or `system`. */
  readonly actor: string;
  /** What it happened to, such as `revision:<request>/<number>`. */
  readonly subject: string;
  /** Facts without secrets. */
  readonly data: Json;
}

const PAGE = 500;

/**
 * Adds a line and returns its place in the chain. On a pool it is on disk when this resolves. Inside another
 * transaction it stands or falls with that one; append last there, because other writers of the team wait for it.
 */
export async function append(db: Db, entry: AuditEntry): Promise<Place> {
  if (db.isTransaction) return appendInside(db, entry);
  return db.transaction().execute((trx) => appendInside(trx, entry));
}

/** Recomputes the whole chain of a team from the rows. */
export async function verify(db: Db, teamId: string): Promise<ChainVerdict> {
  const check = createChainCheck(keysOf(db));
  for await (const row of rows(db, teamId)) {
    const why = check.next(factOf(row), row.prevHash, row.hash);
    if (why !== null) return { ok: false, seq: row.seq, why };
  }
  return { ok: true, ...check.chain() };
}

/** The log of a team as JSON lines, oldest first, without line feeds; `verifyExport` checks them joined by one. */
export async function* exportLines(db: Db, teamId: string): AsyncGenerator<string> {
  for await (const row of rows(db, teamId)) yield formatLine(factOf(row), row.prevHash, row.hash);
}

interface Place {
  readonly seq: number;
  readonly hash: string;
}

async function appendInside(db: Db, entry: AuditEntry): Promise<Place> {
  const { teamId, at } = entry;
  const key = keysOf(db).current;
  // One writer per team at a time: two that read the same last line would fork the chain.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${teamId}`}, 0))`.execute(db);
  const last = await headOf(db, teamId);
  if (last !== null && last.keyId !== (key?.id ?? null)) {
    if (key === null) throw keyMissing(last.keyId ?? '');
    // Says in the log itself from which line on a key vouches for it.
    const data = { from: last.keyId, to: key.id };
    const change = { teamId, at, kind: 'audit.key_changed', actor: 'system', subject: 'audit', data };
    return insert(db, entry, await insert(db, change, last));
  }
  return insert(db, entry, last);
}

/** The last line of a team's log, or null before its first. */
export async function headOf(db: Db, teamId: string): Promise<(Place & { keyId: string | null }) | null> {
  const last = await db
    .selectFrom('audit')
    .select(['seq', 'hash', 'keyId'])
    .where('teamId', '=', teamId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? null;
}

/** The hash of one line, or null when there is no such line. */
export async function hashAt(db: Db, teamId: string, seq: number): Promise<string | null> {
  const row = await db
    .selectFrom('audit')
    .select('hash')
    .where('teamId', '=', teamId)
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row?.hash ?? null;
}

async function insert(db: Db, entry: AuditEntry, last: Place | null): Promise<Place> {
  const keys = keysOf(db);
  const prevHash = last?.hash ?? GENESIS;
  const row = {
    teamId: entry.teamId,
    seq: (last?.seq ?? 0) + 1,
    at: entry.at,
    kind: storable(entry.kind),
    actor: storable(entry.actor),
    subject: storable(entry.subject),
    data: canonicalJson(wellFormed(entry.data)),
    prevHash,
    keyId: keys.current?.id ?? null,
  };
  const hash = hashLine(prevHash, factOf(row), keys);
  if (hash === null) throw keyMissing(row.keyId ?? '');
  await db
    .insertInto('audit')
    .values({ ...row, hash })
    .execute();
  return { seq: row.seq, hash };
}

function keyMissing(key: string): StoreError {
  const message = `The audit log is signed with the key ${key}; without AUDIT_KEY nothing can be added to it.`;
  return new StoreError('audit_key_missing', message, { key });
}

async function* rows(db: Db, teamId: string): AsyncGenerator<AuditRow> {
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom('audit')
      .selectAll()
      .where('teamId', '=', teamId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.seq;
  }
}

/** Half of a surrogate pair has no canonical JSON, and an odd character must not end a run. */
function wellFormed(data: Json): Json {
  const text = JSON.stringify(data, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed() : part,
  );
  return JSON.parse(text);
}

function factOf(row: Omit<AuditRow, 'hash' | 'prevHash'>): AuditFact {
  // Data that somebody changed into what is no canonical JSON is told as text, and its hash does not fit.
  const data: Json = isCanonicalJson(row.data) ? JSON.parse(row.data) : row.data;
  const { teamId: team, seq, kind, actor, subject, keyId } = row;
  const fact = { team, seq, at: row.at.toISOString(), kind, actor, subject, data };
  return keyId === null ? fact : { ...fact, key: keyId };
}
