import { expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { type Refused, record } from '../../src/store/refusals.ts';
import { auditRows, minutes, openTestStore } from '../support/store.ts';

const store = openTestStore();

function refused(teamId: string, changes: Partial<Refused> = {}): Refused {
  const about = { subject: 'revision:r/1', reason: 'not_an_approver', facts: { action: 'approve' } };
  return { teamId, at: minutes(1), userId: 'U0EVE', kind: 'refusal', ...about, ...changes };
}

test('a burst of refused clicks leaves one line per person, revision and reason', async () => {
  const team = 'T0STORM';
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      record(index % 2 === 0 ? store.db() : store.second(), refused(team)),
    ),
  );
  await record(store.db(), refused(team, { userId: 'U0BEN' }));
  await record(store.db(), refused(team, { subject: 'revision:r/2' }));
  await record(store.db(), refused(team, { reason: 'expired' }));
  const lines = await auditRows(store.db(), team);
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toMatchObject({
    kind: 'click.refused',
    actor: 'U0EVE',
    subject: 'revision:r/1',
    data: '{"action":"approve","reason":"not_an_approver"}',
  });
  expect(await audit.verify(store.db(), team)).toMatchObject({ ok: true, count: 4 });
  await record(store.db(), refused(team, { at: minutes(25 * 60) }));
  expect(await auditRows(store.db(), team)).toHaveLength(5);
});

test('a tampered plan is audited once, whoever finds it', async () => {
  const team = 'T0TAMPERED';
  const found = { kind: 'tampering', reason: 'bytes_changed' } as const;
  await record(store.db(), refused(team, found));
  await record(store.db(), refused(team, { ...found, userId: 'U0BEN' }));
  expect(await auditRows(store.db(), team)).toMatchObject([{ kind: 'revision.tampered', actor: 'U0EVE' }]);
});
