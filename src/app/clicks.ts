import { detailsModal } from '../approval/card/details.ts';
import { openCard } from '../approval/card-actions.ts';
import { type EditAbout, editModal } from '../approval/edit/modal.ts';
import { type Click, readAhead } from '../approval/find-revision.ts';
import { rateByClick } from '../approval/rate.ts';
import { rejectModal } from '../approval/reject-modal.ts';
import { revokeStanding } from '../approval/standing/end.ts';
import { standingModal } from '../approval/standing/modal.ts';
import { readCardRef } from '../blocks/card-ref.ts';
import { actionIds } from '../blocks/ids.ts';
import { type Modal, type Say, tellNobody } from '../blocks/message.ts';
import { VendorError } from '../core/errors.ts';
import { certainReply } from '../core/planning.ts';
import type { Revision } from '../core/revision.ts';
import { olderFor } from '../history/pages.ts';
import { tellReview } from '../history/review-draft.ts';
import { publishPlan } from '../history/review-publish.ts';
import { publishPlaces } from '../history/review-words.ts';
import { shownCardFor } from '../history/status.ts';
import { pressed } from '../request/follow-up.ts';
import { formBefore } from '../request/follow-up-form.ts';
import { requestIdOf } from '../request/intake.ts';
import { formFor, formWith } from '../request/plan-form.ts';
import { removeByClick } from '../request/playbook-commands.ts';
import { factsOf } from '../store/steps.ts';
import type { ActionEvent } from '../vendors/slack/events.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { endByClick } from '../watches/end.ts';
import { asked } from './commands.ts';
import type { EventContext } from './process-context.ts';

const ahead = new WeakMap<ActionEvent, Pick<Click, 'found'>>();

/** An approval is stored and its plan read at once: somebody may be waiting to be paged. */
export function lookAhead(event: ActionEvent, approval: EventContext['approval']): void {
  if (event.actionId === actionIds.approve) ahead.set(event, readAhead(event.value, approval));
}

/** A click on a button or a choice in a menu. */
export async function onAction(event: ActionEvent, context: EventContext): Promise<void> {
  const { pipeline, gateway, catalogue, request, approval, replies } = context;
  const { manifests } = catalogue;
  const { actor, key, value, actionId } = event;
  const say = sayTo(event, gateway);
  const click = { ...actor, value };
  if (actionId.startsWith(actionIds.ask) && event.message !== null) {
    const { channel, threadTs } = event.message;
    const said = { key, actor, channel, threadTs, triggerId: event.triggerId, ...pressed(value, manifests) };
    return asked(said, 'command', say, context);
  }
  if (actionId.startsWith(actionIds.clarify)) {
    return pipeline.answered({ ...click, key, ts: event.message?.ts ?? null }, say);
  }
  if (actionId.startsWith(actionIds.next)) {
    return onFollowUp(event, context, say);
  }
  if (actionId.startsWith(actionIds.publishReview)) {
    return onPublish(event, context, say);
  }
  /** Where the outcome of a request of this click is said. */
  const answersHere = () => replies.set(requestIdOf(actor.teamId, key), say);
  const inThread = event.message && { ...actor, key, value, ...threadOf(event.message) };
  if (actionId.startsWith(actionIds.fix) && inThread !== null) {
    answersHere();
    return pipeline.fixed(inThread, say);
  }
  if (actionId === actionIds.nextFix && inThread !== null) {
    answersHere();
    return pipeline.nextFixed(inThread, say);
  }
  if (actionId.startsWith(actionIds.same) && inThread !== null) {
    answersHere();
    return pipeline.sameAgain(inThread, say);
  }
  if (actionId.startsWith(actionIds.fixAlert)) {
    answersHere();
    return pipeline.alertFixed({ ...click, key }, say);
  }
  const show = async (form: (revision: Revision) => Modal | Promise<Modal>): Promise<void> => {
    const revision = await openCard(click, approval, say);
    if (revision !== null) await open(event.triggerId, await form(revision), gateway);
  };
  switch (actionId) {
    case actionIds.approve:
      return pipeline.approved({ ...click, ...ahead.get(event), from: 'card' }, say);
    case actionIds.dryRun:
      return pipeline.dryRun({ ...click, key }, say);
    case actionIds.again:
      return pipeline.repeated({ ...click, key }, say);
    case actionIds.undo:
      return inThread === null ? undefined : pipeline.undo(inThread, say);
    case actionIds.cancel:
      return pipeline.stopped(click, say);
    case actionIds.rate:
      return open(event.triggerId, await rateByClick(click, approval, say), gateway);
    case actionIds.standing:
      return show((revision) => standingModal(revision, manifests, context.now()));
    case actionIds.revoke:
      return revokeStanding(click, approval, say);
    case actionIds.ackAlert:
      answersHere();
      return pipeline.alertAcknowledged({ ...click, key }, say);
    case actionIds.reviewAlert:
      return onReview(event, context, say);
    case actionIds.endWatch:
      return endByClick({ ...actor, id: value }, context.watches, say);
    case actionIds.removePlaybook:
      return removeByClick({ ...actor, name: value }, request, say);
    case actionIds.edit:
      return show((revision) => editModal(revision, { manifests, catalogue }));
    case actionIds.editStep:
      return showInForm(event, context, (step) => ({ step }));
    case actionIds.editMore:
      return showInForm(event, context, (field, form) => ({
        ...(form.step === undefined ? {} : { step: form.step }),
        added: [...form.added, field],
      }));
    case actionIds.older:
      return onOlder(event, context, say);
    case actionIds.planNext:
    case actionIds.fillIn:
      return planNext(event, actionId === actionIds.fillIn ? value : null, context, say);
    case actionIds.askPlaybook:
      return choosePlaybook(event, context);
    case actionIds.shownCard:
      return say(await shownCardFor(actor.userId, value, context.about));
    case actionIds.reject:
      return show(rejectModal);
    case actionIds.details:
      return show(async (revision) => {
        const facts = await factsOf(approval.db, revision.sealed);
        return detailsModal(revision, manifests, { open: true, facts });
      });
    default:
      context.log.warn({ action: actionId }, 'Unhandled action');
  }
}

