/** Why: one incident as an engineer lives through it, from the first question to the follow-up ticket; all systems agree. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let page: Message;
beforeAll(async () => {
  workspace = await Workspace.start({ sandbox: { databaseServer: inject('postgresUrl') } });
});
afterAll(() => finish(workspace));

/** Dev asks a question; resolves with the text of its answer. Nothing in it needs an approval. */
async function ask(question: string, words: string | RegExp): Promise<string> {
  await workspace.plan('dev', question, 'incidents');
  const answer = await workspace.card(words, 'incidents');
  expect(actionsOf(answer.blocks)).not.toContain('plan.approve');
  return wordsOf(answer);
}

/** Dev asks for a change in the page's thread and Chiara approves it; resolves with the finished card. */
async function order(words: string, card: string | RegExp): Promise<Message> {
  const text = `<@U0COUNTER> ${words}`;
  await workspace.sandbox.slack.postAs({ as: 'dev', channel: 'incidents', text, threadTs: page.ts });
  const asked = await workspace.card(card, 'incidents');
  await workspace.click('chiara', asked, 'plan.approve');
  return workspace.becomes(asked, /Done/);
}

const slow = () =>
  workspace.sandbox.jira.store.issues().find(({ summary }) => summary.startsWith('Checkout is slow'));
const incident = () => workspace.pages().at(-1);

test("PagerDuty has the alert that paged nobody, and Jira the customers' reports", async () => {
  const open = await ask('which incidents are open on checkout', /open PagerDuty incidents of checkout/);
  expect(open).toContain('checkout: p95 of GET /checkout is above 2 s');
  const tickets = await ask('show open P1 tickets in WEB', 'Checkout is slow');
  expect(tickets).toContain(slow()?.key);
});

test('both log systems name the error, and the catalogue explains it', async () => {
  await ask('errors of checkout in the last hour', /Azure logs: 230 errors.*mostly PAY-E-2201; Splunk: 230/s);
  const meaning = await ask('what does error PAY-E-2201 mean', 'connection pool is exhausted');
  expect(meaning).toContain('changed pool.max, and roll it back');
});

test('the runbook says what to check, and the database shows the deploy that caused it', async () => {
  const runbook = await ask('find the runbook for PAY-E-2201', 'Checkout latency');
  expect(runbook).toContain('pool.max');
  expect(await ask('recent deploys of checkout', /pool\.max 40 → 8/)).toMatch(/2026\.11\.3[\s\S]*dev/);
  await ask('show waiting carts', /137/);
});

test('the on-call of checkout is paged once', async () => {
  const text = 'Checkout is slow since the deploy of 2026.11.3: its pool has 8 connections';
  await workspace.plan('dev', `page checkout with "${text}"`, 'incidents');
  page = await workspace.card(text, 'incidents');
  expect(wordsOf(page)).toContain('pages Chiara Conti');
  await workspace.click('chiara', page, 'plan.approve');
  await workspace.reply(page, /^Done.*Chiara Conti was paged/);
  expect(workspace.pages()).toHaveLength(1);
  expect(incident()).toMatchObject({ service: 'PSCHK01', urgency: 'high' });
});

test("the fix is noted on the incident, and the thread's incident is resolved", async () => {
  await order(
    'pagerduty.note incident=thread text="rolled back to 2026.11.2; carts drain"',
    /adds a note to incident #2/,
  );
  expect(incident()?.notes).toMatchObject([{ content: expect.stringContaining('carts drain') }]);
  await order('pagerduty.resolve incident=thread', /resolves incident #2/);
  expect(incident()?.status).toBe('resolved');
});

test('a summary of the findings is added to the ticket', async () => {
  const key = slow()?.key;
  const plan = [
    'deploys = sql.query named=deploys service=checkout',
    'code = errors.lookup code=PAY-E-2201',
    'open = pagerduty.incidents service=checkout status=all',
    'summary = llm.summarize about="what happened" input="{deploys.lines}\\n{code.lines}\\n{open.lines}"',
    `jira.comment key=${key} text="{summary.text}"`,
  ];
  await order(plan.join('; '), `omments on ${key}`);
  const { comments } = workspace.sandbox.jira.store.find(key ?? '');
  const words = JSON.stringify(comments);
  for (const fact of ['pool.max 40 → 8', 'PAY-E-2201', 'Checkout is slow since the deploy'])
    expect(words).toContain(fact);
});

test("a follow-up that prevents a repeat is linked to the incident's ticket", async () => {
  const key = slow()?.key;
  const summary = 'Fail a deploy whose pool is below 32';
  await order(`jira.create project=OPS type=task priority=P2 summary="${summary}" follows=${key}`, summary);
  const made = workspace.sandbox.jira.store.issues().find((one) => one.summary === summary);
  expect(made).toMatchObject({ project: 'OPS', issueType: 'Task', links: [key] });
});

test('closing the ticket asks for the resolution that Jira requires', async () => {
  const key = slow()?.key ?? '';
  await workspace.plan('dev', `close ${key}`, 'incidents');
  const question = await workspace.card(`${key} needs the field “Resolution”`, 'incidents');
  await workspace.click('dev', question, 'clarify.answer.0');
  const card = await workspace.card(/resolution: Done|resolution Done/, 'incidents');
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(slow()).toMatchObject({ status: 'Done', resolution: 'Done' });
});
