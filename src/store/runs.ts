import type { RunOutcome } from '../core/run.ts';
import * as audit from './audit.ts';
import { storable } from './encode.ts';
import type { Db, GrantRow, RunRow } from './tables.ts';

export type GrantCheck =
  | { readonly ok: true; readonly grant: GrantRow }
  | { readonly ok: false; readonly why: 'no_grant' | 'digest_mismatch' | 'run_finished' };

/** What a run has not come to when it begins. */
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

/** The runs of a request, oldest first, dry runs among them. */
export async function listOf(db: Db, teamId: string, requestId: string): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('requestId', '=', requestId)
    .orderBy('startedAt')
    .execute();
}

/** The runs of a workspace that began last, newest first, without dry runs. */
export async function listRecent(
  db: Db,
  { teamId, limit }: { teamId: string; limit: number },
): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('mode', '=', 'run')
    .orderBy('startedAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Stores a dry run; a run that writes is made by an approval only. False when it is there already. */
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

/**
 * Checks the permission to write and marks it as used. It belongs to one run, so that run may ask again after a
 * restart; nothing else can use it, and nobody once the run has finished.
 */
export function useGrant(db: Db, use: RunKey & { digest: string; now: Date }): Promise<GrantCheck> {
  return db.transaction().execute(async (trx) => {
    const run = await get(trx, use);
    const grant = await trx
      .selectFrom('grants')
      .selectAll()
      .where('teamId', '=', use.teamId)
      .where('runId', '=', use.runId)
      .forUpdate()
      .executeTakeFirst();
    if (run === null || grant === undefined) return { ok: false, why: 'no_grant' };
    if (grant.digest !== use.digest) return { ok: false, why: 'digest_mismatch' };
    if (run.state === 'finished') return { ok: false, why: 'run_finished' };
    if (grant.consumedAt !== null) return { ok: true, grant };
    await trx
      .updateTable('grants')
      .set({ consumedAt: use.now })
      .where('teamId', '=', use.teamId)
      .where('runId', '=', use.runId)
      .execute();
    return { ok: true, grant: { ...grant, consumedAt: use.now } };
  });
}

/** Asks a run to stop before its next write, with an audit line. False when it is over or was asked before. */
export function requestCancel(
  db: Db,
  cancel: RunKey & { by: string; at: Date; reason: string },
): Promise<boolean> {
  const { teamId, runId, by, at } = cancel;
  const reason = storable(cancel.reason);
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable('runs')
      .set({ cancelBy: by, cancelAt: at, cancelReason: reason })
      .where('teamId', '=', teamId)
      .where('id', '=', runId)
      .where('state', '=', 'running')
      .where('cancelAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (updated === undefined) return false;
    const line = { teamId, at, actor: by, subject: `run:${runId}` };
    await audit.append(trx, { ...line, kind: 'run.cancel_requested', data: { reason } });
    return true;
  });
}

/** Who asked the run to stop, when and why; null when nobody did. To be asked before every write. */
export async function isCancelled(
  db: Db,
  key: RunKey,
): Promise<{ by: string; at: Date; reason: string } | null> {
  const run = await get(db, key);
  if (run === null || run.cancelAt === null) return null;
  return { by: run.cancelBy ?? '', at: run.cancelAt, reason: run.cancelReason ?? '' };
}

/** Ends a run, with an audit line. False when it has ended before; the first outcome stays. */
export function finish(db: Db, end: RunKey & { outcome: RunOutcome; at: Date }): Promise<boolean> {
  const { teamId, runId, outcome, at } = end;
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable('runs')
      .set({ state: 'finished', outcome, finishedAt: at })
      .where('teamId', '=', teamId)
      .where('id', '=', runId)
      .where('state', '=', 'running')
      .returning('id')
      .executeTakeFirst();
    if (updated === undefined) return false;
    const line = { teamId, at, actor: 'system', subject: `run:${runId}` };
    await audit.append(trx, { ...line, kind: 'run.finished', data: { outcome } });
    return true;
  });
}

/** Runs of all teams that have not ended, oldest first: what a start has to look after. */
export async function openRuns(db: Db): Promise<RunRow[]> {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy('startedAt')
    .orderBy('id')
    .execute();
}

/** The last run that has ended of what a person asked for in a channel, with the revision that ran, or null. */
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
    .where('runs.mode', '=', 'run')
    .where('runs.finishedAt', 'is not', null)
    .orderBy('runs.finishedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
