import { afterEach, expect, test } from 'vitest';
import * as outbox from '../../src/store/outbox.ts';
import { queued } from '../../src/store/outbox-messages.ts';
import { until } from '../support/slack-workspace.ts';
import { openTestStore, TEAM } from '../support/store.ts';
import { openDelivery, say as words } from './delivery.ts';

const store = openTestStore();
const posting = { vendor: 'slack', match: { path: '/api/chat.postMessage' } } as const;
const place = { kind: 'channel', channel: 'C0OPS', threadTs: null } as const;

let open: Awaited<ReturnType<typeof openDelivery>> | null = null;

afterEach(async () => {
  await open?.stop();
  open = null;
});

async function begin() {
  const db = store.db();
  open = await openDelivery(db, { timeoutMs: 500 });
  const { clock, journal } = open;
  const say = (key: string, text: string) => {
    const payload = { place, message: words(text), fallback: null };
    const message = { teamId: TEAM, conversation: key, key, kind: 'reply', payload } as const;
    return outbox.enqueue(db, queued(message, new Date(clock.ms)));
  };
  const posts = () =>
    journal.list({ vendor: 'slack' }).filter((one) => one.path.endsWith('chat.postMessage'));
  return { ...open, say, posts };
}

test('a message that is replaced while it is being posted is changed where it stands', async () => {
  const { say, posts, settled, faults, botMessages } = await begin();
  faults.add({ ...posting, kind: 'delay' });
  await say('delayed', 'the first words');
  await until(() => posts().length === 1);
  expect(await say('delayed', 'the last words')).toBe('replaced');
  faults.clear();
  await settled();
  expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['the last words']);
  expect(posts()).toHaveLength(1);
});

test('a message that was replaced after its answer was lost is found and changed', async () => {
  const { say, posts, settled, faults, botMessages } = await begin();
  faults.add({ ...posting, kind: 'lost-answer', times: 1 });
  // Nobody finds it before it is replaced.
  faults.add({ vendor: 'slack', match: { path: '/api/conversations.history' }, kind: 'delay' });
  await say('lost', 'the first words');
  await until(() => posts().length === 1);
  expect(await say('lost', 'the last words')).toBe('replaced');
  faults.clear();
  await settled();
  expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['the last words']);
});
