/** Why: a message that Slack accepts nowhere is offered to one person after the other until somebody gets it. */
import { expect, test } from 'vitest';
import type { Message } from '../../src/blocks/message.ts';
import { titled } from '../../src/blocks/note.ts';
import { VendorError } from '../../src/core/errors.ts';
import type { StoredRequest } from '../../src/core/request.ts';
import { type DeadLetterPort, onDeadParcel } from '../../src/report/dead-letters.ts';
import type { NewParcel, QueuedParcel } from '../../src/report/ports.ts';
import { blockText } from '../support/block-text.ts';
import { keepingLog } from '../support/slack-workspace.ts';

const refusal = (code: string) =>
  new VendorError(`slack_${code}`, `Slack says ${code}.`, { retryable: false, mayHaveHappened: false });
const archived = refusal('is_archived');

const request: StoredRequest = {
  ...{ teamId: 'T1', id: 'req', goal: 'page ops', via: 'command', requester: 'U0BEN', channel: 'C0OPS' },
  ...{ threadTs: null, quoted: null, createdAt: new Date(0), state: 'running', question: null },
};

function portOf(changes: Partial<DeadLetterPort> = {}): DeadLetterPort {
  return {
    request: async (id) => (id === 'req' ? request : null),
    closeUnseen: async () => undefined,
    lastApprover: async () => 'U0ANA',
    watch: async () => null,
    operators: async () => [
      { kind: 'person', userId: 'U0ANA' },
      { kind: 'channel', channel: 'C0GENERAL', threadTs: null },
    ],
    voiceOf: () => undefined,
    invitation: async () => null,
    log: keepingLog(),
    ...changes,
  };
}

const done: Message = titled('Done: Ana Ruiz was paged');

function parcelOf(of: Partial<NewParcel>, id = 1): QueuedParcel {
  const place = { kind: 'thread', requestId: 'req', number: 1 } as const;
  const { parcel = { place, message: done, fallback: null }, ...more } = of;
  const base = { teamId: 'T1', conversation: 'req', key: 'final:run', kind: 'final' as const, ...more };
  return { ...base, id, payload: parcel, version: 1, attempts: 1, sentTs: null, createdAt: new Date(0) };
}

/** Everybody who is notified, in order, when nobody can be reached, with the words. */
async function chain(first: QueuedParcel, port: DeadLetterPort, error: unknown = archived) {
  const told: { who: unknown; words: string }[] = [];
  for (let dead: QueuedParcel | null = first; dead !== null; ) {
    const next: NewParcel | null = await onDeadParcel(port)(
      dead,
      told.length === 0 ? error : refusal('user_disabled'),
    );
    if (next !== null) told.push({ who: next.parcel.place, words: blockText(next.parcel.message.blocks) });
    dead = next && parcelOf(next, dead.id + 1);
  }
  return told;
}

test('an outcome goes to the requester, the approver and the default channel, once each, in full only to the first two', async () => {
  const told = await chain(parcelOf({}), portOf());
  expect(told.map(({ who }) => who)).toEqual([
    { kind: 'person', userId: 'U0BEN' },
    { kind: 'person', userId: 'U0ANA' },
    { kind: 'channel', channel: 'C0GENERAL', threadTs: null },
  ]);
  const [asker, approver, channel] = told.map(({ words }) => words);
  expect(asker).toMatch(/could not be posted in .*page ops.*is_archived.*Done: Ana Ruiz was paged/s);
  expect(approver).toBe(asker);
  expect(channel).toMatch(/A message to .*U0ANA.* could not be posted/);
  expect(channel).not.toContain('paged');
});

test('rejected blocks are sent as plain words', async () => {
  const [first] = await chain(parcelOf({}), portOf(), refusal('invalid_blocks'));
  expect(first?.words).toMatch(/could not be posted in .*Done: Ana Ruiz was paged/s);
  expect(first?.words.match(/Done/g)).toHaveLength(1);
});

test('a message of the bot itself to a channel goes to its operators in full', async () => {
  const place = { kind: 'channel', channel: 'C0GENERAL', threadTs: null } as const;
  const notice = {
    conversation: 'mcp:x',
    key: 'mcp:x',
    kind: 'private' as const,
    parcel: { place, message: done, fallback: null },
  };
  const told = await chain(parcelOf(notice), portOf());
  expect(told.map(({ who }) => who)).toEqual([{ kind: 'person', userId: 'U0ANA' }, place]);
  expect(told[0]?.words).toContain('Ana Ruiz was paged');
});

test('if nobody is left the log says so, and a failed card update is not reported', async () => {
  const log = keepingLog();
  const nobody = { request: async () => null, operators: async () => [], log };
  expect(await chain(parcelOf({}), portOf(nobody))).toEqual([]);
  expect(log.lines.map(({ message }) => message)).toEqual(['Could not notify anybody of a lost message']);
  expect(await chain(parcelOf({ kind: 'update' }), portOf())).toEqual([]);
});
