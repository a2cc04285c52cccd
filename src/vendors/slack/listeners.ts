import type { App, ViewSubmitAction } from '@slack/bolt';
import { ZodError } from 'zod';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { SlackEvent, SlackHandlers, SubmitEvent } from './events.ts';
import type { Identity, SlackGateway } from './gateway.ts';
import * as read from './read-events.ts';
import { command, messageShortcut } from './required.ts';
import { answerSubmit } from './submit.ts';

export interface Listening {
  readonly handlers: SlackHandlers;
  readonly gateway: SlackGateway;
  readonly log: Log;
}

/** Work in progress, so that a stop can wait for it. */
export interface Work {
  idle(): Promise<void>;
}

type Ack = () => Promise<void>;
/** Bolt has acknowledged events already, or `StoringApp` does it when the listeners are through. */
const acknowledged: Ack = async () => undefined;

/**
 * Registers everything that the manifest declares. Each listener stores what came, acknowledges, and only then works.
 * What was taken before or comes from another workspace is acknowledged and dropped.
 */
export function listen(app: App, options: Listening): Work {
  const { handlers, log } = options;
  const running = new Set<Promise<void>>();
  const start = (work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => log.error({ ...describeError(error) }, 'Handler failed'))
      .finally(() => running.delete(done));
    running.add(done);
  };
  listenToEvents(app, async (readEvent, ack = acknowledged) => {
    const event = await accepted(options, readEvent);
    await ack();
    if (event !== null) start(handlers.work(event));
  });
  app.view<ViewSubmitAction>(/.*/, async ({ body, ack }) => {
    const event = await accepted(options, (bot) => read.submit(body, bot));
    if (event === null) return ack();
    const work = await answerSubmit(event, { ...options, ack });
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

/** Null where there is nothing to do: it is not for us, came before, or is something that Slack never sends. */
async function accepted<E extends SlackEvent>(
  { handlers, gateway, log }: Listening,
  readEvent: ReadEvent<E>,
): Promise<E | null> {
  const bot = await gateway.identity();
  try {
    const event = readEvent(bot);
    return event !== null && (await handlers.accept(event)) ? event : null;
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    log.warn({ ...describeError(error) }, 'A payload could not be read');
    return null;
  }
}

type ReadEvent<E> = (bot: Identity) => E | null;
type Take = (readEvent: ReadEvent<Exclude<SlackEvent, SubmitEvent>>, ack?: Ack) => Promise<void>;

function listenToEvents(app: App, take: Take): void {
  app.command(command, ({ body, ack }) => take((bot) => read.command(body, bot), ack));
  app.event('app_mention', ({ body }) => take((bot) => read.mention(body, bot)));
  app.event('message', async ({ body }) => {
    await take((bot) => read.direct(body, bot));
    await take((bot) => read.reply(body, bot));
  });
  app.event('app_home_opened', ({ body }) => take((bot) => read.home(body, bot)));
  app.shortcut({ type: 'message_action', callback_id: messageShortcut }, ({ body, ack }) =>
    take((bot) => read.shortcut(body, bot), ack),
  );
  app.action(/.*/, ({ body, ack }) => take((bot) => read.action(body, bot), ack));
}
