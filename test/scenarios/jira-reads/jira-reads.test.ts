/** Why: questions about tickets are answered exactly, with links, and the text of a ticket stays text. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

/** Plans and, if the card needs it, approves; resolves with the answer, or with the card once its run is over. */
async function run(as: string, notation: string, words: string): Promise<Message> {
  await workspace.plan(as, notation);
  const card = await workspace.card(words, 'ops', 25_000);
  if (!actionsOf(card.blocks).includes('plan.approve')) return card;
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^(Done|Failed|Partly done)/, 25_000);
  return card;
}

const store = () => workspace.sandbox.jira.store;

function ticket(fields: Partial<Parameters<ReturnType<typeof store>['create']>[0]>) {
  return store().create({ project: 'PAY', summary: 'A ticket', reporter: store().bot, ...fields });
}

test('a condition can test whether a ticket is done, whatever its workflow calls that status', async () => {
  const resolved = ticket({ status: 'Resolved', summary: 'Payouts late <!channel> *now*' }).key;
  const open = ticket({ status: 'Blocked' }).key;
  const plan = (key: string) =>
    `t = jira.get key=${key}; when !t.done: slack.post channel=#incidents text="${key} is {t.status}"`;
  const skipped = await run('ben', plan(resolved), resolved);
  const final = wordsOf(skipped);
  expect(final).toMatch(
    new RegExp(`${resolved}\\s+is Resolved, assigned to nobody: Payouts late <!channel> \\*now\\*`),
  );
  await run('ben', plan(open), open);
  expect(wordsOf(await workspace.card(`${open} is Blocked`, 'incidents'))).toContain('Blocked');
  expect(workspace.messages('incidents').some((m) => wordsOf(m).includes(`${resolved} is`))).toBe(false);
});

test('"mine" is the requester, and the query links to the same list in Jira', async () => {
  const ben = store().users.find(({ displayName }) => displayName === 'Ben Okafor') ?? null;
  const mine = [1, 2, 3].map((at) => ticket({ project: 'WEB', assignee: ben, summary: `Mine ${at}` }).key);
  ticket({ project: 'WEB', summary: 'Of nobody' });
  const card = await run(
    'ben',
    'jira.search project=WEB status="To Do" assignee=me text=Mine',
    'whoever asked',
  );
  for (const key of mine) expect(wordsOf(card)).toContain(key);
  expect(wordsOf(card)).not.toContain('Of nobody');
  const { url } = workspace.sandbox.jira;
  expect(JSON.stringify(card.blocks)).toContain(`"url":"${url}/issues/?jql=`);
  expect(wordsOf(card)).toContain('3 To Do tickets in WEB');
});

test('a thousand tickets are counted exactly, and the list says how many it shows', async () => {
  for (let at = 0; at < 1_000; at += 1) ticket({ labels: ['flood'], summary: `Payment ${at} was declined` });
  const card = await run('ben', 'jira.search project=PAY label=flood limit=1000', 'labelled flood');
  expect(wordsOf(card)).toContain('1,000 tickets in PAY labelled flood');
  expect(wordsOf(card)).toMatch(/\d+ of 1,000 shown/);
  const count = await run(
    'ben',
    'jira.count project=PAY label=flood',
    '1,000 tickets in PAY labelled flood.',
  );
  expect(wordsOf(count)).toMatch(/^1,000 tickets in PAY labelled flood\./);
});

test('the SLA comes from Jira for a service project, and from the operator for any other', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const late = ticket({ project: 'OPS', priority: 'P2', created: hoursAgo(9), summary: 'Late <@U0ANA>' }).key;
  const soon = ticket({ project: 'PAY', priority: 'P1', created: hoursAgo(1.8) }).key;
  const jira = await run('ben', `jira.sla key=${late}`, `SLA of ${late}`);
  expect(wordsOf(jira)).toMatch(/is 1 hour over its SLA/);
  expect(wordsOf(jira)).toMatch(/Time to resolution|Late/);
  const ours = await run(
    'ben',
    `s = jira.sla project=PAY priority=P1 within=PT30M; when s.total > 0: slack.post channel=#incidents text="soon: {s.lines}"`,
    'in the next 30 minutes',
  );
  await workspace.reply(ours, /^Done/);
  expect(wordsOf(await workspace.card('soon: ', 'incidents'))).toContain(
    `${soon}  A ticket  (P1, at risk, 1`,
  );
});

