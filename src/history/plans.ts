import { type RowReader, readRow, readRows } from '../core/damaged-row.ts';
import { VendorError } from '../core/errors.ts';
import type { PlanId } from '../core/plan-id.ts';
import type { Revision } from '../core/revision.ts';
import * as history from '../store/history.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import type { RevisionRow, TolerantDb } from '../store/tables.ts';
import { type Listed, planStateOf } from './list.ts';

export interface PlanDeps extends TolerantDb {
  /** Address of a message; null where there is no Slack. */
  permalink(channel: string, ts: string): Promise<string | null>;
  /** Redraws the card of an open revision, and posts it again if it was deleted. */
  redraw(revision: Revision): Promise<void>;
}

/** Plans waiting for a decision, soonest to expire first. */
export async function waiting(deps: PlanDeps, limit: number): Promise<Listed[]> {
  const open = await revisions.listOpen(deps.db, { teamId: deps.teamId, limit });
  return listed(
    deps,
    open.map(({ requestId }) => requestId),
    'newest',
  );
}

/** Running plans, oldest first. */
export async function running(deps: PlanDeps, limit: number): Promise<Listed[]> {
  return listed(deps, await history.running(deps.db, { teamId: deps.teamId, limit }), 'newest');
}

/** Plans about a target that run or wait for a decision. */
export async function openAbout(deps: PlanDeps, target: string, limit: number): Promise<Listed[]> {
  const { db, teamId } = deps;
  return listed(deps, await history.openAbout(db, { teamId, target, limit }), 'newest');
}

/** Plans with this id, newest first; several if short digests collide. */
export async function named(deps: PlanDeps, id: PlanId): Promise<Listed[]> {
  const { db, teamId } = deps;
  const ids = id.kind === 'request' ? [id.id] : await history.byShortDigest(db, teamId, id.digits);
  return listed(deps, ids, 'newest');
}

/** Finished and running plans, latest start first. */
export async function recent(deps: PlanDeps, limit: number): Promise<Listed[]> {
  return ofRuns(deps, await runs.listRecent(deps.db, { teamId: deps.teamId, limit }));
}

/** The plans of these requests, with their runs. */
export function ofRequests(deps: PlanDeps, ids: readonly string[]): Promise<Listed[]> {
  return listed(deps, ids, 'with_runs');
}

interface RunOf {
  readonly requestId: string;
  readonly number: number;
}

/** The plans that ran, in the order of their runs; leaves out those no longer stored. */
export async function ofRuns(deps: PlanDeps, ran: readonly RunOf[]): Promise<Listed[]> {
  const all = await listed(deps, [...new Set(ran.map(({ requestId }) => requestId))], 'with_runs');
  // A revision runs once.
  const keyOf = ({ requestId, number }: RunOf) => `${requestId}:${number}`;
  const byRun = new Map(all.map((plan) => [keyOf(plan), plan]));
  return ran.flatMap((run) => byRun.get(keyOf(run)) ?? []);
}

/** Later than anything stored, even if the processes' clocks differ. */
const farAway = new Date('9999-01-01T00:00:00.000Z');

/** Newest first, with the runs of each request; `next` is the start of the next page, null after the last. */
export async function past(
  deps: PlanDeps,
  filter: history.HistoryFilter,
  { before = farAway, limit }: { before?: Date; limit: number },
): Promise<{ plans: Listed[]; next: Date | null }> {
  const found = await history.find(deps.db, { teamId: deps.teamId, filter, before, limit });
  const plans = await listed(
    deps,
    found.map(({ id }) => id),
    'with_runs',
  );
  return { plans, next: found.length < limit ? null : (found.at(-1)?.at ?? null) };
}

/** A damaged plan stands in the list all the same. */
async function listed(deps: PlanDeps, ids: readonly string[], which: history.Which): Promise<Listed[]> {
  const { db, teamId, damaged, redraw } = deps;
  const reader: RowReader<history.Episode, Listed> = {
    ...revisions.planReader,
    read: (of) => {
      const { requestId, number, digest, requester, channel } = of;
      const revision = readRow(of, revisions.planReader, damaged);
      const isOpen = of.state === 'proposed' && revision !== null;
      return {
        ...{ requestId, number, digest, requester, channel, revision },
        state: planStateOf(of),
        askedAt: of.askedAt.toISOString(),
        card: of.cardChannel && of.cardTs ? { channel: of.cardChannel, ts: of.cardTs } : null,
        link: () => cardLink(deps, of, isOpen ? () => redraw(revision) : undefined),
      };
    },
  };
  return readRows(await history.episodes(db, teamId, ids, which), reader, damaged);
}

/**
 * The address of a revision's card. Null when it has none, or Slack does not tell: cards can be deleted, channels can
 * go, and what the link is for is worth more than the link. `whenGone`: Slack says that it was deleted.
 */
export async function cardLink(
  { permalink }: Pick<PlanDeps, 'permalink'>,
  row: Pick<RevisionRow, 'cardChannel' | 'cardTs'> | null,
  whenGone: () => Promise<void> = () => Promise.resolve(),
): Promise<string | null> {
  if (!row?.cardChannel || !row.cardTs) return null;
  try {
    return await permalink(row.cardChannel, row.cardTs);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    if (error.code === 'slack_message_not_found') await whenGone();
    return null;
  }
}

export interface Viewing {
  /** True when a channel is public or the person is in it. */
  maySee(userId: string, channel: string): Promise<boolean>;
}

/** Filters what a person may see: their own requests, and those in channels they can read. */
export async function visible<S extends Pick<Listed, 'requester' | 'channel'>>(
  viewer: string,
  all: readonly S[],
  { maySee }: Viewing,
): Promise<S[]> {
  return only(all, ({ requester, channel }) => requester === viewer || maySee(viewer, channel));
}

/** Those for which it holds. */
export async function only<T>(
  all: readonly T[],
  holds: (one: T) => boolean | Promise<boolean>,
): Promise<T[]> {
  const kept = await Promise.all(all.map(holds));
  return all.filter((_, index) => kept[index]);
}

/** An empty user id: it may only see what everybody may read. */
export const everybody = '';
