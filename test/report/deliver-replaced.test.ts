import { afterEach, expect, test } from 'vitest';
import type { Message } from '../../src/blocks/message.ts';
import { line, rich } from '../../src/blocks/rich.ts';
import { jsonOf } from '../../src/core/json.ts';
import { type Delivery, startDelivery } from '../../src/report/deliver.ts';
import * as outbox from '../../src/store/outbox.ts';
import { keepingLog, startWorkspace, type TestWorkspace, until } from '../support/slack-workspace.ts';
import { openTestStore, TEAM } from '../support/store.ts';
import { MemoryCards } from './memory-outbox.ts';

const store = openTestStore();
const posting = { vendor: 'slack', match: { path: '/api/chat.postMessage' } } as const;
const place = { kind: 'channel', channel: 'C0OPS', threadTs: null } as const;

let open: { workspace: TestWorkspace; delivery: Delivery; look: NodeJS.Timeout } | null = null;

afterEach(async () => {
  clearInterval(open?.look);
  await open?.delivery.stop();
  await open?.workspace.close();
  open = null;
});

/** The delivery on the real outbox; its clock jumps ahead whenever something has to wait. */
async function begin() {
  const db = store.db();
  const workspace = await startWorkspace({ timeoutMs: 500 });
  const clock = { ms: Date.now() };
  const now = () => new Date(clock.ms);
  const delivery = startDelivery({
    outbox: {
      due: (take) => outbox.due(db, { ...take, teamId: TEAM }),
      renew: (lease) => outbox.renew(db, lease),
      markSent: (sent) => outbox.markSent(db, sent),
      markFailed: async (failed) => {
        await outbox.markFailed(db, failed);
        clock.ms = Math.max(clock.ms, failed.nextAttemptAt.getTime());
      },
      giveUp: ({ id, error }) => outbox.giveUp(db, { id, error, instead: null }),
    },
    slack: workspace.gateway,
    cards: new MemoryCards(),
    now,
    log: keepingLog(),
    onDead: async () => null,
  });
  const look = setInterval(() => delivery.kick(), 5);
  open = { workspace, delivery, look };
  const say = (key: string, text: string) => {
    const message: Message = { text, blocks: [rich([line(text)])] };
    const payload = jsonOf({ place, message, fallback: null });
    return outbox.enqueue(db, { teamId: TEAM, conversation: key, key, kind: 'reply', payload, now: now() });
  };
  const posts = () =>
    workspace.journal.list({ vendor: 'slack' }).filter((one) => one.path.endsWith('chat.postMessage'));
  const isSent = async (key: string) => (await outbox.byKey(db, TEAM, key))?.state === 'sent';
  return { ...workspace, say, posts, isSent };
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it did not happen');
}

test('a message that is replaced while it is being posted is changed where it stands', async () => {
  const { say, posts, isSent, faults, botMessages } = await begin();
  faults.add({ ...posting, kind: 'delay' });
  await say('delayed', 'the first words');
  await until(() => posts().length === 1);
  expect(await say('delayed', 'the last words')).toBe('replaced');
  faults.clear();
  await eventually(() => isSent('delayed'));
  expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['the last words']);
  expect(posts()).toHaveLength(1);
});

test('a message that was replaced after its answer was lost is found and changed', async () => {
  const { say, posts, isSent, faults, botMessages } = await begin();
  faults.add({ ...posting, kind: 'lost-answer', times: 1 });
  // Nobody finds it before it is replaced.
  faults.add({ vendor: 'slack', match: { path: '/api/conversations.history' }, kind: 'delay' });
  await say('lost', 'the first words');
  await until(() => posts().length === 1);
  expect(await say('lost', 'the last words')).toBe('replaced');
  faults.clear();
  await eventually(() => isSent('lost'));
  expect(botMessages('C0OPS').map((message) => message.text)).toEqual(['the last words']);
});
