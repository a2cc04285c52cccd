import type { Click } from '../approval/decide.ts';
import { readAllBlock } from '../approval/details.ts';
import { findingErrors, readEdit } from '../approval/read-edit.ts';
import { readReject } from '../approval/reject-modal.ts';
import { sha256 } from '../core/canonical.ts';
import { firstTurn, type Say } from '../pipeline.ts';
import type { SubmitAnswer, SubmitEvent } from '../slack/events.ts';
import { viewIds } from '../slack/required.ts';
import * as requests from '../store/requests.ts';
import { edit } from './changes.ts';
import { onApprove, onReject, openCard } from './decisions.ts';
import type { HandlerDeps } from './handler-deps.ts';

const closed: SubmitAnswer['answer'] = { kind: 'close' };

/** A submitted form; what takes time is done after Slack has its answer. */
export async function onSubmit(event: SubmitEvent, deps: HandlerDeps): Promise<SubmitAnswer> {
  const { world } = deps;
  const { view, actor } = event;
  const click = { ...actor, value: view.privateMetadata };
  const say: Say = async (message) => {
    const direct = await world.gateway.openDirect(actor.userId);
    await world.gateway.post({ channel: direct, message, key: `private:${sha256(event.key).slice(0, 16)}` });
  };
  switch (view.callbackId) {
    case viewIds.reject: {
      const read = readReject(view.values);
      if (!read.ok) return { answer: { kind: 'errors', errors: read.errors } };
      return { answer: closed, work: () => onReject(world, { ...click, reason: read.reason }, say) };
    }
    case viewIds.details: {
      const ticked = view.values.get(readAllBlock);
      if (!Array.isArray(ticked) || !ticked.includes('yes')) {
        return {
          answer: { kind: 'errors', errors: { [readAllBlock]: 'Tick this once you have read the plan.' } },
        };
      }
      return {
        answer: closed,
        work: () => onApprove(world, { ...click, from: 'details' }, say),
      };
    }
    case viewIds.edit:
      return onEdit(event, click, say, deps);
    default:
      world.log.warn({ view: view.callbackId }, 'A form that nothing listens to');
      return { answer: closed };
  }
}

/** Fields are checked while the form is open; what is right becomes a new revision, and words go to the planner. */
async function onEdit(
  { view, actor }: SubmitEvent,
  click: Click,
  say: Say,
  deps: HandlerDeps,
): Promise<SubmitAnswer> {
  const { world, pipeline } = deps;
  const revision = await openCard(world, click, say);
  if (revision === null) return { answer: closed };
  const read = readEdit(view.values, revision, world.catalogue.manifests);
  if (!read.ok) return { answer: { kind: 'errors', errors: read.errors } };
  if (read.changed !== null) {
    const { findings } = pipeline.review(read.draft);
    if (findings.length > 0)
      return { answer: { kind: 'errors', errors: findingErrors(findings, view.values, read.changed) } };
  }
  const turn = { ...firstTurn(actor.userId), basedOn: revision, change: read.words };
  return {
    answer: closed,
    work: async () => {
      const request = await requests.get(world.db, world.teamId, revision.sealed.requestId);
      if (request !== null) await edit(deps, request, turn, read.draft, say);
    },
  };
}
