/** Why: the main loop. A goal becomes a card, an approval becomes exactly one page, and everybody can read what happened. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import { breach, finish, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

/** Each update of the card, as it was sent. */
const updates = () =>
  workspace.sandbox.journal
    .list({ vendor: 'slack', path: '/api/chat.update' })
    .map(({ body }) => JSON.stringify(body));

test('a breach pages once with all that the responder needs, and the card shows the progress', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  expect(blockText(card.blocks)).toContain('@U0BEN asked');
  expect(wordsOf(card)).toContain('pages Ana Ruiz, on call for ops until');
  expect(actionsOf(card.blocks)).toEqual(['plan.approve', 'plan.edit', 'plan.dry_run', 'plan.reject']);
  expect(wordsOf(card)).toMatch(/^[^.]*24 open P1 tickets in OPS, the SLA allows 20: {2}breached\./);
  expect(workspace.sandbox.journal.list({ vendor: 'pagerduty-events' })).toEqual([]);
  const slow = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'delay' });
  await workspace.click('chiara', card, 'plan.approve');
  const isShown = (body: string) => body.includes('in_progress') && body.includes('plan.cancel');
  await expect.poll(() => updates().some(isShown), { message: 'progress and a stop button' }).toBe(true);
  workspace.sandbox.faults.remove(slow);
  await workspace.reply(card, /^Done/);

  const [run] = await rows(workspace, "select id from runs where mode = 'run'");
  const [page, ...others] = workspace.pages();
  expect(others).toEqual([]);
  expect(page).toMatchObject({
    service: 'PSOPS01',
    triggers: 1,
    details: { countersign: `cs-${run?.id}-page` },
  });
  expect(page?.title).toMatch(/^OPS.*24.*20\D*$/);
  expect(page?.details).toMatchObject({ requested_by: '@ben', approved_by: '@chiara' });
  expect(page?.details.thread).toBe(
    `https://acme-sandbox.slack.com/archives/${card.channel}/p${card.ts.replace('.', '')}`,
  );
  expect(page?.notified.map(({ user }) => user)).toEqual(['PANA01']);
});

test('the thread has one reply at the end; the card ends with the next actions', async () => {
  const card = await workspace.becomes(await workspace.card(breach), 'finished');
  const thread = workspace
    .messages()
    .filter((message) => message.threadTs === card.ts && message.ts !== card.ts);
  expect(thread).toHaveLength(1);
  const said = thread.map(wordsOf);
  expect(said[0]).toMatch(
    /^Done: {2}24 open P1 tickets in OPS; the SLA allows 20; Ana Ruiz was paged, on call/,
  );
  expect(actionsOf(card.blocks)).toEqual([
    'step.next.pagerduty.ack',
    'step.next.pagerduty.resolve',
    'step.next.pagerduty.note',
    'step.next.jira.create',
  ]);
  expect(blockText(card.blocks)).toContain('Approved by @U0CHIARA');
  const tasks = JSON.stringify(card.blocks).match(/"status":"[a-z_]+"/g);
  expect(tasks).toEqual(['"status":"complete"', '"status":"complete"', '"status":"complete"']);
});

test('the stop button disappears when the run ends', () => {
  expect(updates().at(-1)).not.toContain('plan.cancel');
});

test('the audit log records who approved which digest before it records the page', async () => {
  const log = await rows(workspace, 'select kind, actor from audit order by seq');
  const kinds = log.map(({ kind }) => String(kind));
  const order = ['revision.approved', 'write.intended', 'write.made'].map((kind) => kinds.indexOf(kind));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(log[kinds.indexOf('revision.approved')]?.actor).toBe('U0CHIARA');
});
