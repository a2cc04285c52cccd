import { detailsModal, readAllBlock } from '../approval/details.ts';
import { editModal } from '../approval/edit-modal.ts';
import { findingErrors, readEdit } from '../approval/read-edit.ts';
import { readReject, rejectModal } from '../approval/reject-modal.ts';
import { sha256 } from '../core/canonical.ts';
import type { Request, Via } from '../core/request.ts';
import { firstTurn, type Pipeline, type Say } from '../pipeline.ts';
import { failed } from '../report/private.ts';
import { readSubcommand } from '../request/subcommand.ts';
import { plain } from '../slack/blocks/layout.ts';
import { line, rich } from '../slack/blocks/rich.ts';
import { readCardRef } from '../slack/card-ref.ts';
import type { ActionEvent, SlackHandlers, SubmitAnswer, SubmitEvent } from '../slack/events.ts';
import { actionIds, viewIds } from '../slack/required.ts';
import type { Conversations } from './conversations.ts';
import type { Decisions } from './decisions.ts';
import type { Homes } from './home.ts';
import type { Intake } from './intake.ts';
import { mayTalk } from './people.ts';
import { onSubcommand } from './playbooks.ts';
import type { World } from './world.ts';

export interface HandlerDeps {
  readonly world: World;
  readonly pipeline: Pipeline;
  readonly decisions: Decisions;
  readonly conversations: Conversations;
  readonly intake: Intake;
  readonly homes: Homes;
}

/** What the bot does with everything that Slack sends. */
export function createSlackHandlers(deps: HandlerDeps): SlackHandlers {
  const { world, conversations, intake, homes } = deps;
  const { gateway } = world;
  return {
    command: async ({ key, actor, channel, text, responseUrl }) => {
      const subcommand = readSubcommand(text);
      if (subcommand !== null) {
        const answer: Say = (message) => gateway.respond(responseUrl, message);
        if (!(await mayTalk(world, actor.userId, actor.external, answer))) return;
        return onSubcommand(subcommand, { userId: actor.userId, channel }, world, answer);
      }
      await intake.take(
        {
          key,
          text,
          via: 'command',
          requester: actor.userId,
          external: actor.external,
          channel,
          threadTs: null,
          quoted: null,
        },
        (message) => gateway.respond(responseUrl, message),
      );
    },
    mention: async (event) => {
      const { channel, threadTs, actor } = event;
      const say: Say = (message) => gateway.ephemeral({ channel, userId: actor.userId, message, threadTs });
      if (await conversations.heard({ ...event, mentioned: true }, say)) return;
      await intake.take(
        {
          key: event.key,
          text: event.text,
          via: 'mention',
          requester: actor.userId,
          external: actor.external,
          channel,
          threadTs,
          quoted: null,
        },
        say,
      );
    },
    reply: async (event) => {
      const say: Say = (message) =>
        gateway.ephemeral({
          channel: event.channel,
          userId: event.actor.userId,
          message,
          threadTs: event.threadTs,
        });
      await conversations.heard({ ...event, mentioned: false }, say);
    },
    shortcut: async ({ key, actor, channel, message, responseUrl }) => {
      const via: Via = 'shortcut';
      const threadTs = message.threadTs ?? message.ts;
      const quoted = message.text;
      await intake.take(
        { key, text: '', via, requester: actor.userId, external: actor.external, channel, threadTs, quoted },
        (words) => gateway.respond(responseUrl, words),
      );
    },
    home: ({ actor }) => homes.show(actor.userId),
    action: (event) => onAction(event, deps),
    submit: (event) => onSubmit(event, deps),
    failed,
    stillWorking: () => ({
      type: 'modal',
      title: plain('One moment', 24),
      close: plain('Close', 24),
      blocks: [rich([line('Still working on it. The thread shows what comes of it.')])],
    }),
  };
}

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

async function onAction(event: ActionEvent, deps: HandlerDeps): Promise<void> {
  const { decisions, conversations, world } = deps;
  const { actor, value, triggerId, actionId } = event;
  const say = sayTo(event, deps);
  const click = { teamId: world.teamId, userId: actor.userId, external: actor.external, value };
  const { manifests } = world.catalogue;
  if (actionId.startsWith(actionIds.clarify)) return conversations.clicked(event, say);
  switch (actionId) {
    case actionIds.approve:
      await decisions.onApprove({ ...click, from: 'card' }, say);
      return;
    case actionIds.dryRun:
      return decisions.onDryRun(click, say);
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
  const click = {
    teamId: world.teamId,
    userId: actor.userId,
    external: actor.external,
    value: view.privateMetadata,
  };
  const revision = await decisions.openCard(click, async () => undefined);
  if (revision === null) return;
  const { manifests } = world.catalogue;
  await world.gateway.updateView(
    view,
    editModal(revision, { manifests, catalogue: world.catalogue, step: value }),
  );
}

const closed: SubmitAnswer['answer'] = { kind: 'close' };

async function onSubmit(event: SubmitEvent, deps: HandlerDeps): Promise<SubmitAnswer> {
  const { world, decisions } = deps;
  const { view, actor } = event;
  const click = {
    teamId: world.teamId,
    userId: actor.userId,
    external: actor.external,
    value: view.privateMetadata,
  };
  const say: Say = async (message) => {
    const direct = await world.gateway.openDirect(actor.userId);
    await world.gateway.post({ channel: direct, message, key: `private:${sha256(event.key).slice(0, 16)}` });
  };
  switch (view.callbackId) {
    case viewIds.reject: {
      const read = readReject(view.values);
      if (!read.ok) return { answer: { kind: 'errors', errors: read.errors } };
      return { answer: closed, work: () => decisions.onReject({ ...click, reason: read.reason }, say) };
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
        work: async () => void (await decisions.onApprove({ ...click, from: 'details' }, say)),
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
  click: Parameters<Decisions['openCard']>[0],
  say: Say,
  { decisions, pipeline, world, conversations }: HandlerDeps,
): Promise<SubmitAnswer> {
  const revision = await decisions.openCard(click, say);
  if (revision === null) return { answer: closed };
  const read = readEdit(view.values, revision, world.catalogue.manifests);
  if (!read.ok) return { answer: { kind: 'errors', errors: read.errors } };
  if (read.changed) {
    const { findings } = pipeline.review(read.draft);
    if (findings.length > 0)
      return { answer: { kind: 'errors', errors: findingErrors(findings, view.values) } };
  }
  const ref = readCardRef(view.privateMetadata);
  const turn = { ...firstTurn(actor.userId), basedOn: revision, change: read.words };
  return {
    answer: closed,
    work: async () => {
      const request: Request | null = ref && (await conversations.requestOf(ref.requestId));
      if (request === null) return;
      if (read.words === null) await pipeline.edited(request, read.draft, turn, say);
      else await conversations.change(request, turn, read.draft, say);
    },
  };
}
