import { detailsModal } from '../approval/card/details.ts';
import { openCard } from '../approval/card-actions.ts';
import { type EditAbout, editModal } from '../approval/edit/modal.ts';
import { rejectModal } from '../approval/reject-modal.ts';
import { revokeStanding } from '../approval/standing/end.ts';
import { standingModal } from '../approval/standing/modal.ts';
import { readCardRef } from '../blocks/card-ref.ts';
import { actionIds } from '../blocks/ids.ts';
import { type Modal, type Say, tellNobody } from '../blocks/message.ts';
import { VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Revision } from '../core/revision.ts';
import { olderFor, shownCardFor } from '../history/answers.ts';
import type { Pipeline } from '../pipeline.ts';
import { type AskingPort, formWith } from '../request/plan-form.ts';
import { type RemovePort, removeByClick } from '../request/saved.ts';
import type { ActionEvent } from '../vendors/slack/events.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { type EndPort, endByClick } from '../watches/end.ts';
import type { CommandDeps } from './commands.ts';
import { onNext, type PressDeps } from './result-buttons.ts';

export interface ClickDeps extends CommandDeps, Omit<PressDeps, 'pipeline'> {
  readonly pipeline: Pipeline;
  readonly gateway: SlackGateway;
  readonly asking: AskingPort;
  readonly watches: EndPort;
  readonly saved: RemovePort;
  readonly log: Log;
}

/** A click on a button or a choice in a menu. */
export async function onAction(event: ActionEvent, deps: ClickDeps): Promise<void> {
  const { pipeline, gateway, catalogue, approval } = deps;
  const { manifests } = catalogue;
  const { actor, key, value, actionId } = event;
  const say = sayTo(event, gateway);
  const click = { ...actor, value };
  if (actionId.startsWith(actionIds.clarify)) {
    return pipeline.answered({ ...click, key, ts: event.message?.ts ?? null }, say);
  }
  if (actionId.startsWith(actionIds.next)) {
    return onNext(event, deps, (form) => open(event.triggerId, form, gateway), say);
  }
  const show = async (form: (revision: Revision) => Modal): Promise<void> => {
    const revision = await openCard(click, approval, say);
    if (revision !== null) await open(event.triggerId, form(revision), gateway);
  };
  switch (actionId) {
    case actionIds.approve:
      return pipeline.approved({ ...click, from: 'card' }, say);
    case actionIds.dryRun:
      return pipeline.dryRunAsked({ ...click, key }, say);
    case actionIds.again:
      return pipeline.repeated({ ...click, key }, say);
    case actionIds.undo:
      return onUndo(event, pipeline, say);
    case actionIds.cancel:
      return pipeline.stopped(click, say);
    case actionIds.standing:
      return show((revision) => standingModal(revision, manifests, deps.now()));
    case actionIds.revoke:
      return revokeStanding(click, deps.approval, say);
    case actionIds.endWatch:
      return endByClick({ ...actor, id: value }, deps.watches, say);
    case actionIds.removePlaybook:
      return removeByClick({ ...actor, name: value }, deps.saved, say);
    case actionIds.edit:
      return show((revision) => editModal(revision, { manifests, catalogue }));
    case actionIds.editStep:
      return showInForm(event, deps, (step) => ({ step }));
    case actionIds.editMore:
      return showInForm(event, deps, (field, form) => ({
        ...(form.step === undefined ? {} : { step: form.step }),
        added: [...form.added, field],
      }));
    case actionIds.older:
      return onOlder(event, deps, say);
    case actionIds.askPlaybook:
      return choosePlaybook(event, deps);
    case actionIds.shownCard:
      return say(await shownCardFor(actor.userId, value, deps.about));
    case actionIds.reject:
      return show(rejectModal);
    case actionIds.details:
      return show((revision) => detailsModal(revision, manifests, { open: true }));
    default:
      deps.log.warn({ action: actionId }, 'Unhandled action');
  }
}

/** A plan that undoes a step goes to the thread that reported the step. */
async function onUndo(
  { actor, key, value, message }: ActionEvent,
  pipeline: Pipeline,
  say: Say,
): Promise<void> {
  if (message === null) return;
  const { channel, ts, threadTs } = message;
  await pipeline.undone({ ...actor, key, value, channel, threadTs: threadTs ?? ts }, say);
}

async function onOlder({ actor, value }: ActionEvent, { about }: ClickDeps, say: Say): Promise<void> {
  const older = await olderFor(actor.userId, value, about);
  if (older !== null) await say(older);
}

/** A click processed again because its process died has already opened its form. */
async function open(triggerId: string, form: Modal, gateway: SlackGateway): Promise<void> {
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
  { gateway, asking }: ClickDeps,
): Promise<void> {
  const form = view && (await formWith(actor.userId, view.privateMetadata, value, asking));
  if (view !== null && form !== null) await gateway.updateView(view, form);
}

/** Shows other fields in a plan's form: those of the chosen step of a large plan, or one more. Typed values stay. */
async function showInForm(
  { view, value, actor }: ActionEvent,
  { gateway, catalogue, approval }: ClickDeps,
  asked: (value: string, form: { step: string | undefined; added: readonly string[] }) => Partial<EditAbout>,
): Promise<void> {
  if (view === null) return;
  const revision = await openCard({ ...actor, value: view.privateMetadata }, approval, tellNobody);
  if (revision === null) return;
  const form = { step: readCardRef(view.privateMetadata)?.step, added: Object.keys(view.values) };
  const { manifests } = catalogue;
  await gateway.updateView(view, editModal(revision, { manifests, catalogue, ...asked(value, form) }));
}
