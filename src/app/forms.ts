import { glassReasonBlock, readGlassReason } from '../approval/break-glass.ts';
import { unreadErrors } from '../approval/card/details.ts';
import { openCard } from '../approval/card-actions.ts';
import { findingErrors, readEdit } from '../approval/edit/read.ts';
import type { Click } from '../approval/find-revision.ts';
import { explainRating } from '../approval/rate.ts';
import { readReject } from '../approval/reject-modal.ts';
import { readStanding } from '../approval/standing/modal.ts';
import { viewIds } from '../blocks/ids.ts';
import type { Say } from '../blocks/message.ts';
import { sha256 } from '../core/canonical.ts';
import { firstTurn } from '../core/planning-turn.ts';
import { readFollowUp } from '../request/follow-up-form.ts';
import { requestIdOf } from '../request/intake.ts';
import { readForm } from '../request/plan-form.ts';
import * as requests from '../store/requests.ts';
import type { SubmitAnswer, SubmitEvent } from '../vendors/slack/events.ts';
import type { EventContext } from './process-context.ts';

const nothing = async (): Promise<void> => undefined;
const closed = (work: () => Promise<void> = nothing): SubmitAnswer => ({ answer: { kind: 'close' }, work });
const wrong = (errors: Readonly<Record<string, string>>): SubmitAnswer => ({
  answer: { kind: 'errors', errors },
  work: nothing,
});

/** A submitted form; slow work happens after Slack has its response. */
export async function onSubmit(event: SubmitEvent, context: EventContext): Promise<SubmitAnswer> {
  const { pipeline } = context;
  const { view, actor } = event;
  const click = { ...actor, value: view.privateMetadata };
  const values = new Map(Object.entries(view.values));
  const say = sayTo(event, context);
  switch (view.callbackId) {
    case viewIds.reject: {
      const read = readReject(values);
      if (!read.ok) return wrong(read.errors);
      return closed(() => pipeline.rejected({ ...click, reason: read.reason, isExplained: true }, say));
    }
    case viewIds.rate:
      return closed(() => explainRating(click, values, context.approval, say));
    case viewIds.details: {
      const unread = unreadErrors(values);
      if (unread !== null) return wrong(unread);
      return closed(() => pipeline.approved({ ...click, from: 'details' }, say));
    }
    case viewIds.glass: {
      const read = readGlassReason(values.get(glassReasonBlock));
      if ('error' in read) return wrong({ [glassReasonBlock]: read.error });
      const unread = unreadErrors(values);
      if (unread !== null) return wrong(unread);
      return closed(() => pipeline.approved({ ...click, from: 'details', glass: read.reason }, say));
    }
    case viewIds.standing: {
      const read = readStanding(values);
      if (!read.ok) return wrong(read.errors);
      return closed(() => pipeline.approvedStanding({ ...click, from: 'details', terms: read.terms }, say));
    }
    case viewIds.ask:
      return onAsk(event, say, context);
    case viewIds.next:
      return onFollowUp(event, say, context);
    case viewIds.edit:
      return onEdit(event, click, say, context);
    default:
      context.log.warn({ view: view.callbackId }, 'Unhandled form');
      return closed();
  }
}

/** In a direct message: a form belongs to no channel. */
function sayTo({ actor, key }: SubmitEvent, { gateway }: EventContext): Say {
  return async (message) => {
    const channel = await gateway.openDirect(actor.userId);
    await gateway.post({ channel, message, key: `private:${sha256(key).slice(0, 16)}` });
  };
}

/** The form behind `/plan` without words; its request is handled as if typed. */
async function onAsk(
  { view, actor, key }: SubmitEvent,
  say: Say,
  { pipeline, request }: EventContext,
): Promise<SubmitAnswer> {
  const { userId: requester, home } = actor;
  const read = await readForm(
    requester,
    { metadata: view.privateMetadata, values: new Map(Object.entries(view.values)) },
    request,
  );
  if (read === null) return closed();
  if (!read.ok) return wrong(read.errors);
  const arrival = { key, text: read.text, via: 'command', requester, home, channel: read.channel } as const;
  return closed(() => pipeline.submitted({ ...arrival, threadTs: null, quoted: null }, say));
}

/** The form behind a button for a follow-up step. */
async function onFollowUp(
  { view, actor, key }: SubmitEvent,
  say: Say,
  { pipeline, request, replies }: EventContext,
): Promise<SubmitAnswer> {
  const values = new Map(Object.entries(view.values));
  const read = await readFollowUp(actor.userId, { metadata: view.privateMetadata, values }, request);
  if (read === null) return closed();
  if (!read.ok) return wrong(read.errors);
  replies.set(requestIdOf(actor.teamId, key), say);
  return closed(() => pipeline.followUp({ ...actor, ...read.place, key, given: read.given }, say));
}

/** Fields are checked while the form is open; valid ones become a new revision, and words go to the planner. */
async function onEdit(
  { view, actor, key }: SubmitEvent,
  click: Click,
  say: Say,
  { db, teamId, pipeline, approval, catalogue, stages }: EventContext,
): Promise<SubmitAnswer> {
  const revision = await openCard(click, approval, say);
  if (revision === null) return closed();
  const values = new Map(Object.entries(view.values));
  const read = readEdit(values, revision, catalogue.manifests);
  if (!read.ok) return wrong(read.errors);
  const { changed } = read;
  const findings = changed === null ? [] : stages.review(read.draft, null).findings;
  if (changed !== null && findings.length > 0) return wrong(findingErrors(findings, values, changed));
  const turn = { ...firstTurn(actor.userId, key), basedOn: revision, change: read.words };
  return closed(async () => {
    const asked = await requests.get(db, teamId, revision.sealed.requestId);
    if (asked !== null) await pipeline.edited({ request: asked, plan: read.draft, turn }, say);
  });
}
