import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import { killSwitchName } from '../core/run.ts';
import type { Db, RunRow, WriteState } from './tables.ts';

export interface Cancel {
  /** Slack user id. */
  readonly by: string;
  readonly reason: string;
}

export interface Grant {
  readonly digest: string;
  /** Slack user id. */
  readonly approver: string;
  readonly createdAt: Date;
}

/** The stored state of a write. */
export interface WriteRecord {
  readonly state: WriteState;
  readonly evidence: Json | null;
  readonly attempts: number;
  readonly executor: string | null;
  readonly createdAt: Date;
  /** Time of the last attempt. */
  readonly updatedAt: Date;
}

/** Everything in the database that decides whether a write may be made. */
export interface WriteFacts {
  /** False once the run has ended or another process has it: this one may no longer act in it. */
  readonly held: boolean;
  readonly cancel: Cancel | null;
  /** Who stopped all of the team's writes; null while they are allowed. */
  readonly kill: { readonly actor: string; readonly reason: string } | null;
  /** `bytesDigest` is taken over the stored bytes. */
  readonly revision: { readonly digest: string; readonly bytesDigest: string } | null;
  readonly grant: Grant | null;
  readonly write: WriteRecord | null;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };
type Found = Pick<RunRow, 'state' | 'executor' | 'cancelBy' | 'cancelAt' | 'cancelReason'> &
  Nullable<{
    killActor: string;
    killReason: string;
    digest: string;
    bytesDigest: string;
    grantDigest: string;
    approver: string;
    grantedAt: Date;
    writeState: WriteState;
    evidence: Json;
    attempts: number;
    writeExecutor: string;
    createdAt: Date;
    updatedAt: Date;
  }>;

/** Reads all of them in one statement, so that they are consistent. Null when there is no such run. */
export async function factsOf(
  db: Db,
  of: { teamId: string; runId: string; stepId: string; executor: string },
): Promise<WriteFacts | null> {
  const { rows } = await sql<Found>`
    select r.state, r.executor, r.cancel_by, r.cancel_at, r.cancel_reason,
      s.actor as kill_actor, s.reason as kill_reason,
      v.digest, encode(sha256(convert_to(v.bytes, 'UTF8')), 'hex') as bytes_digest,
      g.digest as grant_digest, g.approver, g.created_at as granted_at,
      w.state as write_state, w.evidence, w.attempts, w.executor as write_executor, w.created_at, w.updated_at
    from runs r
    left join switches s on s.team_id = r.team_id and s.name = ${killSwitchName} and s.is_on
    left join revisions v on (v.team_id, v.request_id, v.number) = (r.team_id, r.request_id, r.number)
    left join grants g on (g.team_id, g.run_id) = (r.team_id, r.id)
    left join writes w on (w.team_id, w.run_id, w.step_id) = (r.team_id, r.id, ${of.stepId})
    where r.team_id = ${of.teamId} and r.id = ${of.runId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { digest, bytesDigest, killActor, grantDigest, approver, grantedAt } = row;
  return {
    held: row.state === 'running' && row.executor === of.executor,
    cancel: row.cancelAt && { by: row.cancelBy ?? '', reason: row.cancelReason ?? '' },
    kill: killActor === null ? null : { actor: killActor, reason: row.killReason ?? '' },
    revision: digest === null || bytesDigest === null ? null : { digest, bytesDigest },
    grant:
      grantDigest && approver && grantedAt ? { digest: grantDigest, approver, createdAt: grantedAt } : null,
    write: writeOf(row),
  };
}

function writeOf(row: Found): WriteRecord | null {
  const { writeState: state, evidence, attempts, writeExecutor: executor, createdAt, updatedAt } = row;
  if (state === null || attempts === null || createdAt === null || updatedAt === null) return null;
  return { state, evidence, attempts, executor, createdAt, updatedAt };
}
