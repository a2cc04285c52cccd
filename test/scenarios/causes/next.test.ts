/** Why: the first fix does not always help. The next one is a card as well, for the next cause that is supported by then. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith, finish } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const count = 'jira.count project=OPS priority=P1 status=open';
const backlog = (id: string, than: number, fix: string) => ({
  ...{ id, sentence: `The backlog of ${id} is too long.`, services: ['ops'], fix },
  check: `open = ${count}\nsupported when open.total > ${than}`,
});

let workspace: Workspace;
beforeAll(async () => {
  const close = `before = ${count}\njira.transition key=OPS-1 status=Done\n  verify: within 5s after.total > before.total: ${count}`;
  const causes = [
    backlog('tickets', 5, close),
    backlog('nothing', 1_000, 'slack.post channel=#ops text="never"'),
    backlog('people', 6, 'slack.post channel=#ops text="All hands, please"'),
  ];
  workspace = await Workspace.start({ config: configWith({ causes }) });
});
afterAll(() => finish(workspace));

test('after a fix that did not help, the fix of the next supported cause is a card, once each was tried none is', async () => {
  await workspace.plan('dev', 'why is ops slow');
  const answer = await workspace.card(/2 causes supported, 1 refuted/);
  await workspace.click('dev', answer, 'cause.fix.0');
  const first = await workspace.reply(answer, /Move OPS-1 to Done/);
  expect(wordsOf(first)).toMatch(/Possible cause: The backlog of tickets is too long.*supported if/);
  await workspace.click('chiara', first, 'plan.approve');
  const told = await workspace.reply(answer, /^Did not help within 5 seconds/);
  expect(actionsOf(told.blocks)).toEqual(['step.undo', 'cause.next']);

  await workspace.click('dev', told, 'cause.next');
  const next = await workspace.reply(answer, /All hands, please/);
  expect(wordsOf(next)).toMatch(/only if.*open P1 tickets in OPS.*Possible cause: The backlog of people/s);
  expect(actionsOf(next.blocks)).toContain('plan.approve');
  await workspace.click('chiara', next, 'plan.approve');
  await workspace.becomes(next, /Done/);

  await workspace.click('dev', told, 'cause.next');
  const none = wordsOf(await workspace.whisper('dev', /No fix is proposed/));
  expect(none).toContain('no other cause of ops with a fix is supported now (2 causes supported, 1 refuted)');
});
