import { detailsModal } from '../approval/details.ts';
import { editModal } from '../approval/edit-modal.ts';
import { rejectModal } from '../approval/reject-modal.ts';
import { actionIds } from '../blocks/ids.ts';
import type { Modal } from '../blocks/message.ts';
import type { Revision } from '../core/revision.ts';
import { type Say, tellNobody } from '../pipeline.ts';
import type { ActionEvent } from '../vendors/slack/events.ts';
import { answerClicked } from '../request/answers.ts';
import { onApprove, onCancel, onDryRun, openCard } from '../approval/decisions.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { World } from './world.ts';

function sayTo(event: ActionEvent, { world: { gateway } }: HandlerDeps): Say {
  const { responseUrl, message, actor } = event;
  if (responseUrl) return (words) => gateway.respond(responseUrl, words);
  return async (words) => {
    const channel = message?.channel ?? (await gateway.openDirect(actor.userId));
    await gateway.ephemeral({
      channel,
      userId: actor.userId,
      message: words,
      threadTs: message?.threadTs ?? null,
    });
  };
}

/** A click on a button or a choice in a menu. */
export async function onAction(event: ActionEvent, deps: HandlerDeps): Promise<void> {
  const { world } = deps;
  const { actor, value, actionId } = event;
  const say = sayTo(event, deps);
  const click = { ...actor, value };
  const { catalogue } = world;
  const { manifests } = catalogue;
  if (actionId.startsWith(actionIds.clarify)) return answerClicked(deps, event, say);
  const show = async (form: (revision: Revision) => Modal): Promise<void> => {
    const revision = await openCard(world, click, say);
    if (revision) await world.gateway.openView(event.triggerId, form(revision));
  };
  switch (actionId) {
    case actionIds.approve:
      return onApprove(world, { ...click, from: 'card' }, say);
    case actionIds.dryRun:
      return onDryRun(world, { ...click, key: event.key }, say);
    case actionIds.cancel:
      return onCancel(world, click, say);
    case actionIds.edit:
      return show((revision) => editModal(revision, { manifests, catalogue }));
    case actionIds.editStep:
      return showStep(event, world);
    case actionIds.reject:
      return show(rejectModal);
    case actionIds.details:
      return show((revision) => detailsModal(revision, manifests, { open: true }));
    default:
      world.log.warn({ action: actionId }, 'A click that nothing listens to');
  }
}

/** A large plan is edited a step at a time: the chosen step's fields replace those that were shown. */
async function showStep({ view, value: step, actor }: ActionEvent, world: World): Promise<void> {
  if (view === null) return;
  const revision = await openCard(world, { ...actor, value: view.privateMetadata }, tellNobody);
  if (revision === null) return;
  const { catalogue } = world;
  await world.gateway.updateView(
    view,
    editModal(revision, { manifests: catalogue.manifests, catalogue, step }),
  );
}
