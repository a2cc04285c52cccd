/** Why: what a step computes is seen before it is approved, and its code can touch nothing but its inputs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const rules = [{ approvers: ['U0ANA'] }];
const playbook = 'run workload-report project=OPS priority=P1 channel=#ops';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ code: 'people', rules }) });
});
afterAll(() => finish(workspace));

/** A plan whose code gets the five oldest tickets. */
function withCode(returns: string, source: string, then = ''): string {
  const lines = source.split('\n').map((line) => `  | ${line}`);
  return [
    'list = jira.search project=OPS priority=P1 status=open order=oldest limit=5',
    `pick = code rows={list.rows} -> ${returns}`,
    ...lines,
    then,
  ].join('\n');
}

test("a playbook's code stands on its card in full, in the audit log, and its result in the thread", async () => {
  await workspace.plan('ben', playbook);
  const card = await workspace.card('each person has, if some have nobody');
  expect(wordsOf(card)).toContain("const idle = rows.filter(({ assignee }) => assignee === '');");
  expect(wordsOf(card)).toMatch(/Load: idle 8.*more than 0/s);
  const [line] = await rows(
    workspace,
    "select data from audit where kind = 'revision.proposed' order by seq desc limit 1",
  );
  expect(JSON.stringify(line)).toContain('const tickets = new Map();');
  await workspace.click('ana', card, 'plan.approve');
  const result = await workspace.reply(card, 'Load: idle 8');
  expect(wordsOf(result)).toContain('Chiara Conti: 4');
  await workspace.reply(card, /^Done/);
  expect(wordsOf(workspace.messages().findLast((m) => !m.threadTs) ?? { text: '' })).toContain('nobody: 8');
});

test('a ticket that code picked among those it was given is commented on', async () => {
  const source = 'const [first] = rows;\nreturn { key: first.key, age: first.age_minutes };';
  const then = 'when pick.age > 10: jira.comment key={pick.key} text="Picked: {pick.key}"';
  await workspace.plan('ben', withCode('key: issue, age: count', source, then));
  const card = await workspace.card('Picked');
  expect(wordsOf(card)).toContain('return { key: first.key, age: first.age_minutes };');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const [oldest] = workspace.sandbox.jira.store.issues().filter(({ key }) => key === 'OPS-1');
  expect(JSON.stringify(oldest?.comments)).toContain('Picked: OPS-1');
});

test.each([
  [
    'a ticket that did not go in',
    'key: issue',
    "return { key: 'OPS-24' };",
    'OPS-24 as key, which did not go in',
  ],
  ['a loop', 'key: issue', 'for (;;);', 'took more than 50 ms'],
  ['another shape', 'key: issue', 'return { other: 1 };', 'returned a wrong result: key is missing'],
])('%s from code fails its step in plain words, and nothing can be approved', async (...of) => {
  const [, returns, source, words] = of;
  const text = `Nothing: ${source}`;
  const then = `jira.comment key={pick.key} text="${text.replaceAll("'", '').replace(/[{}]/g, '')}"`;
  await workspace.plan('ben', withCode(returns, source, then));
  const card = await workspace.card(words);
  expect(wordsOf(card)).toContain('Can’t be approved yet');
  expect(actionsOf(card.blocks)).not.toContain('plan.approve');
});

test('a plan that only reads and computes is answered at once, with its code', async () => {
  await workspace.plan('ben', withCode('n: count', 'return { n: rows.length + 37 };'));
  const answer = await workspace.card('pick: n 42');
  expect(wordsOf(answer)).toContain('return { n: rows.length + 37 };');
});

test('a source that reaches out is refused before it is a plan, with its line', async () => {
  await workspace.plan('ben', withCode('n: count', 'const all = rows.length;\nreturn eval("all");'));
  const word = await workspace.card('eval is refused');
  expect(wordsOf(word)).toContain('Line 4: eval is refused: code cannot make code.');
});

test('by default typed code is refused, and an installed playbook may be changed only around its code', async () => {
  const usual = await Workspace.start({ config: configWith({ rules }) });
  try {
    await usual.plan('ben', withCode('n: count', 'return { n: rows.length };'));
    await usual.whisper('ben', 'Only the code of installed playbooks may run here');
    await usual.plan('ben', playbook);
    const card = await usual.card('each person has, if some have nobody');
    await usual.click('dev', card, 'plan.edit');
    const { id: viewId, ...view } = await usual.modal('dev');
    const text =
      JSON.stringify(view).match(/"initial_value":"((?:[^"\\]|\\.)*list = (?:[^"\\]|\\.)*)"/)?.[1] ?? '';
    const plan = JSON.parse(`"${text}"`) as string;
    const submit = (to: string) =>
      usual.sandbox.slack.submitView({ as: 'dev', viewId, values: { plan_text: { v: to } } });
    const refused = await submit(plan.replace('rows.filter', 'rows.slice(1).filter'));
    expect(refused.fieldErrors?.plan_text).toContain('Step load: only the code of installed playbooks');
    expect((await submit(plan.replace('load.idle > 0', 'load.idle > 1'))).fieldErrors).toBeUndefined();
    expect(wordsOf(await usual.card('Changed:'))).toContain('more than 1');
  } finally {
    await finish(usual);
  }
});
