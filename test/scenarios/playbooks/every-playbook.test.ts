/** Why: every shipped playbook runs to its end, over signed HTTP, and vendors receive what its card said. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configWith, finish } from '../../support/scenario.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
const tried = new Set<string>();
beforeAll(async () => {
  workspace = await Workspace.startHttp({ config: configWith({ rules: [{ approvers: ['U0ANA'] }] }) });
});
afterAll(() => finish(workspace));

/** The card of a playbook called by name. */
async function card(name: string, inputs: string, words: string | RegExp): Promise<Message> {
  tried.add(name);
  await workspace.plan('ben', `run ${name} ${inputs}`);
  return workspace.card(words);
}

/** The final line of its run, after an approval. */
async function run(name: string, inputs: string, words: string | RegExp): Promise<string> {
  const asked = await card(name, inputs, words);
  await workspace.click('ana', asked, 'plan.approve');
  return wordsOf(await workspace.reply(asked, /^Done/));
}

const issues = () => workspace.sandbox.jira.store.issues();
const posted = (channel: string) =>
  wordsOf(workspace.messages(channel).findLast(({ threadTs }) => threadTs === undefined) ?? { text: '' });

/** The key of an open P1 that is over its SLA. */
function overdue(): string {
  const found = issues().find(
    ({ key, priority, status }) => key.startsWith('OPS-') && priority === 'P1' && status === 'To Do',
  );
  return found?.key ?? 'none';
}

test('error-code-look-up answers at once with the meaning of a code and its runbook section', async () => {
  const words = wordsOf(await card('error-code-look-up', 'code=PAY-E-2201', 'connection pool is exhausted'));
  expect(words).toContain('Checkout latency');
});

test('sla-breach-check pages the service whose project is over its SLA', async () => {
  const done = await run('sla-breach-check', 'project=OPS priority=P1 service=ops', /24 open P1 tickets/);
  expect(done).toContain('was paged');
  expect(workspace.pages()).toMatchObject([
    { service: 'PSOPS01', title: expect.stringContaining('OPS has 24 open P1 tickets; the SLA allows 20') },
  ]);
});

test('escalation pages and comments on a ticket that is over its SLA', async () => {
  const key = overdue();
  await run('escalation', `key=${key} service=payments-api`, `${key} is over its SLA`);
  expect(workspace.pages().at(-1)).toMatchObject({
    service: 'PSPAY01',
    title: expect.stringContaining(`${key} is over its SLA`),
  });
  const { comments } = workspace.sandbox.jira.store.find(key);
  expect(JSON.stringify(comments)).toContain('the on-call of payments-api was paged');
});

test('hand-over-summary posts the open work and who takes over', async () => {
  await run('hand-over-summary', 'service=checkout project=WEB channel=#incidents', 'Hand-over for checkout');
  expect(posted('incidents')).toMatch(/Hand-over for checkout:[\s\S]*WEB-\d+/);
});

test('incident-kick-off opens a ticket, pages with its link and announces it', async () => {
  const done = await run(
    'incident-kick-off',
    'service=payments-api project=PAY channel=#payments-alerts what="card payments fail"',
    'card payments fail',
  );
  const ticket = issues().find(({ summary }) => summary === 'card payments fail');
  expect(ticket).toMatchObject({ key: expect.stringMatching(/^PAY-/), priority: 'P1' });
  expect(workspace.pages().at(-1)?.title).toContain(`card payments fail. Ticket: http`);
  expect(posted('payments-alerts')).toContain('Incident on payments-api: card payments fail. Ticket: ');
  expect(done).toContain(ticket?.key);
});

test('incident-follow-up creates two tickets and notes both on the incident', async () => {
  const incident = workspace.pages().at(-1);
  await run('incident-follow-up', `incident=${incident?.id} project=OPS`, 'Write the review of incident');
  const made = issues().filter(({ summary }) => summary.includes(`incident ${incident?.id}`));
  expect(made.map(({ issueType }) => issueType)).toEqual(['Task', 'Task']);
  for (const { key } of made) expect(incident?.notes.at(-1)?.content).toContain(key);
});

test('morning-report posts the counts, the incidents and who is on call', async () => {
  await run('morning-report', 'project=PAY service=payments-api channel=#general', 'Good morning');
  expect(posted('general')).toMatch(
    /Open in PAY: P1 4, P2 2\. PagerDuty incidents of payments-api: 2\s+On call: .*Ben Okafor/,
  );
});

test('noisy-service-check posts when there were too many incidents, and nothing otherwise', async () => {
  await run('noisy-service-check', 'service=payments-api limit=1 channel=#general', 'payments-api had 2');
  expect(posted('general')).toContain('payments-api had 2 incidents');
  const quiet = await card(
    'noisy-service-check',
    'service=ops limit=5 channel=#general',
    /ops[\s\S]*nothing/i,
  );
  expect(wordsOf(quiet)).not.toContain('Approve');
});

test('stale-p1-sweep posts the oldest open tickets', async () => {
  await run('stale-p1-sweep', 'project=OPS channel=#incidents', 'oldest first');
  expect(posted('incidents')).toMatch(/Open P1 tickets in OPS, oldest first:\s+OPS-\d+/);
});

test('unassigned-report posts the unassigned tickets', async () => {
  await run('unassigned-report', 'project=WEB channel=#incidents', 'Nobody is assigned to these in WEB');
  expect(posted('incidents')).toMatch(/Nobody is assigned to these in WEB:\s+WEB-\d+/);
});

test('workload-report posts how many tickets each person has', async () => {
  await run('workload-report', 'project=OPS priority=P1 channel=#incidents', 'each person has');
  expect(posted('incidents')).toMatch(/nobody: 8\s+Chiara Conti: 4[\s\S]*Nobody has OPS-1, OPS-4/);
});

test('alert-evidence says who is on call, what is known and what the runbook says', async () => {
  const found = await card('alert-evidence', 'service=payments-api project=PAY', /Ben Okafor[\s\S]*PAY-\d+/);
  expect(wordsOf(found)).not.toContain('Approve');
});

test('every playbook is covered here', () => {
  const all = readdirSync('playbooks').map((file) => file.replace(/\.yml$/, ''));
  expect([...tried].sort()).toEqual(all.sort());
});
