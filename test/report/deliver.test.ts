import { afterEach, describe, expect, it } from 'vitest';
import { actionIds } from '../../src/blocks/ids.ts';
import { actions, button, header } from '../../src/blocks/layout.ts';
import type { Message } from '../../src/blocks/message.ts';
import { line, rich } from '../../src/blocks/rich.ts';
import { VendorError } from '../../src/core/errors.ts';
import { type Delivery, startDelivery } from '../../src/report/deliver.ts';
import type { PostOffice, QueuedParcel } from '../../src/report/ports.ts';
import { keepingLog, startWorkspace, type TestWorkspace, until } from '../support/slack-workspace.ts';
import { MemoryCards, MemoryOutbox } from './memory-outbox.ts';

const say = (text: string): Message => ({ text, blocks: [rich([line(text)])] });
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
const card = { kind: 'card', requestId: 'req-1', number: 1 } as const;
const thread = { kind: 'thread', requestId: 'req-1', number: 1 } as const;
const posting = { vendor: 'slack', match: { path: '/api/chat.postMessage' } } as const;

/** Stands for the clock of the process, and goes a thousand times as fast. */
const looks = new Set<NodeJS.Timeout>();
function looking(delivery: Delivery): void {
  looks.add(setInterval(() => delivery.kick(), 1));
}

let open: { workspace: TestWorkspace; delivery: Delivery } | null = null;

afterEach(async () => {
  for (const look of looks) clearInterval(look);
  await open?.delivery.stop();
  await open?.workspace.close();
  open = null;
});

/** A delivery whose clock jumps ahead whenever something has to wait, so that hours pass in no time. */
async function begin(
  options: Parameters<typeof startWorkspace>[0] = {},
  office: (slack: PostOffice) => PostOffice = (slack) => slack,
) {
  const workspace = await startWorkspace(options);
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  const outbox = new MemoryOutbox(now);
  const cards = new MemoryCards();
  const dead: { parcel: QueuedParcel; error: unknown }[] = [];
  const log = keepingLog();
  const jump = {
    due: (take: Parameters<MemoryOutbox['due']>[0]) => outbox.due(take),
    renew: (lease: Parameters<MemoryOutbox['renew']>[0]) => outbox.renew(lease),
    markSent: (sent: Parameters<MemoryOutbox['markSent']>[0]) => outbox.markSent(sent),
    markFailed: async (failed: Parameters<MemoryOutbox['markFailed']>[0]) => {
      await outbox.markFailed(failed);
      clock.ms = Math.max(clock.ms, failed.nextAttemptAt.getTime());
    },
    giveUp: (of: Parameters<MemoryOutbox['giveUp']>[0]) => outbox.giveUp(of),
  };
  const delivery = startDelivery({
    outbox: jump,
    slack: office(workspace.gateway),
    cards,
    now,
    log,
    onDead: async (parcel, error) => {
      dead.push({ parcel, error });
      return null;
    },
  });
  open = { workspace, delivery };
  looking(delivery);
  return { ...workspace, outbox, cards, dead, delivery, clock, deliveryLog: log };
}

