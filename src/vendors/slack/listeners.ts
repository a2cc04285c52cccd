import { randomUUID } from 'node:crypto';
import type { App, ViewSubmitAction } from '@slack/bolt';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { SlackHandlers } from './events.ts';
import type { SlackGateway } from './gateway.ts';
import * as read from './read-events.ts';
import { command, messageShortcut } from './required.ts';
import { Seen } from './seen.ts';
import { answerSubmit } from './submit.ts';
import { tellFailure } from './tell-failure.ts';

export interface Listening {
  readonly handlers: SlackHandlers;
  readonly gateway: SlackGateway;
  readonly log: Log;
  readonly now: () => Date;
}

/** Work in progress, so that a stop can wait for it. */
export interface Work {
  idle(): Promise<void>;
}

/**
 * Registers everything that the manifest declares. Each listener acknowledges, drops what was taken before or comes
 * from another workspace, and only then works. What throws is logged and said to the person.
 */
export function listen(app: App, options: Listening): Work {
  const { handlers, gateway, log } = options;
  const seen = new Seen(() => options.now().getTime());
  const running = new Set<Promise<void>>();

  function start(body: unknown, work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => failed(body, error))
      .finally(() => running.delete(done));
    running.add(done);
  }

  async function failed(body: unknown, error: unknown): Promise<void> {
    const reference = randomUUID().slice(0, 8);
    log.error({ reference, ...describeError(error) }, 'Handler failed');
    await tellFailure(gateway, body, handlers.failed(reference), log);
  }

  async function take<E extends { key: string }>(
    body: unknown,
    event: E | null,
    handle: (event: E) => Promise<void>,
  ): Promise<void> {
    if (event !== null && seen.first(event.key)) start(body, () => handle(event));
  }

  const identity = () => gateway.identity();
  app.command(command, async ({ body, ack }) => {
    await ack();
    await take(body, read.command(body, await identity()), handlers.command);
  });
  app.event('app_mention', async ({ body }) => {
    await take(body, read.mention(body, await identity()), handlers.mention);
  });
  app.event('message', async ({ body }) => {
    await take(body, read.direct(body, await identity()), handlers.mention);
    await take(body, read.reply(body, await identity()), handlers.reply);
  });
  app.event('app_home_opened', async ({ body }) => {
    await take(body, read.home(body, await identity()), handlers.home);
  });
  app.shortcut({ type: 'message_action', callback_id: messageShortcut }, async ({ body, ack }) => {
    await ack();
    await take(body, read.shortcut(body, await identity()), handlers.shortcut);
  });
  app.action(/.*/, async ({ body, ack }) => {
    await ack();
    await take(body, read.action(body, await identity()), handlers.action);
  });
  app.view<ViewSubmitAction>(/.*/, async ({ body, ack }) => {
    const event = read.submit(body, await identity());
    if (event === null || !seen.first(event.key)) return ack();
    const work = await answerSubmit(event, { ...options, ack });
    if (work) start(body, work);
  });
  app.error(({ error, body }: { error: Error; body: unknown }) => failed(body, error));
  return {
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
