import { actionIds } from '../blocks/ids.ts';
import type { Say } from '../blocks/message.ts';
import type { Via } from '../core/request.ts';
import { type HomeDeps, showHome } from '../history/home.ts';
import { stillWorking } from '../report/undeliverable.ts';
import { requestIdOf } from '../request/intake.ts';
import { formFor } from '../request/plan-form.ts';
import { readSubcommand } from '../request/subcommand.ts';
import type { MentionEvent, ReplyEvent, SlackEvent, SlackHandlers } from '../vendors/slack/events.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { onAction } from './clicks.ts';
import { onCommand } from './commands.ts';
import { type FormDeps, onSubmit } from './forms.ts';
import type { Arrivals } from './inbox.ts';
import type { Replies } from './process-context.ts';

export interface SlackEventDeps extends FormDeps {
  readonly inbox: Arrivals;
  readonly home: HomeDeps;
  readonly replies: Replies;
  readonly missed: SlackHandlers['missed'];
}

/** The bot's handlers for Slack's events: each event goes to the pipeline. */
export function slackHandlers(deps: SlackEventDeps): SlackHandlers {
  const { inbox } = deps;
  return {
    accept: (event) => inbox.accept(event),
    work: (event) => inbox.process(event, () => handle(event, deps)),
    async submit(event) {
      const { answer, work } = await onSubmit(event, deps);
      return { answer, work: () => inbox.process(event, work) };
    },
    missed: deps.missed,
    stillWorking,
  };
}

/** Processes an event, including one accepted by a stopped process: then nobody waits for its form's response. */
export async function handle(event: SlackEvent, deps: SlackEventDeps): Promise<void> {
  const { gateway, pipeline } = deps;
  switch (event.type) {
    case 'command':
      return asked(
        { ...event, threadTs: null },
        'command',
        (message) => gateway.respond(event.responseUrl, message),
        deps,
      );
    case 'mention': {
      const say = whisper(event, gateway);
      if (!(await heard(event, true, say, deps))) await asked(event, 'mention', say, deps);
      return;
    }
    case 'reply':
      await heard(event, false, whisper(event, gateway), deps);
      return;
    case 'shortcut': {
      const { key, actor, channel, message, responseUrl } = event;
      const about = { via: 'shortcut', requester: actor.userId, home: actor.home } as const;
      const threadTs = message.threadTs ?? message.ts;
      const say: Say = (words) => gateway.respond(responseUrl, words);
      deps.replies.set(requestIdOf(actor.teamId, key), say);
      return pipeline.submitted({ ...about, key, text: '', channel, threadTs, quoted: message.text }, say);
    }
    case 'home':
      return showHome(event.actor, deps.home);
    case 'action':
      await onAction(event, deps);
      // Ended in the App Home, which is refreshed.
      if (event.actionId === actionIds.endWatch && event.message === null)
        await showHome(event.actor, deps.home);
      return;
    case 'submit':
      return (await onSubmit(event, deps)).work();
    default:
      event satisfies never;
      throw new TypeError('Another version accepted this, and this one cannot read it.');
  }
}

/** To the person alone, where they wrote. */
function whisper({ channel, threadTs, actor }: MentionEvent | ReplyEvent, gateway: SlackGateway): Say {
  return (message) => gateway.ephemeral({ channel, userId: actor.userId, message, threadTs });
}

/** True when a message in a thread belonged to a request and was handled. */
async function heard(
  { key, actor, channel, threadTs, text }: MentionEvent | ReplyEvent,
  mentioned: boolean,
  say: Say,
  { pipeline }: SlackEventDeps,
): Promise<boolean> {
  return threadTs !== null && pipeline.heard({ ...actor, key, channel, threadTs, text, mentioned }, say);
}

/** Text typed to the bot: one of its own words, or a goal. */
async function asked(
  {
    key,
    actor,
    channel,
    threadTs,
    text,
    triggerId = null,
  }: Pick<MentionEvent, 'key' | 'actor' | 'channel' | 'threadTs' | 'text'> & { triggerId?: string | null },
  via: Via,
  say: Say,
  deps: SlackEventDeps,
): Promise<void> {
  const { pipeline, mayAsk, replies } = deps;
  const { userId: requester, home } = actor;
  const subcommand = readSubcommand(text);
  if (subcommand !== null) {
    if (await mayAsk(actor, say))
      await onCommand(subcommand, { ...actor, key, channel, triggerId }, deps, say);
    return;
  }
  if (text.trim() === '' && triggerId !== null) {
    if (await mayAsk(actor, say)) {
      await deps.gateway.openView(triggerId, await formFor(requester, channel, null, deps.asking));
    }
    return;
  }
  replies.set(requestIdOf(actor.teamId, key), say);
  await pipeline.submitted({ key, text, via, requester, home, channel, threadTs, quoted: null }, say);
}
