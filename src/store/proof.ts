import { sql } from 'kysely';
import { rowFact } from '../audit/chain.ts';
import { keysOf } from '../audit/key.ts';
import { type AuditFact, hashLine } from '../audit/line.ts';
import { sha256 } from '../core/canonical.ts';
import type { AuditRow, Db } from './tables.ts';

/** The audit log's lines about one request, and whether they can be trusted. */
export interface Proof {
  /** Oldest first. */
  readonly lines: readonly AuditFact[];
  /** Problems in words; empty when every line is signed and the log is unbroken from the first to the last. */
  readonly problems: readonly string[];
}

/** Maximum number of lines between a request's first and last that are checked for gaps; `audit verify` checks the whole log. */
const maxBetween = 20_000;

/**
 * The lines about the revisions, runs and refused clicks of a request, verified: each matches its signature, none
 * between the first and the last is missing, and the stored plans are the proposed ones.
 */
export async function proofOf(db: Db, teamId: string, requestId: string): Promise<Proof> {
  const subjects = await subjectsOf(db, teamId, requestId);
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('subject', 'in', subjects.length === 0 ? [''] : subjects)
    .orderBy('seq')
    .execute();
  const lines = rows.map(rowFact);
  const changed = rows
    .filter((row) => !isSigned(db, row))
    .map(({ seq }) => `line ${seq} was changed after it was written`);
  const problems = [
    ...changed,
    ...(await gaps(db, rows)),
    ...(await otherPlans(db, teamId, requestId, lines)),
  ];
  return { lines, problems: lines.length === 0 ? ['the audit log has no line about it'] : problems };
}

async function subjectsOf(db: Db, teamId: string, requestId: string): Promise<string[]> {
  const [revisions, runs] = await Promise.all([
    db
      .selectFrom('revisions')
      .select('number')
      .where('teamId', '=', teamId)
      .where('requestId', '=', requestId)
      .execute(),
    db
      .selectFrom('runs')
      .select('id')
      .where('teamId', '=', teamId)
      .where('requestId', '=', requestId)
      .execute(),
  ]);
  return [
    ...revisions.map(({ number }) => `revision:${requestId}/${number}`),
    ...runs.map(({ id }) => `run:${id}`),
  ];
}

/** A line with an unknown key, or without one where others have one, proves nothing. */
export function isSigned(db: Db, row: AuditRow): boolean {
  const keys = keysOf(db);
  if (row.keyId === null && keys.current !== null) return false;
  return hashLine(row.prevHash, rowFact(row), keys) === row.hash;
}

/** Each line carries the hash of the one before it. */
async function gaps(db: Db, rows: readonly AuditRow[]): Promise<string[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (last.seq - first.seq > maxBetween) {
    return [`lines ${first.seq} to ${last.seq} are too many to check here; “audit verify” checks them`];
  }
  const { rows: broken } = await sql<{ seq: number }>`
    select seq from (
      select seq, prev_hash, lag(hash) over (order by seq) as before, lag(seq) over (order by seq) as number
      from audit where team_id = ${first.teamId} and seq between ${first.seq} and ${last.seq}) linked
    where seq > ${first.seq} and (number <> seq - 1 or before <> prev_hash)
    order by seq limit 1`.execute(db);
  return broken.map(({ seq }) => `the log is broken before line ${seq}`);
}

async function otherPlans(
  db: Db,
  teamId: string,
  requestId: string,
  lines: readonly AuditFact[],
): Promise<string[]> {
  const proposed = new Map(
    lines
      .filter(({ kind }) => kind === 'revision.proposed')
      .map(({ subject, data }) => [subject, digestIn(data)]),
  );
  const rows = await db
    .selectFrom('revisions')
    .select(['number', 'bytes'])
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .execute();
  return rows
    .filter(({ number, bytes }) => proposed.get(`revision:${requestId}/${number}`) !== sha256(bytes))
    .map(({ number }) => `the stored plan of revision ${number} is not the one that was proposed`);
}

function digestIn(data: AuditFact['data']): string | null {
  const digest = typeof data === 'object' && data !== null && 'digest' in data ? data.digest : null;
  return typeof digest === 'string' ? digest : null;
}
