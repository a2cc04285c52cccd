import { actionIds } from '../blocks/ids.ts';
import type { Say } from '../blocks/message.ts';
import { buildAlertRules, slackDoors } from '../config/build-alerts.ts';
import { labelsIn } from '../core/alert.ts';
import { showHome, suggestRequests } from '../history/home.ts';
import { reportMissedEvents } from '../report/operator-notices.ts';
import { stillWorking } from '../report/undeliverable.ts';
import { requestIdOf } from '../request/intake.ts';
import { readSubcommand } from '../request/subcommand.ts';
import { onlyForPeople } from '../request/words.ts';
import type { AlertTaker } from '../vendors/alerts/route.ts';
import { alertIn } from '../vendors/alerts/slack-message.ts';
import type {
  AppMessageEvent,
  MentionEvent,
  ReplyEvent,
  SlackEvent,
  SlackHandlers,
  StopEvent,
} from '../vendors/slack/events.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { type NameOf, withLabels } from '../vendors/slack/references.ts';
import { lookAhead, onAction } from './clicks.ts';
import { asked } from './commands.ts';
import { onSubmit } from './forms.ts';
import type { Arrivals } from './inbox.ts';
import type { EventContext } from './process-context.ts';
import { homeDeps } from './stage-contexts.ts';

/** The bot's handlers for Slack's events: each event goes to the pipeline. */
export function slackHandlers(
  context: EventContext,
  inbox: Arrivals,
  { accept, work }: Pick<AlertTaker, 'accept' | 'work'>,
): SlackHandlers {
  const doors = slackDoors(context.config);
  const needed = labelsIn(buildAlertRules(context.config).rules);
  const alertsIn = (event: AppMessageEvent) => doors.flatMap((door) => alertIn(event, door, needed) ?? []);
  return {
    async acceptAppMessage(event) {
      const stored = await Promise.all(alertsIn(event).map(accept));
      return stored.includes(true);
    },
    workAppMessage: async (event) => void (await Promise.all(alertsIn(event).map(work))),
    accept(event) {
      if (event.type === 'action') lookAhead(event, context.approval);
      return inbox.accept(event);
    },
    work: (event) => inbox.process(event, () => handle(event, context)),
    async submit(event) {
      const { answer, work } = await onSubmit(event, context);
      return { answer, work: () => inbox.process(event, work) };
    },
    missed: (minute) => reportMissedEvents(context, minute),
    stillWorking,
  };
}

/** Processes an event, including one accepted by a stopped process: then nobody waits for its form's response. */
export async function handle(arrived: SlackEvent, context: EventContext): Promise<void> {
  const { gateway, pipeline } = context;
  const event = await labelled(arrived, context);
  switch (event.type) {
    case 'command':
      return asked(
        { ...event, threadTs: null },
        'command',
        (message) => gateway.respond(event.responseUrl, message),
        context,
      );
    case 'mention': {
      const say = whisper(event, gateway);
      // A direct message starts its own thread, which is about nothing else yet.
      const isFirst = event.threadTs === event.ts;
      const isOurs =
        isFirst ||
        readSubcommand(event.text)?.kind === 'catch_up' ||
        !(await heard(event, true, say, context));
      if (isOurs) await asked(event, 'mention', say, context);
      return;
    }
    case 'bot_mention': {
      const { channel, ts, key, actor } = event;
      const isAlert = slackDoors(context.config).some(
        ({ channels, apps }) => channels.has(channel) && (apps === null || apps.has(actor.userId)),
      );
      const place = { kind: 'channel', channel, threadTs: ts } as const;
      if (!isAlert) await context.reporting.send(context.teamId, place, key, onlyForPeople());
      return;
    }
    case 'reply':
      await heard(event, false, whisper(event, gateway), context);
      return;
    case 'shortcut': {
      const { key, actor, channel, message, responseUrl } = event;
      const about = { via: 'shortcut', requester: actor.userId, home: actor.home } as const;
      const threadTs = message.threadTs ?? message.ts;
      const say: Say = (words) => gateway.respond(responseUrl, words);
      context.replies.set(requestIdOf(actor.teamId, key), say);
      return pipeline.submitted({ ...about, key, text: '', channel, threadTs, quoted: message.text }, say);
    }
    case 'home':
      return event.messages === undefined
        ? showHome(event.actor, homeOf(context))
        : suggestRequests(event.actor, event.messages, homeOf(context));
    case 'stop': {
      const { actor, channel, threadTs } = event;
      return pipeline.stoppedInThread({ ...actor, channel, threadTs }, whisper(event, gateway));
    }
    case 'action':
      await onAction(event, context);
      // Ended in the App Home, which is refreshed.
      if (event.actionId === actionIds.endWatch && event.message === null)
        await showHome(event.actor, homeOf(context));
      return;
    case 'submit':
      return (await onSubmit(event, context)).work();
    default:
      event satisfies never;
      throw new TypeError('Another version accepted this, and this one cannot read it.');
  }
}

/** The event with the names of everything that its text refers to; the operator's names come first. */
async function labelled(event: SlackEvent, { gateway, catalogue }: EventContext): Promise<SlackEvent> {
  const nameOf: NameOf = async (kind, id) =>
    (kind === 'user' ? catalogue.people.find((one) => one.id === id)?.handle : undefined) ??
    (kind === 'channel' ? catalogue.channels.find((one) => one.id === id)?.name : undefined) ??
    gateway.nameOf(kind, id);
  if ('text' in event) return { ...event, text: await withLabels(event.text, nameOf) };
  if (event.type !== 'shortcut') return event;
  return { ...event, message: { ...event.message, text: await withLabels(event.message.text, nameOf) } };
}

function homeOf({ about, people, approval: { rules }, gateway }: EventContext) {
  return homeDeps(about, { people, rules }, gateway);
}

/** To the person alone, where they wrote. */
function whisper(
  { channel, threadTs, actor }: MentionEvent | ReplyEvent | StopEvent,
  gateway: SlackGateway,
): Say {
  return (message) => gateway.ephemeral({ channel, userId: actor.userId, message, threadTs });
}

/** True when a message in a thread belonged to a request and was handled. */
async function heard(
  { key, actor, channel, ts, threadTs, text }: MentionEvent | ReplyEvent,
  mentioned: boolean,
  say: Say,
  { pipeline }: EventContext,
): Promise<boolean> {
  return (
    threadTs !== null &&
    pipeline.threadMessage({ ...actor, key, channel, ts, threadTs, text, mentioned }, say)
  );
}
