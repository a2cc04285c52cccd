import { expect } from 'vitest';
import type { Message } from '../../src/blocks/message.ts';
import { line, rich } from '../../src/blocks/rich.ts';
import type { Log } from '../../src/core/log.ts';
import { type Delivery, startDelivery } from '../../src/report/deliver.ts';
import { knownRows } from '../../src/report/known-rows.ts';
import { refusedTypes } from '../../src/report/refused-types.ts';
import type { SlackPort } from '../../src/report/send.ts';
import * as outbox from '../../src/store/outbox.ts';
import { type Payload, queued } from '../../src/store/outbox-messages.ts';
import { propose } from '../../src/store/propose.ts';
import type { Db, OutboxKind, OutboxRow } from '../../src/store/tables.ts';
import { keepingLog, startWorkspace } from '../support/slack-workspace.ts';
import { givenRequest, revisionOf, TEAM } from '../support/store.ts';

export const say = (text: string): Message => ({ text, blocks: [rich([line(text)])] });

interface Added extends Partial<Payload> {
  readonly key: string;
  readonly kind: OutboxKind;
  readonly place: Payload['place'];
  readonly message: Message;
  readonly conversation?: string;
}

let requests = 0;

/**
 * A delivery from the real outbox to a local Slack, with a request in #ops. Its clock jumps ahead whenever something
 * has to wait, so that hours pass in no time.
 */
export async function openDelivery(
  db: Db,
  options: Parameters<typeof startWorkspace>[0] = {},
  office: (slack: SlackPort) => SlackPort = (slack) => slack,
) {
  await db.deleteFrom('outbox').execute();
  requests += 1;
  const request = await givenRequest(db, `req-${requests}`, { channel: 'C0OPS' });
  await propose(db, revisionOf(request, 1));
  const workspace = await startWorkspace(options);
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  const log = keepingLog();
  const jumping: Log = {
    ...log,
    warn(facts, message) {
      log.warn(facts, message);
      if (message === 'Message delivery postponed') clock.ms += Number(facts.waitMs);
    },
    info(facts, message) {
      log.info(facts, message);
      // The clock jumped while it was sent, so its lease was over and has to end once more.
      if (facts.key !== undefined && message.startsWith('A message is left to')) clock.ms += 6_000;
    },
  };
  const dead: { key: string; error: unknown }[] = [];
  const delivery = startDelivery({
    refused: refusedTypes(),
    ...{ db, teamId: TEAM, rows: knownRows({ db, damaged() {} }), now, log: jumping },
    slack: office(workspace.gateway),
    async onDead({ key }, error) {
      dead.push({ key, error });
      return null;
    },
  });
  const add = (...all: readonly Added[]) =>
    outbox.enqueueAll(
      db,
      all.map(({ key, kind, place, message, fallback = null, conversation = request.id }) =>
        queued({ teamId: TEAM, conversation, key, kind, payload: { place, message, fallback } }, now()),
      ),
    );
  const rows = (): Promise<OutboxRow[]> => db.selectFrom('outbox').selectAll().orderBy('id').execute();
  const states = async () => (await rows()).map(({ state }) => state);
  /** Waits until nothing is to be sent any more. */
  const settled = () =>
    expect
      .poll(async () => (await states()).includes('pending'), { timeout: 20_000, interval: 2 })
      .toBe(false);
  const look = kickOften(delivery);
  return {
    ...{ ...workspace, add, rows, states, settled, dead, delivery, clock, deliveryLog: log },
    card: { kind: 'card', requestId: request.id, number: 1 } as const,
    thread: { kind: 'thread', requestId: request.id, number: 1 } as const,
    async stop() {
      clearInterval(look);
      await delivery.stop();
      await workspace.close();
    },
  };
}

/** Stands for the clock of the process, and goes a thousand times as fast. */
export function kickOften(delivery: Delivery): NodeJS.Timeout {
  return setInterval(() => delivery.kick(), 1);
}