test('an unknown ticket, person, status or time fails and names the argument', async () => {
  for (const [notation, words, why] of [
    [
      'jira.get key=OPS-99999',
      'Show OPS-99999',
      /Jira has no ticket OPS-99999, or does not show it to the bot/,
    ],
    [
      'jira.count assignee="Zoe Nobody"',
      'to Zoe Nobody',
      /argument assignee is “Zoe Nobody”, but Jira knows nobody/,
    ],
    ['jira.count status="\\" OR project = PAY"', 'OR project', /does not exist for the field 'status'/],
    ['jira.count window="5 moons"', '5 moons', /`window` must be a duration such as 30m/],
    ['jira.count updated_since=someday', 'someday', /`updated_since` must be a time such as 14:30/],
  ] as const) {
    const card = await run('ben', notation, words);
    expect(wordsOf(card)).toMatch(why);
  }
});

test('a key that would change the request path never becomes a plan', async () => {
  const before = workspace.sandbox.journal.list({ vendor: 'jira' }).length;
  for (const key of ['OPS-1/../../myself', 'OPS-1?x=1', 'OPS-1 OR key = PAY-1', 'OPS-1%2F..']) {
    await workspace.plan('ben', `jira.get key="${key}"`);
    await workspace.until(
      () =>
        workspace
          .messages()
          .some((m) => /`?key`? must be a Jira issue key/.test(wordsOf(m)) && wordsOf(m).includes(key)),
      `a word about ${key}`,
    );
  }
  expect(workspace.sandbox.journal.list({ vendor: 'jira' })).toHaveLength(before);
});

test('“yesterday” ends at midnight, in words and in notation, and an unknown time runs nothing', async () => {
  const day = 86_400_000;
  const today = Math.floor(store().now().getTime() / day) * day;
  for (const back of [30, 12, 1, -0.01])
    ticket({
      project: 'WEB',
      labels: ['calendar'],
      created: new Date(today - back * 3_600_000),
    });
  const said = await run(
    'ben',
    'how many tickets labelled calendar were opened yesterday in WEB',
    'created yesterday',
  );
  expect(wordsOf(said)).toContain('2 tickets in WEB labelled calendar created yesterday');
  const since = await run(
    'ben',
    'jira.count project=WEB label=calendar since=yesterday',
    'created since yesterday',
  );
  expect(wordsOf(since)).toContain('3 tickets in WEB labelled calendar created since yesterday');

  await workspace.plan('ben', 'jira.count project=WEB during="the other day"');
  await workspace.card('`during` must be a day, week or month such as yesterday, last week or 2026-03-10');
});

test('a ticket that lacks a field is counted and named, and the others are listed', async () => {
  const moment = '2026-03-10T12:00:00.000+0000';
  const fields = {
    ...{ summary: 'Whole', status: { name: 'To Do' }, priority: null, assignee: null },
    ...{ project: {}, created: moment, updated: moment },
  };
  const issues = [
    { id: '1', key: 'OPS-901', fields },
    { id: '2', key: 'OPS-902', fields: { summary: 'No status' } },
  ];
  workspace.sandbox.faults.add({
    ...{ vendor: 'jira', kind: 'status', status: 200, match: { path: '/rest/api/3/search/jql' } },
    body: { issues, isLast: true },
  });
  await workspace.plan('ben', 'jira.search project=OPS label=odd');
  const answer = await workspace.card('OPS-901');
  workspace.sandbox.faults.clear();
  expect(wordsOf(answer)).toMatch(/2 tickets in OPS labelled odd/);
  expect(wordsOf(answer)).toMatch(/OPS-901\s.*OPS-902\s+Could not be read/s);
});
