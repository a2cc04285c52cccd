import type { Via } from '../core/request.ts';
import type { Say } from '../pipeline.ts';
import { failed } from '../report/private.ts';
import { readSubcommand } from '../request/subcommand.ts';
import { plain } from '../slack/blocks/layout.ts';
import { line, rich } from '../slack/blocks/rich.ts';
import type { SlackHandlers } from '../slack/events.ts';
import { onAction } from './clicks.ts';
import { onSubmit } from './forms.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { mayTalk } from './people.ts';
import { onSubcommand } from './playbooks.ts';

/** What the bot does with everything that Slack sends. */
export function createSlackHandlers(deps: HandlerDeps): SlackHandlers {
  const { world, conversations, intake, homes } = deps;
  const { gateway } = world;
  return {
    command: async ({ key, actor, channel, text, responseUrl }) => {
      const subcommand = readSubcommand(text);
      if (subcommand !== null) {
        const answer: Say = (message) => gateway.respond(responseUrl, message);
        if (!(await mayTalk(world, actor, answer))) return;
        return onSubcommand(subcommand, { userId: actor.userId, channel }, world, answer);
      }
      await intake.take(
        {
          key,
          text,
          via: 'command',
          requester: actor.userId,
          home: actor.home,
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
      const subcommand = readSubcommand(event.text);
      if (subcommand !== null) {
        if (!(await mayTalk(world, actor, say))) return;
        return onSubcommand(subcommand, { userId: actor.userId, channel }, world, say);
      }
      await intake.take(
        {
          key: event.key,
          text: event.text,
          via: 'mention',
          requester: actor.userId,
          home: actor.home,
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
        { key, text: '', via, requester: actor.userId, home: actor.home, channel, threadTs, quoted },
        (words) => gateway.respond(responseUrl, words),
      );
    },
    home: ({ actor }) => homes.show(actor),
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
