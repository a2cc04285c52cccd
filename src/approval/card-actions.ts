import type { Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import { readRow } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import type { Plan } from '../core/plan.ts';
import { firstTurn, type NextTurn } from '../core/planning-turn.ts';
import type { StoredRequest } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import { readsIdOf, runIdOf } from '../core/run.ts';
import { cancel } from '../store/cancel.ts';
import * as outbox from '../store/outbox.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as runs from '../store/runs.ts';
import { storedRevision } from '../store/stored-revision.ts';
import type { RevisionRow } from '../store/tables.ts';
import { type Rejected, turnByReason } from './change-by-reason.ts';
import type { ApprovalContext, Reporting } from './context.ts';
import { type ApproveClick, approve, type Decided, type RejectClick, reject } from './decide.ts';
import {
  type Click,
  type FindContext,
  foundOrTold,
  openForMember,
  repeatable,
  stoppable,
} from './find-revision.ts';
import { refusalMessage } from './refusal-words.ts';
import { alreadyOver, enoughDryRuns, moreNeeded, stopAsked, stoppedInTime } from './words.ts';

/** People's actions on a card (approve, reject, try, stop), its expiry, and cards that are cancelled. */

/** Maximum dry runs of one request; each queries the vendors again. */
const maxDryRuns = 10;

/** A run to start. */
export interface StoredRun {
  readonly runId: string;
  readonly requestId: string;
}

/** Approves: returns the granted run, or null after telling the person why not. */
export async function approveCard(
  click: ApproveClick,
  context: ApprovalContext,
  say: Say,
): Promise<StoredRun | null> {
  return tellApprover(await approve(click, context), context, say);
}

/** Tells the person the result of their approval; returns the granted run, or null. */
export async function tellApprover(
  decided: Decided,
  { reporting }: ApprovalContext,
  say: Say,
): Promise<StoredRun | null> {
  if (decided.ok && decided.runId !== null) {
    return { runId: decided.runId, requestId: decided.revision.sealed.requestId };
  }
  if (!decided.ok) await say(refusalMessage(decided.refusal));
  else if (decided.progress !== undefined) {
    await reporting.progress(decided.revision, decided.progress);
    await say(moreNeeded(decided.progress));
  }
  return null;
}

/** Returns what is left to do where the person said why: the reason may lead to another plan. */
export async function rejectCard(
  click: RejectClick,
  context: ApprovalContext,
  say: Say,
): Promise<Rejected | null> {
  const decided = await rejectAndClose(click, context);
  if (decided.ok) return click.isExplained ? turnByReason(decided.revision, click, context) : null;
  await say(refusalMessage(decided.refusal));
  return null;
}

async function rejectAndClose(click: RejectClick, context: ApprovalContext): Promise<Decided> {
  const { db, teamId, reporting } = context;
  const decided = again(click, await reject(click, context));
  if (!decided.ok) return decided;
  const { revision, at } = decided;
  const state = { by: click.userId, at: at.toISOString(), reason: click.reason };
  await reporting.card(revision, { kind: 'rejected', ...state });
  await requests.setState(db, { teamId, id: revision.sealed.requestId, to: 'closed' });
  return decided;
}

/** A process that died after it stored this very rejection may have done nothing more. */
function again({ userId, reason }: RejectClick, decided: Decided): Decided {
  if (decided.ok || decided.refusal.code !== 'decided') return decided;
  const { state, decidedBy, decidedAt, reason: stored, revision } = decided.refusal.current;
  const isThis = state === 'rejected' && decidedBy === userId && stored === reason && decidedAt !== null;
  return isThis ? { ok: true, revision, runId: null, at: decidedAt } : decided;
}

/** The open revision behind a click, or null after telling the person why not. */
export async function openCard(click: Click, context: FindContext, say: Say): Promise<Revision | null> {
  return (await foundOrTold(await openForMember(click, context), say))?.revision ?? null;
}

/** Stores a dry run. `key` is the same for every delivery of one click: one click, one dry run. */
export async function dryRun(
  click: Click & { key: string },
  context: ApprovalContext,
  say: Say,
): Promise<StoredRun | null> {
  const { db, teamId, now } = context;
  const revision = await openCard(click, context, say);
  if (revision === null) return null;
  const { requestId, number } = revision.sealed;
  const known = await runs.listOf(db, teamId, requestId);
  if (known.filter(({ mode }) => mode === 'dry_run').length >= maxDryRuns) {
    await say(enoughDryRuns(maxDryRuns));
    return null;
  }
  const runId = `dry-${requestId}-${number}-${sha256(click.key).slice(0, 8)}`;
  await runs.startDryRun(db, { teamId, runId, requestId, number, startedAt: now() });
  return { runId, requestId };
}

export interface Repeated extends NextTurn<StoredRequest> {
  readonly plan: Plan;
}

/** The same plan again, with fresh reads. One click, one revision. */
export async function repeat(
  { key, ...click }: Click & { key: string },
  context: ApprovalContext,
  say: Say,
): Promise<Repeated | null> {
  const stored = await foundOrTold(await repeatable(click, context), say);
  if (stored === null) return null;
  const { revision: basedOn, state } = stored;
  const request = await requests.get(context.db, context.teamId, basedOn.sealed.requestId);
  if (request === null || request.state === 'running') return null;
  const turn = { ...firstTurn(click.userId, key), basedOn, replaces: state !== 'approved' };
  return { request, plan: basedOn.sealed.plan, turn };
}

/** Stops a run before its next write; a plan still waiting for approval is rejected. */
export async function stopRun(click: Click, context: ApprovalContext, say: Say): Promise<void> {
  const { db, teamId, now } = context;
  const found = await stoppable(click, context);
  if (!found.ok) return say(refusalMessage(found.refusal));
  const { requestId, number } = found.ref;
  const run = { teamId, runId: runIdOf(requestId, number) };
  const reason = 'stopped from the card';
  const stopped = await runs.requestCancel(db, { ...run, by: click.userId, at: now(), reason });
  if (stopped) return say(stopAsked());
  const stored = await storedRevision(db, { teamId, requestId, number });
  if (stored?.state !== 'proposed') return say(alreadyOver());
  const decided = await rejectAndClose({ ...click, reason: 'stopped before it ran' }, context);
  const reads = { teamId, runId: readsIdOf(requestId, number) };
  if (decided.ok) await runs.requestCancel(db, { ...reads, by: click.userId, at: now(), reason });
  await say(decided.ok ? stoppedInTime() : refusalMessage(decided.refusal));
}

/** Removes the buttons of undecided cards that expired. A card that cannot be drawn does not hold up the rest. */
export async function expire(context: ApprovalContext): Promise<void> {
  const { db, teamId, now, log } = context;
  const rows = await revisions.expireDue(db, teamId, now());
  for (const row of rows) context.decided(row);
  for (const row of rows) {
    const { requestId: id } = row;
    await requests.setState(db, { teamId, id, to: 'closed' });
    await showExpired(row, context).catch((error: unknown) =>
      log.warn({ request: id, ...describeError(error) }, 'An expired card could not be drawn'),
    );
  }
}

async function showExpired(row: RevisionRow, { db, damaged, reporting }: ApprovalContext): Promise<void> {
  const revision = readRow(row, revisions.planReader, damaged);
  if (revision !== null) {
    return reporting.card(revision, { kind: 'expired', at: revision.sealed.expiresAt });
  }
  await outbox.enqueue(db, reporting.damagedCard({ requestId: row.requestId, number: row.number }));
  reporting.kick();
}

type CancelContext = Pick<ApprovalContext, 'db' | 'teamId' | 'now'> & {
  readonly reporting: Pick<Reporting, 'cardMessage' | 'damagedCard' | 'kick'>;
};

/** Cancels a card that needs no decision any more, and updates it; false when it was decided meanwhile. */
export function cancelCard(revision: Revision, reason: string, context: CancelContext): Promise<boolean> {
  const { requestId, number } = revision.sealed;
  const at = context.now().toISOString();
  const state = { kind: 'cancelled', by: 'system', at, reason } as const;
  const message = context.reporting.cardMessage(revision, state);
  return cancelWith(message, { requestId, number, digest: revision.digest, reason }, context);
}

/** The same for a card whose plan is damaged. */
export function cancelDamaged(
  { requestId, number, digest }: Pick<RevisionRow, 'requestId' | 'number' | 'digest'>,
  context: CancelContext,
): Promise<boolean> {
  const reason = 'what is stored of it is damaged';
  return cancelWith(
    context.reporting.damagedCard({ requestId, number }),
    { requestId, number, digest, reason },
    context,
  );
}

async function cancelWith(
  message: outbox.OutboxMessage,
  of: { requestId: string; number: number; digest: string; reason: string },
  { db, teamId, reporting, now }: CancelContext,
): Promise<boolean> {
  const isCancelled = (await cancel(db, { teamId, ...of, now: now(), messages: [message] })) !== null;
  if (isCancelled) reporting.kick();
  return isCancelled;
}