describe('the delivery', () => {
  it('posts the card, changes it in place, and puts the rest into its thread in order', async () => {
    const { outbox, delivery, botMessages } = await begin();
    outbox.add({ key: 'card:req-1:1', kind: 'card', place: card, message: say('the card') });
    outbox.add({ key: 'reply:1', kind: 'reply', place: thread, message: say('first') });
    outbox.add({ key: 'state', kind: 'update', place: card, message: say('running') });
    outbox.add({ key: 'reply:2', kind: 'reply', place: thread, message: say('second') });
    outbox.add({ key: 'final', kind: 'final', place: thread, message: say('done') });
    delivery.kick();
    await until(() => outbox.states().every((state) => state === 'sent'));
    const [root, ...replies] = botMessages('C0OPS');
    expect(root).toMatchObject({ text: 'running', edited: true });
    expect(replies.map((reply) => reply.text)).toEqual(['first', 'second', 'done']);
    expect(replies.every((reply) => reply.threadTs === root?.ts)).toBe(true);
  });

  it('says nothing twice when answers are lost, and nothing is lost while Slack is away for hours', async () => {
    const { outbox, botMessages, faults, clock, dead, delivery } = await begin({ timeoutMs: 500 });
    const began = clock.ms;
    faults.add({ ...posting, kind: 'lost-answer', times: 1 });
    faults.add({ ...posting, kind: 'truncate', times: 1 });
    outbox.add({ key: 'card:req-1:1', kind: 'card', place: card, message: say('the card') });
    outbox.add({ key: 'reply:1', kind: 'reply', place: thread, message: say('first') });
    await until(() => outbox.states().every((state) => state === 'sent'));
    expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['the card', 'first']);

    const away = faults.add({ vendor: 'slack', kind: 'status', status: 503 });
    outbox.add({ key: 'state', kind: 'update', place: card, message: say('running') });
    outbox.add({ key: 'reply:2', kind: 'reply', place: thread, message: say('second') });
    clock.ms += 4 * 60 * 60 * 1000;
    delivery.kick();
    await until(() => outbox.rows[2]?.lastError);
    // What happens meanwhile replaces what was not sent yet.
    outbox.add({ key: 'state', kind: 'update', place: card, message: say('done') });
    faults.remove(away);
    await until(() => outbox.states().every((state) => state === 'sent'));
    expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['done', 'first', 'second']);
    expect(clock.ms - began).toBeGreaterThan(4 * 60 * 60 * 1000);
    expect(dead).toEqual([]);
  });

  it('waits as long as Slack asks it to, and other conversations do not wait with it', async () => {
    const waits: number[] = [];
    const posted: string[] = [];
    const { outbox, clock } = await begin({}, (slack) => ({
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
    outbox.add({ key: 'limited', kind: 'private', place, message: say('a'), conversation: 'one' });
    outbox.add({ key: 'other', kind: 'private', place, message: say('b'), conversation: 'two' });
    await until(() => outbox.states().every((state) => state === 'sent'));
    expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThanOrEqual(90_000);
    expect(posted).toEqual(['limited', 'other', 'limited']);
  });

  it('falls back to plain blocks where a workspace does not take plans, and remembers it', async () => {
    const { outbox, botMessages, journal } = await begin({ unknownBlocks: ['plan', 'task_card'] });
    const fallback = say('running in plain words');
    outbox.add({ key: 'card:req-1:1', kind: 'card', place: card, message: say('the card') });
    outbox.add({ key: 'state', kind: 'update', place: card, message: planMessage, fallback });
    await until(() => outbox.states().every((state) => state === 'sent'));
    expect(botMessages('C0OPS')[0]?.text).toBe('running in plain words');
    const updates = () => journal.list({ vendor: 'slack' }).filter((one) => one.path.endsWith('chat.update'));
    expect(updates()).toHaveLength(2);
    outbox.add({ key: 'state', kind: 'update', place: card, message: planMessage, fallback: say('done') });
    await until(() => botMessages('C0OPS')[0]?.text === 'done');
    expect(updates()).toHaveLength(3);
  });

  it('shows native plans where the workspace takes them', async () => {
    const { outbox, botMessages } = await begin();
    outbox.add({ key: 'card:req-1:1', kind: 'card', place: card, message: say('the card') });
    outbox.add({ key: 'state', kind: 'update', place: card, message: planMessage, fallback: say('plain') });
    await until(() => outbox.states().every((state) => state === 'sent'));
    expect(botMessages('C0OPS')[0]?.blocks[0]).toMatchObject({ type: 'plan', block_id: 'steps' });
  });

  it('gives up what can never arrive, says so, and goes on with the rest', async () => {
    const { outbox, dead, deliveryLog, botMessages, clock, faults, delivery } = await begin();
    const nowhere = { kind: 'channel', channel: 'C0SUPPORT', threadTs: null } as const;
    const place = { kind: 'channel', channel: 'C0OPS', threadTs: null } as const;
    outbox.add({ key: 'not in', kind: 'private', place: nowhere, message: say('a') });
    outbox.add({ key: 'too large', kind: 'card', place: card, message: openCard });
    outbox.add({ key: 'fine', kind: 'private', place, message: say('b') });
    await until(() => outbox.states().at(-1) === 'sent');
    expect(outbox.states()).toEqual(['dead', 'dead', 'sent']);
    expect(dead.map(({ parcel }) => parcel.key)).toEqual(['not in', 'too large']);
    expect(dead[0]?.error).toMatchObject({ code: 'slack_not_in_channel' });
    expect(dead[1]?.error).toMatchObject({ code: 'blocks_do_not_fit' });
    expect(deliveryLog.lines.map((one) => one.message)).toContain('Message dropped');
    expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['b']);

    faults.add({ vendor: 'slack', kind: 'reset' });
    outbox.add({ key: 'old news', kind: 'private', place, message: say('c') });
    clock.ms += 25 * 60 * 60 * 1000;
    delivery.kick();
    await until(() => outbox.states().at(-1) === 'dead');
    expect(dead.at(-1)?.parcel.key).toBe('old news');
  });

  it('shortens what does not fit, and says so; a card that waits for a yes is shown whole or not at all', async () => {
    const { outbox, dead, botMessages } = await begin();
    const place = { kind: 'channel', channel: 'C0OPS', threadTs: null } as const;
    outbox.add({ key: 'card:req-1:1', kind: 'card', place: card, message: openCard });
    outbox.add({ key: 'long', kind: 'private', place, message: { text: 'long', blocks: long } });
    const wide = [rich([line('seen')]), rich([line('x'.repeat(14_000))]), rich([line('seen too')])];
    outbox.add({ key: 'wide', kind: 'private', place, message: { text: 'wide', blocks: wide } });
    await until(() => outbox.states().every((state) => state !== 'pending'));
    expect(outbox.states()).toEqual(['dead', 'sent', 'sent']);
    expect(dead.map(({ parcel }) => parcel.key)).toEqual(['card:req-1:1']);
    const [first, second] = botMessages('C0OPS');
    expect(first?.blocks).toHaveLength(50);
    expect(JSON.stringify(first?.blocks.at(-1))).toContain('longer than Slack takes');
    expect(JSON.stringify(second?.blocks)).toMatch(/seen.*longer than Slack takes/);
  });

  it('keeps going when the outbox itself cannot be read, and stops when told to', async () => {
    const workspace = await startWorkspace();
    const log = keepingLog();
    let reads = 0;
    const delivery = startDelivery({
      outbox: {
        due: async () => {
          reads += 1;
          throw new Error('the database is away');
        },
        renew: async () => undefined,
        markSent: async () => null,
        markFailed: async () => undefined,
        giveUp: async () => undefined,
      },
      slack: workspace.gateway,
      cards: new MemoryCards(),
      now: () => new Date(),
      log,
      onDead: async () => null,
    });
    open = { workspace, delivery };
    looking(delivery);
    await until(() => reads > 2);
    await delivery.stop();
    const after = reads;
    delivery.kick();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(reads).toBe(after);
    expect(log.lines[0]?.message).toBe('Could not read the outbox');
  });
});
