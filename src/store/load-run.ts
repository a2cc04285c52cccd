import { type RawBuilder, sql } from 'kysely';
import type { Via } from '../core/request.ts';
import type { Approval, RunMode, RunOutcome, StepResult } from '../core/run.ts';
import { type ApprovalColumns, approvalColumns } from './approvals.ts';
import type { OpenRun, RunKey } from './runs.ts';
import { toStepResult } from './steps.ts';
import type { Db, RunRow, StepResultRow, WriteRow } from './tables.ts';
import type { Cancel, Grant, WriteRecord } from './write-facts.ts';

/** All stored state of a run: what was approved, its approval, and its progress. */
export interface Checkpoint {
  readonly requestId: string;
  readonly number: number;
  readonly mode: RunMode;
  /** How its request came in; null when that is gone. */
  readonly via: Via | null;
  readonly state: RunRow['state'];
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  /** Part of it was stored before, so its start is in the log. */
  readonly begun: boolean;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly cancel: Cancel | null;
  readonly revision: { readonly bytes: string; readonly digest: string } | null;
  /** Location of its card in Slack; null when it was never posted. */
  readonly card: { readonly channel: string; readonly ts: string } | null;
  readonly grant: (Grant & Approval) | null;
  readonly results: readonly StepResult[];
  /** Results of the reads before approval; null if there were none. */
  readonly facts: readonly StepResult[] | null;
  readonly writes: readonly (WriteRecord & { readonly stepId: string; readonly tool: string })[];
}

/** A run now held by this process. */
export interface Taken {
  readonly entered: number;
  readonly stored: Checkpoint;
}

/** A row as JSON: dates are text. */
type Stored<Row> = {
  [K in keyof Row]: Row[K] extends Date ? string : Date extends Row[K] ? string | null : Row[K];
};
type Found = RunRow &
  ApprovalColumns & {
    via: Via | null;
    bytes: string | null;
    digest: string | null;
    grantDigest: string | null;
    approver: string | null;
    grantedAt: Date | null;
    cardChannel: string | null;
    cardTs: string | null;
    steps: StoredStep[] | null;
    facts: StoredStep[] | null;
    writes: Stored<WriteRow>[] | null;
  };

/** Step results as JSON, to be read with `resultsOf`. */
export const stepColumns =
  sql.raw(`json_build_object('stepId', step_id, 'tool', tool, 'status', status, 'result', result,
  'reason', reason, 'notes', notes, 'attempts', attempts, 'startedAt', started_at, 'finishedAt', finished_at)`);

export async function load(db: Db, { teamId, runId }: RunKey): Promise<Checkpoint | null> {
  const row = await find(db, sql`select * from runs where team_id = ${teamId} and id = ${runId}`);
  return row && checkpointOf(row);
}

/**
 * Claims a run for a process and reads it, in the single statement with which a run begins. The previous holder, even
 * this same process, may no longer act in it. Of several processes that saw the run in the same state, one gets it.
 * This does not wait for the disk: if the machine loses the claim, its holder may not act either, and the run is
 * claimed again.
 */
export async function take(
  db: Db,
  { teamId, runId, entered }: OpenRun,
  processId: string,
): Promise<Taken | null> {
  const row = await find(
    db,
    sql`
    update runs set executor = ${processId}::text || ':' || (entered + 1), entered = entered + 1
    from (select set_config('synchronous_commit', 'off', true)) no_wait
    where team_id = ${teamId} and id = ${runId} and entered = ${entered}::integer and state = 'running' returning runs.*`,
  );
  return row && { entered: row.entered, stored: checkpointOf(row) };
}

async function find(db: Db, run: RawBuilder<unknown>): Promise<Found | null> {
  const { rows } = await sql<Found>`
    with r as (${run})
    select r.*, q.via, v.bytes, v.digest, v.card_channel, v.card_ts, g.digest as grant_digest, g.approver, g.created_at as granted_at, ${approvalColumns},
      (select json_agg(${stepColumns} order by started_at, step_id)
        from step_results where team_id = r.team_id and run_id = r.id) as steps,
      (select json_agg(${stepColumns}) from step_results where team_id = r.team_id and run_id = (
          select id from runs where team_id = r.team_id and request_id = r.request_id and number = r.number
            and mode = 'read' and state = 'finished' and r.mode = 'run')) as facts,
      (select json_agg(json_build_object('stepId', step_id, 'tool', tool, 'state', state, 'evidence', evidence,
          'attempts', attempts, 'executor', executor, 'createdAt', created_at, 'updatedAt', updated_at))
        from writes where team_id = r.team_id and run_id = r.id) as writes
    from r
    left join requests q on (q.team_id, q.id) = (r.team_id, r.request_id)
    left join revisions v on (v.team_id, v.request_id, v.number) = (r.team_id, r.request_id, r.number)
    left join grants g on (g.team_id, g.run_id) = (r.team_id, r.id)`.execute(db);
  return rows[0] ?? null;
}

function checkpointOf(row: Found): Checkpoint {
  const {
    requestId,
    number,
    mode,
    via,
    state,
    outcome,
    startedAt,
    finishedAt,
    cancelAt,
    bytes,
    digest,
    cardChannel,
    cardTs,
    grantDigest,
    approver,
    approvers,
    how,
  } = row;
  return {
    ...{ requestId, number, mode, via, state, outcome, startedAt, finishedAt },
    begun: row.steps !== null || row.writes !== null,
    cancel: cancelAt && { by: row.cancelBy ?? '', reason: row.cancelReason ?? '' },
    revision: bytes === null || digest === null ? null : { bytes, digest },
    card: cardChannel && cardTs ? { channel: cardChannel, ts: cardTs } : null,
    grant:
      grantDigest && approver && row.grantedAt
        ? { digest: grantDigest, approver, createdAt: row.grantedAt, by: approvers ?? [approver], how }
        : null,
    results: resultsOf(row.steps ?? []),
    facts: row.facts && resultsOf(row.facts),
    writes: (row.writes ?? []).map((write) => ({
      ...write,
      createdAt: new Date(write.createdAt),
      updatedAt: new Date(write.updatedAt),
    })),
  };
}

export type StoredStep = Stored<StepResultRow>;

export function resultsOf(steps: readonly StoredStep[]): StepResult[] {
  return steps.flatMap((step) => {
    const finishedAt = step.finishedAt === null ? null : new Date(step.finishedAt);
    return toStepResult({ ...step, startedAt: new Date(step.startedAt), finishedAt }) ?? [];
  });
}
