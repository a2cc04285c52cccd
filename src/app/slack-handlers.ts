import { plain } from '../blocks/layout.ts';
import { line, rich } from '../blocks/rich.ts';
import type { Via } from '../core/request.ts';
import type { Say } from '../pipeline.ts';
import { failed } from '../report/private.ts';
import { readSubcommand } from '../request/subcommand.ts';
import type { MentionEvent, ReplyEvent, SlackHandlers } from '../vendors/slack/events.ts';
import { onAction } from './clicks.ts';
import { heard } from './conversations.ts';
import { onSubmit } from './forms.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { showHome } from './home.ts';
import { tellMissedEvents } from './missed-events.ts';
import { mayTalk } from './people.ts';
import { onSubcommand } from './playbooks.ts';
import type { World } from './world.ts';

/** What the bot does with everything that Slack sends. */
export function createSlackHandlers(deps: HandlerDeps): SlackHandlers {
  const { world, intake } = deps;
  const { gateway } = world;
  return {
    command: (event) => {
      const say: Say = (message) => gateway.respond(event.responseUrl, message);
      return asked({ ...event, threadTs: null }, 'command', say, deps);
    },
    mention: async (event) => {
      const say = whisper(event, world);
      if (!(await heard(deps, { ...event, mentioned: true }, say))) await asked(event, 'mention', say, deps);
    },
    reply: async (event) => {
      await heard(deps, { ...event, mentioned: false }, whisper(event, world));
    },
    shortcut: async ({ key, actor, channel, message, responseUrl }) => {
      const about = { via: 'shortcut', requester: actor.userId, home: actor.home } as const;
      const threadTs = message.threadTs ?? message.ts;
      await intake.take({ ...about, key, text: '', channel, threadTs, quoted: message.text }, (words) =>
        gateway.respond(responseUrl, words),
      );
    },
    home: ({ actor }) => showHome(world, actor),
    action: (event) => onAction(event, deps),
    submit: (event) => onSubmit(event, deps),
    missed: (minute) => tellMissedEvents(world, minute),
    failed,
    stillWorking: () => ({
      type: 'modal',
      title: plain('One moment', 24),
      close: plain('Close', 24),
      blocks: [rich([line('Still working on it. The thread shows what comes of it.')])],
    }),
  };
}

/** To the person alone, where they wrote. */
function whisper({ channel, threadTs, actor }: MentionEvent | ReplyEvent, { gateway }: World): Say {
  return (message) => gateway.ephemeral({ channel, userId: actor.userId, message, threadTs });
}

/** What somebody typed to the bot: one of its own words, or a goal. */
async function asked(
  { key, actor, channel, threadTs, text }: Omit<MentionEvent, 'ts'>,
  via: Via,
  say: Say,
  { world, intake }: HandlerDeps,
): Promise<void> {
  const { userId: requester, home } = actor;
  const subcommand = readSubcommand(text);
  if (subcommand === null) {
    await intake.take({ key, text, via, requester, home, channel, threadTs, quoted: null }, say);
  } else if (await mayTalk(world, actor, say)) {
    await onSubcommand(subcommand, { userId: requester, channel }, world, say);
  }
}
