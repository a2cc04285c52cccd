import { sql } from 'kysely';
import { canonicalJson, isCanonicalJson } from '../core/canonical.ts';
import type { Json } from '../core/json.ts';
import {
  type AuditFact,
  type ChainVerdict,
  createChainCheck,
  formatLine,
  GENESIS,
  hashLine,
} from './audit-line.ts';
import { storable } from './encode.ts';
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
export async function append(db: Db, entry: AuditEntry): Promise<{ seq: number; hash: string }> {
  if (db.isTransaction) return appendInside(db, entry);
  return db.transaction().execute((trx) => appendInside(trx, entry));
}

/** Recomputes the whole chain of a team from the rows. */
export async function verify(db: Db, teamId: string): Promise<ChainVerdict> {
  const check = createChainCheck();
  let count = 0;
  for await (const row of rows(db, teamId)) {
    const why = check.next(factOf(row), row.prevHash, row.hash);
    if (why !== null) return { ok: false, seq: row.seq, why };
    count += 1;
  }
  return { ok: true, count, head: check.head() };
}

/** The log of a team as JSON lines, oldest first, without line feeds; `verifyExport` checks them joined by one. */
export async function* exportLines(db: Db, teamId: string): AsyncGenerator<string> {
  for await (const row of rows(db, teamId)) yield formatLine(factOf(row), row.prevHash, row.hash);
}

async function appendInside(db: Db, entry: AuditEntry): Promise<{ seq: number; hash: string }> {
  // One writer per team at a time: two that read the same last line would fork the chain.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${entry.teamId}`}, 0))`.execute(db);
  const last = await db
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .where('teamId', '=', entry.teamId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
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
  };
  const hash = hashLine(prevHash, factOf(row));
  await db
    .insertInto('audit')
    .values({ ...row, hash })
    .execute();
  return { seq: row.seq, hash };
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
  const { teamId: team, seq, kind, actor, subject } = row;
  return { team, seq, at: row.at.toISOString(), kind, actor, subject, data };
}
