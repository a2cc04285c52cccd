import { expect, test } from 'vitest';
import * as installations from '../../src/store/installations.ts';
import * as outbox from '../../src/store/outbox.ts';
import * as delivery from '../../src/store/outbox-delivery.ts';
import { auditRows, minutes, NOON, openTestStore } from '../support/store.ts';

const store = openTestStore();
const teamId = 'T0GONE';
const about = { name: 'Acme', isCompany: false, botUserId: 'U0BOT', botId: 'B0BOT', installedBy: 'U0ANA' };
const install = (at: Date, token: string) =>
  installations.store(store.db(), { teamId, ...about, token, installedAt: at });

async function due(): Promise<string[]> {
  const take = { teamId, now: minutes(60), limit: 10, leaseMs: 0 };
  return (await delivery.due(store.db(), take)).map(({ key }) => key);
}

test('nothing is sent to a workspace after the bot is removed, until it is installed again', async () => {
  await install(NOON, 'sealed');
  const message = { teamId, conversation: 'C1', kind: 'reply', payload: {}, now: NOON } as const;
  await outbox.enqueue(store.db(), { ...message, key: 'before' });
  expect(await due()).toEqual(['before']);

  expect(await installations.remove(store.db(), { teamId, at: minutes(1) })).toBe(true);
  expect(await installations.remove(store.db(), { teamId, at: minutes(2) })).toBe(false);
  await outbox.enqueue(store.db(), { ...message, conversation: 'C2', key: 'after' });
  expect(await due()).toEqual([]);
  expect(await installations.open(store.db())).toMatchObject([
    { teamId, token: null, removedAt: minutes(1) },
  ]);
  await outbox.giveUpAll(store.db(), teamId);
  await installations.close(store.db(), { teamId, at: minutes(3) });
  expect(await installations.open(store.db())).toEqual([]);

  await install(minutes(4), 'sealed anew');
  // It may have been reinstalled while the removal was being finished.
  await installations.close(store.db(), { teamId, at: minutes(5) });
  expect(await installations.open(store.db())).toMatchObject([{ token: 'sealed anew', removedAt: null }]);
  await outbox.enqueue(store.db(), { ...message, key: 'again' });
  expect(await due()).toEqual(['again']);

  const lines = await auditRows(store.db(), teamId, `workspace:${teamId}`);
  expect(lines.map(({ kind, actor }) => `${kind} ${actor}`).sort()).toEqual([
    'workspace.installed U0ANA',
    'workspace.installed U0ANA',
    'workspace.removed system',
  ]);
});

test('when two processes re-encrypt a token the first wins, and a newer token is never overwritten', async () => {
  await install(minutes(6), 'old');
  await installations.reseal(store.db(), { teamId, from: 'old', to: 'first' });
  await installations.reseal(store.second(), { teamId, from: 'old', to: 'second' });
  expect(await installations.open(store.db())).toMatchObject([{ token: 'first' }]);
});
