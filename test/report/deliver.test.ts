import { afterEach, describe, expect, it } from 'vitest';
import { actionIds } from '../../src/blocks/ids.ts';
import { actions, button, header } from '../../src/blocks/layout.ts';
import type { Message } from '../../src/blocks/message.ts';
import { line, rich } from '../../src/blocks/rich.ts';
import { VendorError } from '../../src/core/errors.ts';
import { startDelivery } from '../../src/report/deliver.ts';
import { knownRows } from '../../src/report/known-rows.ts';
import { refusedTypes } from '../../src/report/refused-types.ts';
import { openDatabase } from '../../src/store/database.ts';
import { due } from '../../src/store/outbox-delivery.ts';
import { keepingLog, startWorkspace, until } from '../support/slack-workspace.ts';
import { openTestStore, TEAM } from '../support/store.ts';
import { kickOften, openDelivery, say } from './delivery.ts';

const store = openTestStore();
const planMessage: Message = {
  text: 'running',
  blocks: [
    {
      type: 'plan',
      block_id: 'steps',
      title: 'Running',
      tasks: [{ type: 'task_card', task_id: 'a', title: 'Count', status: 'pending' }],
    },
  ],
};
const long = Array.from({ length: 51 }, () => header('x'));
const approve = actions([button({ text: 'Approve', action: actionIds.approve, value: 'x' })], 'decide');
const openCard: Message = { text: 'a card', blocks: [...long, approve] };
const posting = { vendor: 'slack', match: { path: '/api/chat.postMessage' } } as const;

let open: Awaited<ReturnType<typeof openDelivery>> | null = null;

afterEach(async () => {
  await open?.stop();
  open = null;
});

type Options = Parameters<typeof openDelivery>;

async function begin(options?: Options[1], office?: Options[2]) {
  open = await openDelivery(store.db(), options, office);
  return open;
}

