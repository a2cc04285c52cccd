import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import type { RunOutcome } from '../core/run.ts';
import { storable } from './jsonb.ts';
import { heldLocks, lockOf } from './processes.ts';
import type { Db, RunRow } from './tables.ts';
import type { Cancel } from './write-facts.ts';

/** Fields that are empty when a run begins. */
export const begun = {
  state: 'running',
  outcome: null,
  cancelBy: null,
  cancelAt: null,
  cancelReason: null,
  finishedAt: null,
} as const;

export interface RunKey {
  readonly teamId: string;
  readonly runId: string;
}

export async function get(db: Db, { teamId, runId }: RunKey): Promise<RunRow | null> {
  const row = await db
    .selectFrom('runs')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', runId)
    .executeTakeFirst();
  return row ?? null;
}

/** The runs of a request, oldest first, including dry runs. */
export async function listOf(db: Db, teamId: string, requestId: string): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .orderBy('startedAt')
    .execute();
}

/** A workspace's latest runs by start, newest first, without dry runs. */
export async function listRecent(
  db: Db,
  { teamId, limit }: { teamId: string; limit: number },
): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('mode', '=', sql.lit('run'))
    .orderBy('startedAt', 'desc')
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute();
}

/** Stores a dry run; a run that writes is created only by an approval. False when it already exists. */
export async function startDryRun(
  db: Db,
  run: { teamId: string; runId: string; requestId: string; number: number; startedAt: Date },
): Promise<boolean> {
  const { teamId, runId: id, requestId, number, startedAt } = run;
  const inserted = await db
    .insertInto('runs')
    .values({ teamId, id, requestId, number, mode: 'dry_run', startedAt, ...begun })
    .onConflict((conflict) => conflict.columns(['teamId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Requests a run to stop before its next write, with an audit line. False when it is over or already requested. */
export function requestCancel(
  db: Db,
  cancel: RunKey & { by: string; at: Date; reason: string },
): Promise<boolean> {
  const { teamId, runId, by, at } = cancel;
  const reason = storable(cancel.reason);
  return audited(db, teamId, async (trx) => {
    const updated = await trx
      .updateTable('runs')
      .set({ cancelBy: by, cancelAt: at, cancelReason: reason })
      .where('teamId', '=', teamId)
      .where('id', '=', runId)
      .where('state', '=', sql.lit('running'))
      .where('cancelAt', 'is', null)
      .returning(['requestId', 'number', 'mode'])
      .executeTakeFirst();
    if (updated === undefined) return { value: false, lines: [] };
    const subject = `run:${runId}`;
    return {
      value: true,
      lines: [
        { teamId, at, actor: by, subject, kind: 'run.cancel_requested', data: { reason }, about: updated },
      ],
    };
  });
}

/** True while a run of a request is under way. */
export async function isRunning(db: Db, { teamId, id }: { teamId: string; id: string }): Promise<boolean> {
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('teamId', '=', teamId)
    .where('requestId', '=', id)
    .where('state', '=', sql.lit('running'))
    .limit(sql.lit(1))
    .executeTakeFirst();
  return run !== undefined;
}

/** Who requested the run to stop, when and why; null if nobody did. */
export async function cancelOf(db: Db, key: RunKey): Promise<(Cancel & { readonly at: Date }) | null> {
  const run = await get(db, key);
  if (run === null || run.cancelAt === null) return null;
  return { by: run.cancelBy ?? '', at: run.cancelAt, reason: run.cancelReason ?? '' };
}

/** True while this process may act in the run: it is active, and no other process has taken it. */
export async function isHeld(
  db: Db,
  { teamId, runId, executor }: RunKey & { executor: string },
): Promise<boolean> {
  const run = await db
    .selectFrom('runs')
    .select(['state', 'executor'])
    .where('teamId', '=', teamId)
    .where('id', '=', runId)
    .executeTakeFirst();
  return run !== undefined && run.state === 'running' && run.executor === executor;
}

/** Ends a run held by this process; false if it is not held, or had ended before. */
export async function end(
  db: Db,
  { teamId, runId, executor, outcome, at }: RunKey & { executor: string; outcome: RunOutcome; at: Date },
): Promise<boolean> {
  const updated = await db
    .updateTable('runs')
    .set({ state: 'finished', outcome, finishedAt: at })
    .where('teamId', '=', teamId)
    .where('id', '=', runId)
    .where('state', '=', sql.lit('running'))
    .where('executor', '=', executor)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** An unfinished run, as last seen. */
export interface OpenRun extends RunKey {
  /** How often it was taken by a process. */
  readonly entered: number;
}

export interface ListedRun extends OpenRun {
  /** The process that holds it; null while none does. */
  readonly holder: string | null;
  /** True when that process is gone. */
  readonly isLeft: boolean;
}

/** Unfinished runs of all teams, oldest first. */
export async function openRuns(db: Db): Promise<ListedRun[]> {
  const { rows } = await sql<ListedRun>`
    with open as materialized (
      select team_id, id as run_id, entered, split_part(executor, ':', 1) as holder, started_at
      from runs where state = 'running'),
    held as materialized (${heldLocks})
    select team_id, run_id, entered, holder, holder is not null and ${sql.raw(lockOf('holder'))} not in (
      select lock from held) as is_left
    from open order by started_at, run_id`.execute(db);
  return rows;
}

/** The last finished run of a person's requests in a channel, with its revision, or null. */
export async function lastEnded(
  db: Db,
  of: { teamId: string; requester: string; channel: string },
): Promise<{ bytes: string; digest: string; outcome: RunOutcome | null } | null> {
  const row = await db
    .selectFrom('runs')
    .innerJoin('requests', (join) =>
      join.onRef('requests.teamId', '=', 'runs.teamId').onRef('requests.id', '=', 'runs.requestId'),
    )
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.teamId', '=', 'runs.teamId')
        .onRef('revisions.requestId', '=', 'runs.requestId')
        .onRef('revisions.number', '=', 'runs.number'),
    )
    .select(['revisions.bytes', 'revisions.digest', 'runs.outcome'])
    .where('runs.teamId', '=', of.teamId)
    .where('requests.requester', '=', of.requester)
    .where('requests.channel', '=', of.channel)
    .where(({ or, eb }) => or([eb('runs.mode', '=', 'run'), eb('revisions.state', '=', 'answered')]))
    .where('runs.finishedAt', 'is not', null)
    .orderBy('runs.finishedAt', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row ?? null;
}
