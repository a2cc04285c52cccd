/** Why: a watch is quiet until something is wrong, reports it in one thread, and asks for an approval once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bot } from '../../support/bot.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { setOpenTickets } from '../../support/tickets.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const steps = [
  'count = jira.count project=OPS priority=P1 status=open',
  'when count.total > 30: pagerduty.page service=ops text="OPS has {count.total} open P1 tickets"',
];
const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const paging = [`watch: every 10m until ${inAMonth} worse by 10`, ...steps].join('; ');

let workspace: Workspace;
let second: Bot | undefined;
beforeAll(async () => {
  const watches = { days: 7, max_days: 365, per_person: 3, min_minutes: 5, failures: 3 };
  workspace = await Workspace.start({ config: configWith({ watches }) });
  second = await workspace.startAnother();
});
afterAll(async () => {
  await second?.stop();
  await finish(workspace);
});

/** Makes a watch check now and waits for it. */
async function look(id: string): Promise<void> {
  const before = await rows(workspace, 'select looked_at, ended_at from watches where id = $1', [id]);
  await rows(workspace, 'update watches set next_at = $2 where id = $1', [id, new Date()]);
  await until(async () => {
    const now = await rows(workspace, 'select looked_at, ended_at from watches where id = $1', [id]);
    return JSON.stringify(now) !== JSON.stringify(before);
  });
}

async function watchOf(goal: string): Promise<string> {
  const [row] = await rows(workspace, 'select id from watches where goal = $1 order by created_at desc', [
    goal,
  ]);
  return String(row?.id);
}

const heads = (): Message[] =>
  workspace.messages().filter((message) => message.threadTs === undefined && message.isBot);
const below = (head: Message): Message[] =>
  workspace.messages().filter(({ threadTs, ts }) => threadTs === head.ts && ts !== head.ts);

let id = '';

test('a new watch says what it checks, how often and until when, and then stays quiet', async () => {
  setOpenTickets(workspace, 24);
  await workspace.plan('ben', paging);
  const made = await workspace.card('Watching');
  expect(wordsOf(made)).toMatch(
    /every 10 minutes:\s+Page the on-call of ops if there are more than 30 open P1 tickets in OPS/,
  );
  expect(wordsOf(made)).toContain('when it gets worse by 10');
  expect(actionsOf(made.blocks)).toEqual(['watch.end']);
  id = await watchOf(paging);
  await until(
    async () => (await rows(workspace, 'select 1 from watches where found is not null')).length === 1,
  );
  await look(id);
  expect(heads()).toHaveLength(1);
  expect(below(made)).toEqual([]);
  const [{ found } = {}] = await rows(workspace, 'select found from watches');
  expect(found).toBe('24 open P1 tickets in OPS: not more than 30');
});

let card: Message;

test('on a breach two processes post one card, and nothing more while it is pending', async () => {
  setOpenTickets(workspace, 32);
  await look(id);
  card = await workspace.card('32 open P1 tickets in OPS');
  expect(wordsOf(card)).toContain('From a watch that checks every 10 minutes.');
  expect(wordsOf(card)).toContain('The check before: 24 open P1 tickets in OPS: not more than 30.');
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  setOpenTickets(workspace, 41);
  await look(id);
  expect(heads()).toHaveLength(2);
  expect(below(card)).toEqual([]);
});

test("a further step worse is posted in the card's thread, without another card", async () => {
  setOpenTickets(workspace, 42);
  await look(id);
  await workspace.reply(card, /Worse:\s+42 open P1 tickets in OPS.*Last time I said 32\./s);
  expect(heads()).toHaveLength(2);
});

test('it stays quiet while the incident is open, and asks again in the thread after it is resolved', async () => {
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  setOpenTickets(workspace, 60);
  await look(id);
  await workspace.reply(card, /Worse:\s+60 open P1 tickets/);
  expect(workspace.pages()).toHaveLength(1);
  expect(below(card).filter((one) => actionsOf(one.blocks).includes('plan.approve'))).toEqual([]);
  workspace.resolvePages();
  await look(id);
  const again = await workspace.reply(card, '60 open P1 tickets in OPS');
  await until(async () => below(card).some((one) => actionsOf(one.blocks).includes('plan.approve')));
  expect(again.threadTs).toBe(card.ts);
  expect(heads()).toHaveLength(2);
});

test('when it is over the thread says so, and the pending card cannot be approved', async () => {
  const waiting = below(card).find((one) => actionsOf(one.blocks).includes('plan.approve'));
  if (waiting === undefined) throw new Error('no card waits');
  setOpenTickets(workspace, 12);
  await look(id);
  await workspace.reply(card, /Over:\s+12 open P1 tickets in OPS: not more than 30/);
  await workspace.becomes(waiting, 'Cancelled');
  expect(workspace.pages()).toHaveLength(1);
});

test('failed checks are reported once to the owner, and so is the recovery', async () => {
  const made = await workspace.card('Watching');
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 503 });
  for (let count = 0; count < 5; count += 1) await look(id);
  await workspace.reply(made, /cannot check.*3 checks in a row failed/s);
  workspace.sandbox.faults.clear();
  await look(id);
  await workspace.reply(made, 'works again');
  expect(below(made).filter((one) => wordsOf(one).includes('cannot check'))).toHaveLength(1);
});