describe('the delivery', () => {
  it('posts the card, changes it in place, and puts the rest into its thread in order', async () => {
    const { add, settled, delivery, botMessages, card, thread } = await begin();
    await add({ key: 'card', kind: 'card', place: card, message: say('the card') });
    await add({ key: 'reply:1', kind: 'reply', place: thread, message: say('first') });
    await add({ key: 'state', kind: 'update', place: card, message: say('running') });
    await add({ key: 'reply:2', kind: 'reply', place: thread, message: say('second') });
    await add({ key: 'final', kind: 'final', place: thread, message: say('done') });
    delivery.kick();
    await settled();
    const [root, ...replies] = botMessages('C0OPS');
    expect(root).toMatchObject({ text: 'running', edited: true });
    expect(replies.map((reply) => reply.text)).toEqual(['first', 'second', 'done']);
    expect(replies.every((reply) => reply.threadTs === root?.ts)).toBe(true);
  });

  it('says nothing twice when answers are lost, and nothing is lost while Slack is away for hours', async () => {
    const { add, settled, botMessages, faults, clock, dead, delivery, card, thread, rows } = await begin({
      timeoutMs: 500,
    });
    const began = clock.ms;
    faults.add({ ...posting, kind: 'lost-answer', times: 1 });
    faults.add({ ...posting, kind: 'truncate', times: 1 });
    await add({ key: 'card', kind: 'card', place: card, message: say('the card') });
    await add({ key: 'reply:1', kind: 'reply', place: thread, message: say('first') });
    await settled();
    expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['the card', 'first']);

    const away = faults.add({ vendor: 'slack', kind: 'status', status: 503 });
    await add({ key: 'state', kind: 'update', place: card, message: say('running') });
    await add({ key: 'reply:2', kind: 'reply', place: thread, message: say('second') });
    clock.ms += 4 * 60 * 60 * 1000;
    delivery.kick();
    await expect.poll(async () => (await rows())[2]?.lastError, { timeout: 20_000 }).toBeTruthy();
    // Later messages replace those that were not sent yet.
    await add({ key: 'state', kind: 'update', place: card, message: say('done') });
    faults.remove(away);
    await settled();
    expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['done', 'first', 'second']);
    expect(clock.ms - began).toBeGreaterThan(4 * 60 * 60 * 1000);
    expect(dead).toEqual([]);
  });

  it('waits as long as Slack asks it to, and other conversations do not wait with it', async () => {
    const waits: number[] = [];
    const posted: string[] = [];
    const { add, settled, clock } = await begin({}, (slack) => ({
      ...slack,
      post: async (to) => {
        posted.push(to.key);
        if (to.key === 'limited' && waits.length === 0) {
          waits.push(clock.ms);
          throw new VendorError('slack_rate_limited', 'wait', {
            retryable: true,
            mayHaveHappened: false,
            retryAfterMs: 90_000,
          });
        }
        if (to.key === 'limited') waits.push(clock.ms);
        return slack.post(to);
      },
    }));
    const place = { kind: 'channel', channel: 'C0OPS', threadTs: null } as const;
    await add(
      { key: 'limited', kind: 'private', place, message: say('a'), conversation: 'one' },
      { key: 'other', kind: 'private', place, message: say('b'), conversation: 'two' },
    );
    await settled();
    expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThanOrEqual(90_000);
    expect(posted).toEqual(['limited', 'other', 'limited']);
  });

  it('falls back to plain blocks where a workspace does not take plans, and remembers it', async () => {
    const { add, settled, botMessages, journal, card } = await begin({
      unknownBlocks: ['plan', 'task_card'],
    });
    const fallback = say('running in plain words');
    await add({ key: 'card', kind: 'card', place: card, message: say('the card') });
    await add({ key: 'state', kind: 'update', place: card, message: planMessage, fallback });
    await settled();
    expect(botMessages('C0OPS')[0]?.text).toBe('running in plain words');
    const updates = () => journal.list({ vendor: 'slack' }).filter((one) => one.path.endsWith('chat.update'));
    expect(updates()).toHaveLength(2);
    await add({ key: 'state', kind: 'update', place: card, message: planMessage, fallback: say('done') });
    await until(() => botMessages('C0OPS')[0]?.text === 'done');
    expect(updates()).toHaveLength(3);
  });

  it('shows native plans where the workspace takes them', async () => {
    const { add, settled, botMessages, card } = await begin();
    await add({ key: 'card', kind: 'card', place: card, message: say('the card') });
    await add({ key: 'state', kind: 'update', place: card, message: planMessage, fallback: say('plain') });
    await settled();
    expect(botMessages('C0OPS')[0]?.blocks[0]).toMatchObject({ type: 'plan', block_id: 'steps' });
  });

  it('gives up what can never arrive, says so, and goes on with the rest', async () => {
    const { add, settled, dead, deliveryLog, botMessages, clock, faults, delivery, card, states } =
      await begin();
    const nowhere = { kind: 'channel', channel: 'C0SUPPORT', threadTs: null } as const;
    const place = { kind: 'channel', channel: 'C0OPS', threadTs: null } as const;
    await add({ key: 'not in', kind: 'private', place: nowhere, message: say('a') });
    await add({ key: 'too large', kind: 'card', place: card, message: openCard });
    await add({ key: 'fine', kind: 'private', place, message: say('b') });
    await settled();
    expect(await states()).toEqual(['dead', 'dead', 'sent']);
    expect(dead.map(({ key }) => key)).toEqual(['not in', 'too large']);
    expect(dead[0]?.error).toMatchObject({ code: 'slack_not_in_channel' });
    expect(dead[1]?.error).toMatchObject({ code: 'blocks_do_not_fit' });
    expect(deliveryLog.lines.map((one) => one.message)).toContain('Message dropped');
    expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['b']);

    faults.add({ vendor: 'slack', kind: 'reset' });
    await add({ key: 'old news', kind: 'private', place, message: say('c') });
    clock.ms += 25 * 60 * 60 * 1000;
    delivery.kick();
    await settled();
    expect((await states()).at(-1)).toBe('dead');
    expect(dead.at(-1)?.key).toBe('old news');
  });

  it('shortens what does not fit, and says so; a card that can be approved is shown whole or not at all', async () => {
    const { add, settled, dead, botMessages, card, states } = await begin();
    const place = { kind: 'channel', channel: 'C0OPS', threadTs: null } as const;
    await add({ key: 'card', kind: 'card', place: card, message: openCard });
    await add({ key: 'long', kind: 'private', place, message: { text: 'long', blocks: long } });
    const wide = [rich([line('seen')]), rich([line('x'.repeat(14_000))]), rich([line('seen too')])];
    await add({ key: 'wide', kind: 'private', place, message: { text: 'wide', blocks: wide } });
    await settled();
    expect(await states()).toEqual(['dead', 'sent', 'sent']);
    expect(dead.map(({ key }) => key)).toEqual(['card']);
    const [first, second] = botMessages('C0OPS');
    expect(first?.blocks).toHaveLength(50);
    expect(JSON.stringify(first?.blocks.at(-1))).toContain('longer than Slack takes');
    expect(JSON.stringify(second?.blocks)).toMatch(/seen.*longer than Slack takes/);
  });

  it('posts nothing that another process took while this one was stalled', async () => {
    const [stalled, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let posts = 0;
    const { add, settled, delivery, clock, deliveryLog } = await begin({}, (slack) => ({
      ...slack,
      async openDirect(userId) {
        const channel = await slack.openDirect(userId);
        stalled.resolve();
        await goesOn.promise;
        return channel;
      },
      post(message) {
        posts += 1;
        return slack.post(message);
      },
    }));
    const place = { kind: 'person', userId: 'U0BEN' } as const;
    await add({ key: 'word', kind: 'reply', place, message: say('a word') });
    delivery.kick();
    await stalled.promise;
    const later = new Date(clock.ms + 7_000);
    const taken = await due(store.second(), { teamId: TEAM, now: later, limit: 1, leaseMs: 6_000 });
    expect(taken.map(({ key }) => key)).toEqual(['word']);
    clock.ms = later.getTime();
    goesOn.resolve();
    const left = 'A message is left to the process that took it over';
    await until(() => deliveryLog.lines.some(({ message }) => message === left));
    expect(posts).toBe(0);
    // The other one died, too.
    clock.ms += 7_000;
    await settled();
    expect(posts).toBe(1);
  });

  it('keeps going when the outbox itself cannot be read, and stops when told to', async () => {
    const workspace = await startWorkspace();
    const log = keepingLog();
    const db = await openDatabase({ url: store.url(), log });
    await db.destroy();
    const delivery = startDelivery({
      refused: refusedTypes(),
      ...{ db, teamId: TEAM, rows: knownRows({ db, damaged() {} }), slack: workspace.gateway, log },
      now: () => new Date(),
      onDead: async () => null,
    });
    const look = kickOften(delivery);
    try {
      await until(() => log.lines.length > 2);
      await delivery.stop();
      const after = log.lines.length;
      delivery.kick();
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(log.lines).toHaveLength(after);
      expect(log.lines[0]?.message).toBe('Could not read the outbox');
    } finally {
      clearInterval(look);
      await workspace.close();
    }
  });
});
