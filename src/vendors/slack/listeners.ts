import type { App, ViewSubmitAction } from '@slack/bolt';
import { ZodError } from 'zod';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { appMessage } from './app-message.ts';
import type { SlackEvent, SlackHandlers, SubmitEvent } from './events.ts';
import type { SlackGateway } from './gateway.ts';
import type { Identity } from './identity.ts';
import { command, messageShortcut } from './manifest.ts';
import { type Absence, absenceView, absenceWords, tellAbsence } from './not-installed.ts';
import * as read from './read-events.ts';
import type { Respond } from './respond.ts';
import { answerSubmit } from './submit.ts';

/** The bot in one workspace, or in all workspaces of a company. */
export interface Installation {
  readonly handlers: SlackHandlers;
  readonly gateway: SlackGateway;
}

export interface Installations {
  /** The installation a payload is for, or why there is none. */
  of(body: unknown): Promise<Installation | Absence>;
  /** Slack reports that the bot was removed there. Resolves when that is stored. */
  removed(body: unknown): Promise<void>;
}

export interface Listening {
  readonly installations: Installations;
  /** Responds to a click where there is no installation to respond with. */
  readonly respond: Respond;
  readonly log: Log;
}

/** Work in progress, which a stop can wait for. */
export interface Work {
  idle(): Promise<void>;
}

/** Its text is only visible to that person. */
type Ack = (words?: string) => Promise<void>;
/** Bolt has already acknowledged events, or `StoringApp` does so after the listeners. */
const acknowledged: Ack = async () => undefined;

/**
 * Registers everything the manifest declares. Each listener stores the event, acknowledges, and only then processes it.
 * A repeated event, or one from another workspace, is acknowledged and dropped.
 */
export function listen(app: App, options: Listening): Work {
  const { log } = options;
  const running = new Set<Promise<void>>();
  const start = (work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => log.error({ ...describeError(error) }, 'Handler failed'))
      .finally(() => running.delete(done));
    running.add(done);
  };
  const byAddress: AnswerBy = (body, ack) => async (words) => {
    await ack();
    if (words !== undefined) start(tellAbsence(body, words, options.respond, log));
  };
  const take: Take = async (body, readEvent, ack = acknowledged) => {
    const installation = await options.installations.of(body);
    if (typeof installation === 'string') {
      log.warn({ absence: installation }, 'Something came from a workspace that is not served');
      return ack(absenceWords[installation]);
    }
    const taken = await accepted(installation, body, readEvent, log);
    await ack();
    if (taken !== null) start(taken.handlers.work(taken.event));
  };
  const hearApp = async (body: unknown): Promise<void> => {
    const installation = await options.installations.of(body);
    if (typeof installation === 'string') return;
    const { handlers, gateway } = installation;
    const event = appMessage(body, await gateway.identity());
    if (event !== null && (await handlers.acceptAppMessage(event))) start(handlers.workAppMessage(event));
  };
  listenToEvents(app, byAddress, take, hearApp);
  app.event('app_uninstalled', ({ body }) => options.installations.removed(body));
  app.event('tokens_revoked', async ({ event, body }) => {
    // We have no tokens of people.
    if ((event.tokens.bot ?? []).length > 0) await options.installations.removed(body);
  });
  app.view<ViewSubmitAction>(/.*/, async ({ body, ack }) => {
    const installation = await options.installations.of(body);
    if (typeof installation === 'string')
      return ack({ response_action: 'update', view: absenceView(installation) });
    const taken = await accepted(installation, body, read.submit, log);
    if (taken === null) return ack();
    const work = await answerSubmit(taken.event, { ...taken, ack });
    start(work());
  });
  // Not acknowledged, so Slack tells the person or sends it again.
  app.error(async ({ error }: { error: Error }) => {
    log.error({ ...describeError(error) }, 'Something from Slack could not be stored');
    throw error;
  });
  return {
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/** Null when there is nothing to do: it is not for us, repeated, or something Slack never sends. */
async function accepted<E extends SlackEvent>(
  installation: Installation,
  body: unknown,
  readEvent: ReadEvent<E>,
  log: Log,
): Promise<(Installation & { readonly event: E }) | null> {
  const { handlers, gateway } = installation;
  const bot = await gateway.identity();
  try {
    const event = readEvent(body, bot);
    return event !== null && (await handlers.accept(event)) ? { ...installation, event } : null;
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    log.warn({ ...describeError(error) }, 'A payload could not be read');
    return null;
  }
}

/** Acknowledges without text, and sends the text to the address in the payload. */
type AnswerBy = (body: unknown, ack: () => Promise<void>) => Ack;
type ReadEvent<E> = (body: unknown, bot: Identity) => E | null;
type Take = (
  body: unknown,
  readEvent: ReadEvent<Exclude<SlackEvent, SubmitEvent>>,
  ack?: Ack,
) => Promise<void>;

function listenToEvents(
  app: App,
  byAddress: AnswerBy,
  take: Take,
  hearApp: (body: unknown) => Promise<void>,
): void {
  app.command(command, ({ body, ack }) => take(body, read.command, (words) => ack(words)));
  app.event('app_mention', ({ body }) => take(body, read.mention));
  app.event('message', async ({ body }) => {
    await take(body, read.direct);
    await take(body, read.reply);
    await hearApp(body);
  });
  app.event('agent_session_stopped', ({ body }) => take(body, read.stop));
  app.event('app_home_opened', ({ body }) => take(body, read.home));
  app.shortcut({ type: 'message_action', callback_id: messageShortcut }, ({ body, ack }) =>
    take(body, read.shortcut, byAddress(body, ack)),
  );
  app.action(/.*/, ({ body, ack }) => take(body, read.action, byAddress(body, ack)));
}
