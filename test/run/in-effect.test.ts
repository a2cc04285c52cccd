import { expect, test } from 'vitest';
import { VendorError } from '../../src/core/errors.ts';
import { openTestRunner } from '../support/runner.ts';
import { approvedRun, planOf } from '../support/runs.ts';
import { auditRows, TEAM, writeRows } from '../support/store.ts';

const use = openTestRunner();

const move = planOf([
  { id: 'move', tool: 'jira.transition', why: 'it is over', args: { key: 'OPS-3', status: 'Done' } },
  {
    id: 'told',
    tool: 'jira.comment',
    why: 'for the rest',
    args: { key: 'OPS-3', text: 'Done.' },
    needs: ['move'],
  },
]);

/** Replaces what is read of the ticket after the move. */
async function run(id: string, statusAt: (look: number) => string) {
  const { readers, writers } = use.vendors();
  const { issue } = readers.jira;
  const send = writers.jira.move;
  let looks: number | null = null;
  writers.jira.move = async (...of) => {
    looks = 0;
    return send(...of);
  };
  readers.jira.issue = async (...of) => {
    const found = await issue(...of);
    if (looks === null) return found;
    looks += 1;
    return { ...found, status: statusAt(looks) };
  };
  const key = await approvedRun(use.db(), id, move);
  return { key, ...(await use.run(key)) };
}

test('a write whose condition does not hold is in doubt, is not sent again, and stops the steps after it', async () => {
  const { key, outcome, results } = await run('missed', () => 'To Do');
  expect(outcome).toBe('unknown');
  expect(results.get('move')).toMatchObject({
    status: 'unknown',
    reason: {
      code: 'not_in_effect',
      message:
        'Jira took it, but a look afterwards does not show that OPS-3 is in Done: ' +
        'OPS-3 is To Do, assigned to nobody: Disk almost full.',
    },
  });
  expect(results.get('told')?.status).toBe('skipped');
  expect(await writeRows(use.db(), key.runId)).toMatchObject([{ state: 'made', attempts: 1 }]);
  const lines = await auditRows(use.db(), TEAM, `run:${key.runId}`);
  expect(lines.map(({ kind }) => kind)).toContain('write.not_in_effect');
});

test('a condition that holds a moment later counts', async () => {
  const { outcome, results } = await run('late', (look) => (look < 3 ? 'To Do' : 'Done'));
  expect(outcome).toBe('done');
  expect(results.get('move')).toMatchObject({ status: 'succeeded', notes: [] });
  expect(use.slept).toEqual([500, 1_500]);
});

test('a ticket that its workflow moves straight on counts as moved', async () => {
  const { outcome } = await run('onward', () => 'Closed');
  expect(outcome).toBe('done');
});

test('a write that cannot be looked at afterwards stays done, and says that nobody knows more', async () => {
  const { results } = await run('unread', () => {
    throw new VendorError('forbidden', 'Jira refuses that to the bot.', {
      retryable: false,
      mayHaveHappened: false,
    });
  });
  expect(results.get('move')).toMatchObject({
    status: 'succeeded',
    notes: ['whether OPS-3 is in Done could not be read: Jira refuses that to the bot'],
  });
});