/** After a write that did not help, or for a ready-made plan of a list: the form behind `/plan`. */
async function planNext(
  { actor, message, triggerId }: ActionEvent,
  chosen: string | null,
  { request, gateway }: EventContext,
  say: Say,
): Promise<void> {
  if (message === null || !(await request.mayAsk(actor, say))) return;
  await open(triggerId, await formFor(actor.userId, message.channel, chosen, request), gateway);
}

/** The thread that reported a step. */
function threadOf({ channel, ts, threadTs }: NonNullable<ActionEvent['message']>) {
  return { channel, threadTs: threadTs ?? ts };
}

/** A button for a follow-up step: handled at once, or after the form it opens. */
async function onFollowUp(
  { actionId, actor, key, value, message, triggerId }: ActionEvent,
  { pipeline, gateway, request, replies }: EventContext,
  say: Say,
): Promise<void> {
  if (message === null) return;
  const place = { value, tool: actionId.slice(actionIds.next.length), ...threadOf(message) };
  const form = await formBefore(place, actor.userId, request);
  if (form !== null) {
    if (await request.mayAsk(actor, say)) await open(triggerId, form, gateway);
    return;
  }
  replies.set(requestIdOf(actor.teamId, key), say);
  await pipeline.followUp({ ...actor, ...place, key, given: {} }, say);
}

/** As if its person had typed it: whatever the button says, it shows what that person may see. */
async function onReview(
  { actor, value: incident, message }: ActionEvent,
  { request, reviews }: EventContext,
  say: Say,
): Promise<void> {
  if (message === null || !(await request.mayAsk(actor, say))) return;
  await tellReview({ ...actor, channel: message.channel, incident }, 'review', reviews, say);
}

/** Proposes the plan that publishes a review, with its whole text on the card. */
async function onPublish(
  { actionId, actor, key, value, message }: ActionEvent,
  { pipeline, request, reviews, replies }: EventContext,
  say: Say,
): Promise<void> {
  const to = publishPlaces.find((place) => actionId === `${actionIds.publishReview}${place}`);
  if (to === undefined || message === null || !(await request.mayAsk(actor, say))) return;
  const { userId: requester, home, teamId } = actor;
  const { channel } = message;
  const made = await publishPlan({ channel, incident: value, to }, reviews);
  if ('message' in made) return say(made.message);
  replies.set(requestIdOf(teamId, key), say);
  const planned = certainReply({ kind: 'plan', plan: made.plan }, 'person');
  const about = { key, text: made.goal, via: 'command', requester, home, channel, threadTs: null } as const;
  await pipeline.submitted({ ...about, quoted: null, planned }, say);
}

async function onOlder({ actor, value }: ActionEvent, { about }: EventContext, say: Say): Promise<void> {
  const older = await olderFor(actor.userId, value, about);
  if (older !== null) await say(older);
}

/** A click processed again because its process died has already opened its form. */
async function open(triggerId: string, form: Modal | null, gateway: SlackGateway): Promise<void> {
  if (form === null) return;
  try {
    await gateway.openView(triggerId, form);
  } catch (error) {
    if (!(error instanceof VendorError && error.code === 'slack_exchanged_trigger_id')) throw error;
  }
}

function sayTo({ responseUrl, message, actor }: ActionEvent, gateway: SlackGateway): Say {
  if (responseUrl) return (words) => gateway.respond(responseUrl, words);
  return async (words) => {
    const { userId } = actor;
    const channel = message?.channel ?? (await gateway.openDirect(userId));
    await gateway.ephemeral({ channel, userId, message: words, threadTs: message?.threadTs ?? null });
  };
}

/** Shows the inputs of the chosen playbook in the form behind `/plan`. */
async function choosePlaybook(
  { view, value, actor }: ActionEvent,
  { gateway, request }: EventContext,
): Promise<void> {
  const form = view && (await formWith(actor.userId, view.privateMetadata, value, request));
  if (view !== null && form !== null) await gateway.updateView(view, form);
}

/** Shows other fields in a plan's form: those of the chosen step of a large plan, or one more. Typed values stay. */
async function showInForm(
  { view, value, actor }: ActionEvent,
  { gateway, catalogue, approval }: EventContext,
  asked: (value: string, form: { step: string | undefined; added: readonly string[] }) => Partial<EditAbout>,
): Promise<void> {
  if (view === null) return;
  const revision = await openCard({ ...actor, value: view.privateMetadata }, approval, tellNobody);
  if (revision === null) return;
  const form = { step: readCardRef(view.privateMetadata)?.step, added: Object.keys(view.values) };
  const { manifests } = catalogue;
  await gateway.updateView(view, editModal(revision, { manifests, catalogue, ...asked(value, form) }));
}
