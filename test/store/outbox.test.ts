import { beforeEach, expect, test } from 'vitest';
import * as outbox from '../../src/store/outbox.ts';
import * as delivery from '../../src/store/outbox-delivery.ts';
import type { Db, OutboxRow } from '../../src/store/tables.ts';
import { minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();
const LEASE_MS = 30_000;

beforeEach(async () => {
  await store.db().deleteFrom('outbox').execute();
});

function enqueue(
  key: string,
  changes: Partial<outbox.OutboxMessage> = {},
  db: Db = store.db(),
): Promise<outbox.EnqueueResult> {
  const message = {
    teamId: TEAM,
    conversation: 'C0INC:1.1',
    key,
    kind: 'reply',
    payload: { text: key },
    now: NOON,
  } as const;
  return outbox.enqueue(db, { ...message, ...changes });
}

function take(at: number, db: Db = store.db(), limit = 10, teamId = TEAM): Promise<OutboxRow[]> {
  return delivery.due(db, { teamId, now: minutes(at), limit, leaseMs: LEASE_MS });
}

async function sent(row: OutboxRow | undefined, sentTs: string | null, at = 1): Promise<void> {
  if (row === undefined) throw new Error('nothing was taken');
  const now = minutes(at);
  expect(await delivery.markSent(store.db(), { ...row, sentTs, now, until: null })).toBeNull();
}

test('a conversation goes out strictly in order, and a failure delays only its own', async () => {
  for (const key of ['a1', 'a2', 'a3']) await enqueue(key);
  for (const key of ['b1', 'b2']) await enqueue(key, { conversation: 'C0OPS:2.2' });
  const keys = async (at: number) => (await take(at)).map((row) => row.key);

  const [a1, b1] = await take(0);
  expect([a1?.key, b1?.key]).toEqual(['a1', 'b1']);
  expect(a1).toMatchObject({
    attempts: 1,
    version: 1,
    state: 'pending',
    payload: { text: 'a1' },
    sentTs: null,
  });
  // All heads are in flight: nothing may overtake them.
  expect(await keys(0)).toEqual([]);

  await sent(b1, '2.5');
  await delivery.markFailed(store.db(), {
    id: a1?.id ?? 0,
    error: 'ratelimited',
    nextAttemptAt: minutes(10),
  });
  expect(await keys(1)).toEqual(['b2']);

  const [again] = (await take(10)).filter((row) => row.conversation === 'C0INC:1.1');
  expect(again).toMatchObject({ key: 'a1', attempts: 2, lastError: 'ratelimited' });
  // Given up at last: the conversation continues without it.
  const payload = { text: 'instead' };
  const instead = {
    teamId: TEAM,
    conversation: 'a',
    key: 'lost',
    kind: 'private',
    payload,
    now: minutes(11),
  } as const;
  await delivery.giveUp(store.db(), { id: again?.id ?? 0, error: 'channel_not_found', instead });
  // The replacement is queued with it, by whichever process gave it up first.
  await delivery.giveUp(store.db(), {
    id: again?.id ?? 0,
    error: 'late',
    instead: { ...instead, key: 'lost-too' },
  });
  expect(await outbox.byKey(store.db(), TEAM, 'lost')).toMatchObject({ state: 'pending', payload });
  expect(await outbox.byKey(store.db(), TEAM, 'lost-too')).toBeNull();
  expect((await keys(11)).includes('a2')).toBe(true);
  expect(await outbox.byKey(store.db(), TEAM, 'a1')).toMatchObject({
    state: 'dead',
    lastError: 'channel_not_found',
  });
  expect(await enqueue('a1')).toBe('given_up');
});

test('concurrent senders never get the same message, and lose none', async () => {
  for (let index = 0; index < 60; index += 1) {
    await enqueue(`m${index}`, { conversation: `C${index % 12}` });
  }
  const seen: string[] = [];
  const worker = async (db: Db) => {
    // Each conversation has five messages, so the queue is empty after at most sixty fruitful rounds.
    for (let idle = 0; idle < 20; ) {
      const rows = await take(0, db, 3);
      idle = rows.length === 0 ? idle + 1 : 0;
      for (const row of rows) {
        seen.push(row.key);
        await delivery.markSent(db, { ...row, sentTs: `${row.id}`, now: minutes(0), until: null });
      }
    }
  };
  await Promise.all([store.db(), store.second(), store.db(), store.second()].map(worker));
  expect(seen).toHaveLength(60);
  expect(new Set(seen).size).toBe(60);
  for (let conversation = 0; conversation < 12; conversation += 1) {
    const order = seen.map((key) => Number(key.slice(1))).filter((index) => index % 12 === conversation);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  }
  expect(await take(60)).toEqual([]);
});

test('a sender continues with the next message of its own conversation only', async () => {
  for (const key of ['a1', 'a2', 'a3']) await enqueue(key);
  await enqueue('b1', { conversation: 'C0OPS:2.2' });
  const goOn = (row: OutboxRow | undefined | null, db: Db = store.db()) =>
    row ? delivery.markSent(db, { ...row, sentTs: '1.1', now: minutes(0), until: minutes(3) }) : null;
  const [a1] = await take(0, store.db(), 1);
  // Others cannot have it before this sender is done with it.
  expect((await take(0, store.second())).map(({ key }) => key)).toEqual(['b1']);
  const a2 = await goOn(a1);
  expect(a2).toMatchObject({ key: 'a2', attempts: 1 });
  expect((await take(2, store.second())).map(({ key }) => key)).toEqual(['b1']);
  // A message replaced meanwhile comes first.
  await enqueue('a2', { payload: { text: 'better' } });
  const again = await goOn(a2);
  expect(again).toMatchObject({
    key: 'a2',
    version: 2,
    sentTs: '1.1',
    attempts: 1,
    payload: { text: 'better' },
  });
  // A head that waits after a failure blocks the rest.
  const a3 = await goOn(again);
  await delivery.markFailed(store.db(), {
    id: a3?.id ?? 0,
    error: 'ratelimited',
    nextAttemptAt: minutes(10),
  });
  await enqueue('a4');
  expect(await goOn(again)).toBeNull();
  expect(await goOn(a3)).toMatchObject({ key: 'a4' });
});

test('a message that was taken but never marked is due again when its lease ends', async () => {
  await enqueue('lost');
  expect((await take(0)).map((row) => row.key)).toEqual(['lost']);
  expect(
    await delivery.due(store.second(), {
      teamId: TEAM,
      now: new Date(NOON.getTime() + LEASE_MS - 1),
      limit: 1,
      leaseMs: LEASE_MS,
    }),
  ).toEqual([]);
  const [row] = await delivery.due(store.second(), {
    teamId: TEAM,
    now: new Date(NOON.getTime() + LEASE_MS),
    limit: 1,
    leaseMs: LEASE_MS,
  });
  expect(row).toMatchObject({ key: 'lost', attempts: 2 });
});

test('a renewed lease keeps a message from others, and a sent message stays sent', async () => {
  await enqueue('slow');
  const [row] = await take(0);
  const claim = { id: row?.id ?? 0, attempts: 1 };
  expect(await delivery.renew(store.db(), { ...claim, until: minutes(5) })).toBe(true);
  expect(await take(4, store.second())).toEqual([]);
  expect((await take(5, store.second())).map(({ key }) => key)).toEqual(['slow']);
  expect(await delivery.renew(store.db(), { ...claim, until: minutes(9) })).toBe(false);
  await sent(row, '1.1', 6);
  expect(await delivery.renew(store.db(), { ...claim, attempts: 2, until: minutes(7) })).toBe(false);
  expect(await take(60)).toEqual([]);
});

test('a pending message is replaced by one with the same key, and a repeated step sends nothing twice', async () => {
  expect(await enqueue('reply')).toBe('queued');
  expect(await enqueue('reply')).toBe('unchanged');
  expect(await enqueue('reply', { payload: { text: 'better' } })).toBe('replaced');
  expect(await enqueue('reply', { teamId: 'T0002' })).toBe('queued');
  const rows = [...(await take(1)), ...(await take(1, store.db(), 10, 'T0002'))];
  expect(rows.map((row) => [row.teamId, row.payload, row.version])).toEqual([
    [TEAM, { text: 'better' }, 2],
    ['T0002', { text: 'reply' }, 1],
  ]);
  await sent(rows[0], '5.5');
  expect(await enqueue('reply', { payload: { text: 'once more' } })).toBe('already_sent');
  expect(await take(2)).toEqual([]);
  expect(await outbox.byKey(store.db(), TEAM, 'reply')).toMatchObject({
    sentTs: '5.5',
    payload: { text: 'better' },
  });
});

test('an update supersedes an unsent older one and may follow a sent one, after later messages', async () => {
  const update = (step: number) => enqueue('card:1', { kind: 'update', payload: { step } });
  expect(await update(1)).toBe('queued');
  expect(await update(2)).toBe('replaced');
  const [first] = await take(1);
  expect(first).toMatchObject({ payload: { step: 2 }, version: 2 });
  await sent(first, null);
  await enqueue('reply');
  expect(await update(3)).toBe('queued');
  const [reply, nothing] = await take(2);
  expect([reply?.key, nothing]).toEqual(['reply', undefined]);
  await sent(reply, '7.7', 2);
  expect(await take(3)).toMatchObject([{ key: 'card:1', payload: { step: 3 } }]);
});

test('a payload replaced during sending is sent as an edit of the posted message', async () => {
  await enqueue('card', { kind: 'card', payload: { revision: 1 } });
  const [row] = await take(1);
  expect(await enqueue('card', { kind: 'card', payload: { revision: 2 } })).toBe('replaced');
  await sent(row, '9.9');
  const [newer] = await take(1);
  expect(newer).toMatchObject({ payload: { revision: 2 }, sentTs: '9.9', attempts: 1, version: 2 });
  await sent(newer, null, 2);
  expect(await outbox.byKey(store.db(), TEAM, 'card')).toMatchObject({ state: 'sent', sentTs: '9.9' });
  // A second result for the same row, from an expired lease, changes nothing.
  await sent(row, '8.8', 3);
  await delivery.giveUp(store.db(), { id: row?.id ?? 0, error: 'late', instead: null });
  expect(await outbox.byKey(store.db(), TEAM, 'card')).toMatchObject({
    state: 'sent',
    sentTs: '9.9',
    lastError: null,
  });
});

test('a message queued in a transaction that fails is not sent', async () => {
  const failing = store
    .db()
    .transaction()
    .execute(async (trx) => {
      expect(await enqueue('ghost', {}, trx)).toBe('queued');
      throw new Error('no');
    });
  await expect(failing).rejects.toThrow('no');
  expect(await take(5)).toEqual([]);
});

test("a burst in one workspace does not delay another's messages", async () => {
  for (let nth = 0; nth < 50; nth += 1) await enqueue(`storm${nth}`, { conversation: `C0INC:${nth}` });
  await enqueue('quiet', { teamId: 'T0002' });
  const others = await take(0, store.db(), 20, 'T0002');
  expect(others.map((row) => row.key)).toEqual(['quiet']);
  const storm = await take(0, store.db(), 20);
  expect(storm.map((row) => row.teamId)).toEqual(Array.from({ length: 20 }, () => TEAM));
});

test('a rewritten message keeps its new text when a repeated run queues the old one', async () => {
  const now = minutes(2);
  const rewrite = (keys: string[]) =>
    outbox.rewrite(store.db(), { teamId: TEAM, keys, now }, () => ({ text: 'new' }));
  await enqueue('posted');
  await sent((await take(0))[0], '1.1');
  await enqueue('waits');
  await rewrite(['posted', 'waits']);

  expect([await enqueue('posted'), await enqueue('waits')]).toEqual(['unchanged', 'unchanged']);
  const [posted] = await take(2);
  expect(posted).toMatchObject({ key: 'posted', sentTs: '1.1', payload: { text: 'new' } });
  await sent(posted, '1.1', 2);
  expect(await take(2)).toMatchObject([{ key: 'waits', sentTs: null, payload: { text: 'new' } }]);
});
