import { detailsModal } from '../approval/details.ts';
import { editModal } from '../approval/edit-modal.ts';
import { rejectModal } from '../approval/reject-modal.ts';
import type { Say } from '../pipeline.ts';
import type { ActionEvent } from '../slack/events.ts';
import { actionIds } from '../slack/required.ts';
import type { HandlerDeps } from './handler-deps.ts';

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
  const { decisions, conversations, world } = deps;
  const { actor, value, triggerId, actionId } = event;
  const say = sayTo(event, deps);
  const click = { ...actor, value };
  const { manifests } = world.catalogue;
  if (actionId.startsWith(actionIds.clarify)) return conversations.clicked(event, say);
  switch (actionId) {
    case actionIds.approve:
      await decisions.onApprove({ ...click, from: 'card' }, say);
      return;
    case actionIds.dryRun:
      return decisions.onDryRun({ ...click, key: event.key }, say);
    case actionIds.cancel:
      return decisions.onCancel(click, say);
    case actionIds.edit: {
      const revision = await decisions.openCard(click, say);
      if (revision)
        await world.gateway.openView(
          triggerId,
          editModal(revision, { manifests, catalogue: world.catalogue }),
        );
      return;
    }
    case actionIds.editStep:
      return showStep(event, deps);
    case actionIds.reject: {
      const revision = await decisions.openCard(click, say);
      if (revision) await world.gateway.openView(triggerId, rejectModal(revision));
      return;
    }
    case actionIds.details: {
      const revision = await decisions.openCard(click, say);
      if (revision)
        await world.gateway.openView(triggerId, detailsModal(revision, manifests, { open: true }));
      return;
    }
    default:
      world.log.warn({ action: actionId }, 'A click that nothing listens to');
  }
}

/** A large plan is edited a step at a time: the chosen step's fields replace those that were shown. */
async function showStep({ view, value, actor }: ActionEvent, deps: HandlerDeps): Promise<void> {
  const { decisions, world } = deps;
  if (view === null) return;
  const click = { ...actor, value: view.privateMetadata };
  const revision = await decisions.openCard(click, async () => undefined);
  if (revision === null) return;
  const { manifests } = world.catalogue;
  await world.gateway.updateView(
    view,
    editModal(revision, { manifests, catalogue: world.catalogue, step: value }),
  );
}
