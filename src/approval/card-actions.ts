import type { Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import { describeError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Plan } from '../core/plan.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import type { RequestState, StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import type { CardState } from './card/state.ts';
import { type ApproveClick, approve, type DecideDeps, type Decided, reject } from './decide.ts';
import { type Click, openForMember, repeatable, stoppable } from './find-revision.ts';
import { refusalMessage } from './refusal-words.ts';
import type { Progress } from './required-approvals.ts';
import { alreadyOver, enoughDryRuns, moreNeeded, stopAsked, stoppedInTime } from './words.ts';

/** People's actions on a card (approve, reject, try, stop) and its expiry. */

export interface DecisionsPort extends DecideDeps {
  /** Changes a request's state; without `from`, from any state. */
  move(change: { id: string; to: RequestState; from?: readonly RequestState[] }): Promise<unknown>;
  showState(revision: Revision, state: CardState): Promise<void>;
  /** Updates the open card with the progress of several approvals. */
  showProgress(revision: Revision, progress: Progress): Promise<void>;
  request(id: string): Promise<StoredRequest | null>;
  countDryRuns(requestId: string): Promise<number>;
  /** Stores a dry run; repeating the same one changes nothing. */
  storeDryRun(run: { runId: string; requestId: string; number: number }): Promise<void>;
  /** False when no such run is active. */
  cancelRun(of: { requestId: string; number: number; by: string; reason: string }): Promise<boolean>;
  /** Expires undecided cards. */
  expireDue(): Promise<readonly Expired[]>;
  /** The final state of a card whose plan is damaged. */
  showDamaged(of: Pick<Expired, 'requestId' | 'number'>): Promise<void>;
}

/** A card that expired undecided. */
export interface Expired {
  readonly requestId: string;
  readonly number: number;
  /** Null for a damaged one. */
  readonly revision: Revision | null;
}

/** Maximum dry runs of one request; each queries the vendors again. */
const maxDryRuns = 10;

/** A run to start. */
export interface StoredRun {
  readonly runId: string;
  readonly requestId: string;
}

/** Approves: returns the granted run, or null after telling the person why not. */
export async function decideYes(
  click: ApproveClick,
  port: DecisionsPort,
  say: Say,
): Promise<StoredRun | null> {
  return tellYes(await approve(click, port), port, say);
}

/** Tells the person the result of their approval; returns the granted run, or null. */
export async function tellYes(decided: Decided, port: DecisionsPort, say: Say): Promise<StoredRun | null> {
  if (decided.ok && decided.runId !== null) {
    return { runId: decided.runId, requestId: decided.revision.sealed.requestId };
  }
  if (!decided.ok) await say(refusalMessage(decided.refusal));
  else if (decided.progress !== undefined) {
    await port.showProgress(decided.revision, decided.progress);
    await say(moreNeeded(decided.progress));
  }
  return null;
}

export async function decideNo(
  click: Click & { reason: string },
  port: DecisionsPort,
  say: Say,
): Promise<void> {
  const decided = await closeWithNo(click, port);
  if (!decided.ok) await say(refusalMessage(decided.refusal));
}

async function closeWithNo(click: Click & { reason: string }, port: DecisionsPort): Promise<Decided> {
  const decided = await reject(click, port);
  if (!decided.ok) return decided;
  const { revision, at } = decided;
  const state = { by: click.userId, at: at.toISOString(), reason: click.reason };
  await port.showState(revision, { kind: 'rejected', ...state });
  await port.move({ id: revision.sealed.requestId, to: 'closed' });
  return decided;
}

/** The open revision behind a click, or null after telling the person why not. */
export async function openCard(click: Click, port: DecideDeps, say: Say): Promise<Revision | null> {
  const found = await openForMember(click, port);
  if (found.ok) return found.stored.revision;
  await say(refusalMessage(found.refusal));
  return null;
}

/** A dry run to start. `key` is the same for every delivery of one click: one click, one dry run. */
export async function tryOut(
  click: Click & { key: string },
  port: DecisionsPort,
  say: Say,
): Promise<StoredRun | null> {
  const revision = await openCard(click, port, say);
  if (revision === null) return null;
  const { requestId, number } = revision.sealed;
  if ((await port.countDryRuns(requestId)) >= maxDryRuns) {
    await say(enoughDryRuns(maxDryRuns));
    return null;
  }
  const runId = `dry-${requestId}-${number}-${sha256(click.key).slice(0, 8)}`;
  await port.storeDryRun({ runId, requestId, number });
  return { runId, requestId };
}

export interface Repeated extends NextTurn<StoredRequest> {
  readonly plan: Plan;
}

/** The same plan again, with fresh reads. One click, one revision. */
export async function again(
  { key, ...click }: Click & { key: string },
  port: DecisionsPort,
  say: Say,
): Promise<Repeated | null> {
  const found = await repeatable(click, port);
  if (!found.ok) {
    await say(refusalMessage(found.refusal));
    return null;
  }
  const { revision: basedOn, state } = found.stored;
  const request = await port.request(basedOn.sealed.requestId);
  if (request === null || request.state === 'running') return null;
  const turn = { ...firstTurn(click.userId, key), basedOn, replaces: state !== 'approved' };
  return { request, plan: basedOn.sealed.plan, turn };
}

/** Stops a run before its next write; a plan still waiting for approval is rejected. */
export async function stopRun(click: Click, port: DecisionsPort, say: Say): Promise<void> {
  const found = await stoppable(click, port);
  if (!found.ok) return say(refusalMessage(found.refusal));
  const { requestId, number } = found.ref;
  const reason = 'stopped from the card';
  const stopped = await port.cancelRun({ requestId, number, by: click.userId, reason });
  if (stopped) return say(stopAsked());
  const stored = await port.revisions.load(click.teamId, requestId, number);
  if (stored?.state !== 'proposed') return say(alreadyOver());
  const decided = await closeWithNo({ ...click, reason: 'stopped before it ran' }, port);
  await say(decided.ok ? stoppedInTime() : refusalMessage(decided.refusal));
}

/** Removes the buttons of undecided cards that expired. A card that cannot be drawn does not hold up the rest. */
export async function expire(port: DecisionsPort, log: Log): Promise<void> {
  for (const { revision, ...card } of await port.expireDue()) {
    const { requestId: id } = card;
    await port.move({ id, to: 'closed' });
    const shown =
      revision === null
        ? port.showDamaged(card)
        : port.showState(revision, { kind: 'expired', at: revision.sealed.expiresAt });
    await shown.catch((error: unknown) =>
      log.warn({ request: id, ...describeError(error) }, 'An expired card could not be drawn'),
    );
  }
}