test('missed checks are reported, and one check makes up for them', async () => {
  const made = await workspace.card('Watching');
  await second?.stop();
  await workspace.bot.stop();
  const past = new Date(Date.now() - 45 * 60_000);
  await rows(workspace, 'update watches set next_at = $2 where id = $1', [id, past]);
  const [{ looked_at: before } = {}] = await rows(workspace, 'select looked_at from watches');
  const starts = [workspace.startAnother(), workspace.startAnother()];
  const [one, other] = await Promise.all(starts);
  if (one === undefined || other === undefined) throw new Error('the bots did not start');
  workspace.bot = one;
  second = other;
  await workspace.reply(made, /was missed\s+4 times.*It is checking again/s);
  await until(async () => {
    const [row] = await rows(workspace, 'select looked_at from watches');
    return JSON.stringify(row?.looked_at) !== JSON.stringify(before);
  });
  expect(below(made).filter((reply) => wordsOf(reply).includes('was missed'))).toHaveLength(1);
}, 60_000);

test('it is listed with its last reading; only its owner can end it', async () => {
  await workspace.plan('dev', 'watches');
  const listed = await workspace.whisper('dev', '12 open P1 tickets in OPS: not more than 30');
  expect(wordsOf(listed)).toMatch(/every 10 minutes\s+· next/);
  await workspace.plan('dev', 'status');
  await workspace.whisper('dev', /Watches.*every 10 minutes/s);
  const made = await workspace.card('Watching');
  await workspace.click('dev', made, 'watch.end');
  await workspace.whisper('dev', 'You cannot end or change this.');
  await workspace.click('ben', made, 'watch.end');
  await workspace.reply(made, /has ended.*by hand.*Last check:\s+12 open P1 tickets/s);
  await workspace.becomes(made, 'has ended');
  await workspace.plan('dev', 'watches');
  await workspace.whisper('dev', 'There are no watches you can see');
});

test('a watch in plain words takes its interval and end from the goal, and the rest is planned', async () => {
  await workspace.plan('eva', 'Watch OPS P1 every 10 minutes and page ops over 90, until tomorrow');
  const made = await workspace.card(
    /Watching\s+every 10 minutes:\s+Page the on-call of ops if there are more than 90 open P1 tickets in OPS/,
  );
  expect(wordsOf(made)).not.toContain('no end was given');
  await workspace.plan('eva', 'count open P1 tickets in OPS hourly');
  const question = await workspace.card('At what number should I tell you?');
  await workspace.click('eva', question, 'clarify.answer.0');
  const other = await workspace.card(/Watching\s+every hour:/);
  expect(wordsOf(other)).toContain('because no end was given');
  setOpenTickets(workspace, 11);
  const goal = 'count open P1 tickets in OPS hourly';
  await look(await watchOf(goal));
  await workspace.card(/^11 open P1 tickets in OPS/);
  await rows(workspace, "update watches set until = now() where owner = 'U0EVA'");
  await workspace.reply(other, 'It reached its end date.');
});

test('a watch on logs looks at the time since its last check, and says so and that it only pages when approved', async () => {
  const goal = 'errors of checkout every 5 minutes, page over 50';
  await workspace.plan('eva', goal);
  const made = await workspace.card(
    /every 5 minutes:\s+Page the on-call of checkout if the number of errors of checkout in the last 5 minutes is more than 50/,
  );
  expect(wordsOf(made)).toMatch(
    /Each time it asks for an approval first, .*“Approve from now on…” on its card/,
  );
  const change = { as: 'eva', channel: 'ops', threadTs: made.ts, text: '<@U0COUNTER> every hour' };
  await workspace.sandbox.slack.postAs(change);
  await workspace.becomes(made, /every hour:.*errors of checkout in the last hour is more/s);
  await workspace.click('eva', made, 'watch.end');
  await workspace.becomes(made, 'has ended');
});

test('a too short interval, an invalid end and one watch too many are refused', async () => {
  const refused = async (line: string, words: string | RegExp) => {
    await workspace.plan('dev', [`watch: ${line}`, ...steps].join('; '));
    await workspace.whisper('dev', words);
  };
  await refused('every 1m', /That is too often.*no more often than every 5 minutes/s);
  await refused('at "* * * * *" UTC', 'That is too often.');
  await refused('every 10m until 2020-01-01', 'That end time is in the past.');
  await refused('every 10m until 2098-01-01', 'That end time is too far ahead.');
  for (const minutes of [10, 20, 30]) {
    await workspace.plan('dev', [`watch: every ${minutes}m`, ...steps].join('; '));
    await workspace.card(new RegExp(`Watching\\s+every ${minutes} minutes`));
  }
  await refused('every 40m', 'No room for another watch.');
  const [{ days } = {}] = await rows(
    workspace,
    "select extract(day from until - created_at)::int as days from watches where owner = 'U0DEV' limit 1",
  );
  expect(Number(days)).toBeGreaterThanOrEqual(6);
  expect(wordsOf(await workspace.card(/Watching\s+every 30 minutes/))).toContain('because no end was given');
});

test('an expired watch says so in its thread', async () => {
  const made = await workspace.card(/Watching\s+every 30 minutes/);
  await rows(workspace, "update watches set until = now() - interval '1 minute' where owner = 'U0DEV'");
  await workspace.reply(made, 'It reached its end date.');
});
