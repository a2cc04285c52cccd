/** Why: the first fix does not always help. The next one is a card as well, for the next cause that is supported by then. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buttonValue, configWith, finish } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const count = 'jira.count project=OPS priority=P1 status=open';
const backlog = (id: string, than: number, fix: string) => ({
  ...{ id, sentence: `The backlog of ${id} is too long.`, services: ['ops'], fix },
  check: `open = ${count}\nsupported when open.total > ${than}`,
});

let workspace: Workspace;
beforeAll(async () => {
  const close = `before = ${count}\njira.transition key=OPS-1 status=Done\n  verify: within 5s after.total > before.total: ${count}`;
  const helps = `pagerduty.page service={service} text="Wake up"\n  verify: within 5s after.total > 0: ${count}`;
  const causes = [
    backlog('tickets', 5, close),
    backlog('nothing', 1_000, 'slack.post channel=#ops text="never"'),
    backlog('people', 6, 'slack.post channel=#ops text="All hands, please"'),
    { ...backlog('pages', 7, helps), services: ['checkout'] },
    { ...backlog('wakes', 8, helps), services: ['checkout'] },
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

test('of the supported causes the one whose fix helped before stands first, and says when it was', async () => {
  await workspace.plan('dev', 'why is checkout slow');
  const answer = await workspace.card(/Investigate checkout: .*supported/);
  expect(wordsOf(answer)).toMatch(/backlog of pages.*backlog of wakes/s);
  expect(wordsOf(answer)).not.toContain('It was this on');
  expect(buttonValue(answer, 'cause.fix.1')).toContain('wakes');
  await workspace.click('dev', answer, 'cause.fix.1');
  const card = await workspace.reply(answer, /Wake up/);
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.reply(answer, /^Helped/);

  await workspace.plan('dev', 'why is checkout down');
  const later = wordsOf(await workspace.card(/It was this on/));
  expect(later).toMatch(
    /backlog of wakes is too long\.\s+It was this on.*and its fix helped.*backlog of pages/s,
  );
});
