/** Why: a message that Slack accepts nowhere is offered to one person after the other until somebody gets it. */
import { beforeAll, expect, test } from 'vitest';
import type { Message } from '../../src/blocks/message.ts';
import { titled } from '../../src/blocks/note.ts';
import { VendorError } from '../../src/core/errors.ts';
import { jsonOf } from '../../src/core/json.ts';
import { type DeadLetterDeps, onDeadMessage } from '../../src/report/dead-letters.ts';
import { type NewMessage, questionToPost } from '../../src/store/outbox-messages.ts';
import * as requests from '../../src/store/requests.ts';
import type { OutboxRow } from '../../src/store/tables.ts';
import { blockText } from '../support/block-text.ts';
import { keepingLog } from '../support/slack-workspace.ts';
import { givenRequest, givenRun, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();
const refusal = (code: string) =>
  new VendorError(`slack_${code}`, `Slack says ${code}.`, { retryable: false, mayHaveHappened: false });
const archived = refusal('is_archived');

/** Ana has approved what Ben asked for. */
beforeAll(() =>
  givenRun(store.db(), 'req', { goal: 'page ops', requester: 'U0BEN', channel: 'C0OPS' }, 'U0ANA'),
);

function deps(changes: Partial<DeadLetterDeps> = {}): DeadLetterDeps {
  return {
    ...{ db: store.db(), teamId: TEAM, now: () => minutes(3), log: keepingLog() },
    operators: async () => [
      { kind: 'person', userId: 'U0ANA' },
      { kind: 'channel', channel: 'C0GENERAL', threadTs: null },
    ],
    replyTo: () => undefined,
    botUserId: async () => 'U0BOT',
    ...changes,
  };
}

const done: Message = titled('Done: Ana Ruiz was paged');

function lost(of: Partial<NewMessage>, id = 1): OutboxRow {
  const place = { kind: 'thread', requestId: 'req', number: 1 } as const;
  const { payload = { place, message: done, fallback: null }, ...more } = of;
  const base = { teamId: TEAM, conversation: 'req', key: 'final:run', kind: 'final' as const, ...more };
  const state = { state: 'pending', rewritten: false, lastError: null, nextAttemptAt: NOON } as const;
  const sent = { version: 1, attempts: 1, sentTs: null, createdAt: NOON };
  return { ...base, ...state, ...sent, id, payload: jsonOf(payload) };
}

/** Everybody who is notified, in order, when nobody can be reached, with the words. */
async function chain(first: OutboxRow, of: DeadLetterDeps = deps(), error: unknown = archived) {
  const notified: { who: unknown; words: string }[] = [];
  for (let dead: OutboxRow | null = first; dead !== null; ) {
    const why = notified.length === 0 ? error : refusal('user_disabled');
    const next: NewMessage | null = await onDeadMessage(of)(dead, why);
    if (next !== null) {
      const { place, message } = next.payload;
      notified.push({ who: place, words: blockText(message.blocks) });
    }
    dead = next && lost(next, dead.id + 1);
  }
  return notified;
}

test('an outcome goes to the requester, the approver and the default channel, once each, in full only to the first two', async () => {
  const notified = await chain(lost({}));
  expect(notified.map(({ who }) => who)).toEqual([
    { kind: 'person', userId: 'U0BEN' },
    { kind: 'person', userId: 'U0ANA' },
    { kind: 'channel', channel: 'C0GENERAL', threadTs: null },
  ]);
  const [asker, approver, channel] = notified.map(({ words }) => words);
  expect(asker).toMatch(/could not be posted in .*page ops.*is_archived.*Done: Ana Ruiz was paged/s);
  expect(approver).toBe(asker);
  expect(channel).toMatch(/A message to .*U0ANA.* could not be posted/);
  expect(channel).not.toContain('paged');
});

test('a question that cannot be posted closes its request, and whoever asked is told to ask again', async () => {
  const request = await givenRequest(store.db(), 'asks', { goal: 'tell the team', requester: 'U0BEN' });
  const key = 'question:asks:1';
  const open = { question: 'Which channel?', missing: [], options: [], plans: {}, key };
  const question = { open, ts: null, answers: [] };
  const ask = questionToPost(request, key, { threadTs: null, message: done });
  const state = async () => (await requests.get(store.db(), TEAM, 'asks'))?.state;
  await requests.setState(store.db(), { teamId: TEAM, id: 'asks', to: 'asking', question });
  // One that was answered before it was known to be there.
  expect(await chain(lost({ ...ask, key: 'question:asks:0' }))).toEqual([]);
  expect(await state()).toBe('asking');
  await chain(lost(ask));
  expect(await state()).toBe('refused');
  // Again, as after a kill.
  const notified = await chain(lost(ask));
  expect(notified.map(({ who }) => who)).toEqual([
    { kind: 'person', userId: 'U0BEN' },
    { kind: 'person', userId: 'U0ANA' },
    { kind: 'channel', channel: 'C0GENERAL', threadTs: null },
  ]);
  expect(notified[0]?.words).toMatch(
    /could not be posted.*tell the team.*The request is closed\. Ask again/s,
  );
  expect(notified[1]?.words).not.toContain('tell the team');
});

test('rejected blocks are sent as plain words', async () => {
  const [first] = await chain(lost({}), deps(), refusal('invalid_blocks'));
  expect(first?.words).toMatch(/could not be posted in .*Done: Ana Ruiz was paged/s);
  expect(first?.words.match(/Done/g)).toHaveLength(1);
});

test('a message of the bot itself to a channel goes to its operators in full', async () => {
  const place = { kind: 'channel', channel: 'C0GENERAL', threadTs: null } as const;
  const notice = {
    conversation: 'mcp:x',
    key: 'mcp:x',
    kind: 'private' as const,
    payload: { place, message: done, fallback: null },
  };
  const notified = await chain(lost(notice));
  expect(notified.map(({ who }) => who)).toEqual([{ kind: 'person', userId: 'U0ANA' }, place]);
  expect(notified[0]?.words).toContain('Ana Ruiz was paged');
});

test('if nobody is left the log says so, and a failed card update is not reported', async () => {
  const log = keepingLog();
  const nobody = deps({ operators: async () => [], log });
  expect(await chain(lost({ conversation: 'gone' }), nobody)).toEqual([]);
  expect(log.lines.map(({ message }) => message)).toEqual(['Could not notify anybody of a lost message']);
  expect(await chain(lost({ kind: 'update' }))).toEqual([]);
});
