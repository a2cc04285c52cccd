/** Why: a click counts only for the plan that was shown, while it is open. Everything else does nothing and says so. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, buttonValue, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

async function nothingRan(): Promise<void> {
  expect(await rows(workspace, 'select id from runs')).toEqual([]);
  expect(workspace.sandbox.journal.list({ vendor: 'jira' })).toEqual([]);
  expect(workspace.pages()).toEqual([]);
}

test('a value that was tampered with, or is of another plan, does nothing and is explained', async () => {
  const other = 'how many P2 tickets are open in OPS?';
  await workspace.plan('ben', other);
  const foreign = JSON.parse(buttonValue(await workspace.card(other), 'plan.approve') ?? '{}');
  await workspace.plan('ben', breach);
  const message = await workspace.card(breach);
  const own = JSON.parse(buttonValue(message, 'plan.approve') ?? '{}');
  const forgeries: Record<string, string> = {
    'a foreign digest': JSON.stringify({ ...own, d: foreign.d }),
    'a digest of zeros': JSON.stringify({ ...own, d: '0'.repeat(64) }),
    'an extra field': JSON.stringify({ ...own, approved: true }),
    'no JSON': 'approve',
    nothing: '',
    'a prototype': `{"__proto__":{"r":"${own.r}"},"n":1,"d":"${own.d}"}`,
    'a revision that is not there': JSON.stringify({ ...own, n: 7 }),
    'a request that is not there': JSON.stringify({ ...own, r: 'no-such-request' }),
    'too much': JSON.stringify({ ...own, s: 'x'.repeat(10_000) }),
  };
  for (const [index, value] of Object.values(forgeries).entries()) {
    await forgedClick(workspace, { as: 'ana', message, actionId: 'plan.approve', value });
    await heard('ana', /Nothing was done/, index + 1);
  }
  await nothingRan();
  expect(actionsOf((await workspace.becomes(message, breach)).blocks)).toContain('plan.approve');
});

test('an unknown action does nothing, not even noise', async () => {
  const message = await workspace.card(breach);
  const value = buttonValue(message, 'plan.approve') ?? '';
  const outcome = await forgedClick(workspace, { as: 'ana', message, actionId: 'plan.approve_all', value });
  expect(outcome.acknowledged).toBe(true);
  await nothingRan();
});

test('a card that nobody decided on in time says so, and a late click is told', async () => {
  const card = await workspace.card(breach);
  const value = buttonValue(card, 'plan.approve') ?? '';
  await rows(
    workspace,
    "update revisions set expires_at = now() - interval '1 second' where state = 'proposed'",
  );
  const expired = await workspace.becomes(card, 'Expired');
  expect(actionsOf(expired.blocks)).toEqual([]);
  for (const actionId of ['plan.approve', 'plan.dry_run', 'plan.edit']) {
    await forgedClick(workspace, { as: 'chiara', message: card, actionId, value });
  }
  await heard('chiara', /Too late\./, 3);
  await nothingRan();
});

/** Resolves once a person was privately told `text` so many times. */
async function heard(as: string, text: RegExp, times: number): Promise<void> {
  const id = workspace.person(as);
  const count = () =>
    workspace.messages('ops', id).filter((m) => m.ephemeralFor === id && text.test(m.text)).length;
  await workspace.until(() => count() >= times, `${as} to hear ${text} ${times} times`);
}
