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
 * What changes rows and adds a line goes through `ledger.ts`.
 */
export async function append(db: Db, entry: AuditEntry): Promise<{ seq: number; hash: string }> {
  if (!db.isTransaction) return db.transaction().execute((trx) => append(trx, entry));
  await lockChain(db, entry.teamId);
  return appendAll(db, entry.teamId, [entry]);
}

/** One writer per team at a time: two that read the same last line would fork the chain. */
export async function lockChain(trx: Db, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${teamId}`}, 0))`.execute(trx);
}

/** Adds lines of one team to its locked chain; returns the place of the last one. */
export async function appendAll(
  trx: Db,
  teamId: string,
  entries: readonly AuditEntry[],
): Promise<{ seq: number; hash: string }> {
  const last = await trx
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .where('teamId', '=', teamId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  let head = { seq: last?.seq ?? 0, hash: last?.hash ?? GENESIS };
  const lines = entries.map((entry) => {
    const line = nextLine(head, entry);
    head = { seq: line.seq, hash: line.hash };
    return line;
  });
  await trx.insertInto('audit').values(lines).execute();
  return head;
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

function nextLine(head: { seq: number; hash: string }, entry: AuditEntry): AuditRow {
  const row = {
    teamId: entry.teamId,
    seq: head.seq + 1,
    at: entry.at,
    kind: storable(entry.kind),
    actor: storable(entry.actor),
    subject: storable(entry.subject),
    data: canonicalJson(wellFormed(entry.data)),
    prevHash: head.hash,
  };
  return { ...row, hash: hashLine(head.hash, factOf(row)) };
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
