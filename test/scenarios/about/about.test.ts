/** Why: at 3 a.m. people ask what is pending, what is running, who approved it and how it ended, and want to stop it all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditCommand } from '../../../src/commands/audit.ts';
import { configWith, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, labelsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({ operators: ['S0SRE'] }) });
});
afterAll(() => finish(workspace));

const page = 'pagerduty.page service=ops text="the disk of db-1 is full"';
const post = (text: string) => `slack.post channel=#incidents text="${text}"`;

async function answer(as: string, words: string, fits: RegExp, channel = 'ops'): Promise<Message> {
  await workspace.plan(as, words, channel);
  return workspace.whisper(as, fits, channel);
}

/** The digits at the foot of a card, as people copy them. */
function idOn(card: Message): string {
  return /[0-9a-f]{4} [0-9a-f]{4}/.exec(wordsOf(card))?.[0] ?? '';
}

let paged: Message;

test('pending plans are listed for their approvers and for the person who asked', async () => {
  await workspace.plan('ben', page);
  paged = await workspace.card('db-1');
  expect(wordsOf(await answer('ana', 'mine', /Waiting for you/))).toMatch(
    /Waiting for you Waiting.*Page.*ops/s,
  );
  expect((await answer('ana', 'mine', /Waiting for you/)).text).toBe('1 plan waits for you');
  const ben = wordsOf(await answer('ben', 'mine', /Your plans/));
  expect(ben).toMatch(/Nothing waits for your approval.*Your plans, newest first Waiting/s);
  expect(wordsOf(await answer('eva', 'status', /Writes are allowed/))).toMatch(
    /Nothing is running.*Waiting for approval Waiting/s,
  );
});

test("a plan's story names the requester, the card, the clicks, the run and the vendor's answer", async () => {
  await workspace.click('eva', paged, 'plan.approve');
  await workspace.whisper('eva', 'You cannot approve this one.');
  await workspace.click('chiara', paged, 'plan.approve');
  await workspace.reply(paged, /^Done/);
  const story = wordsOf(await answer('dev', `show ${idOn(paged)}`, /Verified/));
  for (const part of [
    'the disk of db-1 is full',
    'shown as a card',
    '’s click to approve was rejected',
    'not an approver',
    'Approved',
  ]) {
    expect(story).toContain(part);
  }
  expect(story).toMatch(/Run of revision 1: done ✓ .*paged/s);
  expect(story).toMatch(/pagerduty\.page \(page\) was about to be sent.*made .*answer.*"result"/s);
  expect(story).toContain('none between them is missing');
});

test("a plan's results are JSON for a program, and a phone's dash is understood", async () => {
  const { blocks } = await answer('dev', `show ${idOn(paged)} —json`, /The plan as JSON/);
  const text = JSON.stringify(blocks);
  expect(text).toContain('rich_text_preformatted');
  const parsed = JSON.parse(
    [...text.matchAll(/"rich_text_preformatted","elements":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")/g)]
      .map(([, piece = '""']) => JSON.parse(piece))
      .join('\n'),
  );
  expect(parsed).toMatchObject({ revision: 1, state: 'ended', proven: true });
  expect(parsed.runs.at(-1)).toMatchObject({ mode: 'run', outcome: 'done' });
  expect(parsed.runs.at(-1).steps.at(-1)).toMatchObject({ tool: 'pagerduty.page', status: 'succeeded' });
});

test('the card can be viewed as it was shown, without its buttons', async () => {
  const story = await answer('dev', `show ${idOn(paged)}`, /Verified/);
  const { slack } = workspace.sandbox;
  await slack.clickButton({ as: 'dev', channel: story.channel, ts: story.ts, actionId: 'story.card' });
  const shown = await workspace.whisper('dev', /The card of revision 1 as it was shown/);
  expect(wordsOf(shown)).toContain('the disk of db-1 is full');
  expect(actionsOf(shown.blocks)).toEqual([]);
});

test('the command line prints the same story and reports a log or plan changed afterwards', async () => {
  const said: string[] = [];
  const show = () => {
    said.length = 0;
    const out = (line: string) => void said.push(line);
    return auditCommand(['show', ...idOn(paged).split(' ')], { variables: workspace.env, out, error: out });
  };
  expect(await show()).toBe(0);
  expect(said.join('\n')).toMatch(/Approved by @U0CHIARA[\s\S]*Verified[\s\S]*\| .*the disk of db-1 is full/);
  expect(said).toContain('  | The whole plan');
  const tamper = "update shown_cards set message = jsonb_set(message, '{text}', '\"a harmless plan\"')";
  await rows(workspace, tamper);
  expect(await show()).toBe(1);
  expect(said.join('\n')).toContain('NOT the card that was shown');
});

test('history filters by service, person or channel and rejects a name it does not know', async () => {
  await workspace.plan('ben', post('the deploy is done'));
  const card = await workspace.card('the deploy is done');
  await workspace.click('eva', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('eva');
  await workspace.sandbox.slack.submitView({ as: 'eva', viewId, values: { reason: { v: 'not yet' } } });
  await workspace.becomes(card, 'Rejected');
  const ops = await answer('dev', 'history ops', /History of ops/);
  expect(ops.text).toBe('History of ops: 1 plan');
  expect(wordsOf(ops)).toMatch(/Done.*Page/s);
  expect(wordsOf(await answer('dev', 'history #incidents', /History of #incidents/))).toMatch(
    /Rejected.*Post/s,
  );
  const all = wordsOf(await answer('dev', 'history @ben', /History of @ben/));
  expect(all).toMatch(/Rejected.*Done/s);
  expect(wordsOf(await answer('dev', 'history @chiara', /History of @chiara/))).toMatch(/Done.*Page/s);
  expect(wordsOf(await answer('eva', 'history OPS-7', /History of OPS-7/))).toContain(
    'Nothing you can see yet',
  );
  await answer('eva', 'history nonsense', /I don’t know that name/);
});

test('plans from a direct message are visible only to its members', async () => {
  const { slack, world } = workspace.sandbox;
  const body = new URLSearchParams({ token: world.slack.botToken, users: workspace.person('ben') });
  await fetch(`${slack.apiUrl}conversations.open`, { method: 'POST', body });
  const ben = workspace.person('ben');
  const direct = slack.state(ben).channels.find(({ im }) => im === ben)?.id ?? '';
  await slack.postAs({ as: 'ben', channel: direct, text: post('a private word') });
  const posted = () =>
    slack
      .state(ben)
      .channels.find(({ id }) => id === direct)
      ?.messages.find((m) => /private word/.test(wordsOf(m)) && m.isBot);
  await workspace.until(() => posted() !== undefined, 'a card in the direct message');
  const id = idOn(posted() as Message);
  await answer('ben', `show ${id}`, /a private word[\s\S]*Verified/);
  expect(wordsOf(await answer('dev', `show ${id}`, /There is no such plan/))).not.toContain('private');
  expect(wordsOf(await answer('dev', 'status', /No plans are waiting/))).not.toContain('private');
});

test('operators stop and resume all writes from Slack, the channel is told, and others learn who can', async () => {
  await answer('eva', 'stop all: I am scared', /You cannot do that/);
  await answer('ana', 'stop all: the database is being moved', /All writes are stopped/);
  const told = await workspace.card('All writes are stopped');
  expect(wordsOf(told)).toContain('the database is being moved');
  expect(wordsOf(await answer('eva', 'status', /All writes are stopped/))).toContain(
    'the database is being moved',
  );
  await workspace.plan('ben', page.replace('db-1', 'db-2'));
  const card = await workspace.card('db-2');
  await workspace.click('chiara', card, 'plan.approve');
  const refused = await workspace.whisper('chiara', 'Nothing was approved');
  expect(JSON.stringify(refused.blocks)).toContain(workspace.person('ana'));
  expect(wordsOf(refused)).toContain('(the database is being moved)');
  expect(workspace.pages()).toHaveLength(1);
  await answer('chiara', 'resume', /Writes are allowed again/);
  await answer('dev', 'stop', /Nothing is running/);
});

test('a write sent several times under one key is listed once with its send count', async () => {
  const { faults } = workspace.sandbox;
  faults.add({ vendor: 'pagerduty-events', kind: 'status', status: 500, times: 2 });
  await workspace.plan('ben', page.replace('db-1', 'db-3'));
  const card = await workspace.card('db-3');
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const story = wordsOf(await answer('dev', `show ${idOn(card)}`, /db-3[\s\S]*Verified/));
  expect(story.match(/was about to be sent/g)).toHaveLength(1);
  expect(story).toMatch(/was about to be sent\s+3 times/);
});

test('a goal that only resembles a built-in command is planned', async () => {
  await workspace.plan('eva', 'show OPS-7');
  await workspace.plan('eva', 'stop the deploy');
  const asked =
    "select goal from requests where goal in ('show OPS-7', 'stop the deploy') and state <> 'planning'";
  await until(async () => (await rows(workspace, asked)).length === 2);
});

test('a mistyped command or id is answered privately', async () => {
  await answer('eva', 'statsu', /“statsu”.*Did you mean\s+\/plan status/s);
  await answer('eva', 'show 3fa9', /“3fa9” is not the id of a plan/);
  await answer('eva', 'stop zzzz', /“zzzz” is not the id of a plan or run\..*\/plan status/s);
  await answer('eva', 'show plan zzzz', /“zzzz” is not the id of a plan/);
  await answer('eva', 'run nope', /There is no playbook “nope”\. \/plan list shows/);
  await answer('eva', `policy ${idOn(paged)}`, /approve/);
  await answer('eva', 'policy 930daa7b', /There is no such plan/);
  const asked = /What should I look up|statsu|zzz|nope/;
  expect(workspace.messages().filter((one) => !one.ephemeralFor && asked.test(wordsOf(one)))).toEqual([]);
});

test('an empty command opens a form: free text, recent requests, or a playbook with its inputs', async () => {
  const { slack } = workspace.sandbox;
  await workspace.plan('eva', '');
  const { id: viewId, ...first } = await workspace.modal('eva');
  expect(JSON.stringify(first)).toContain('show OPS-7');
  await slack.submitView({ as: 'eva', viewId, values: {} });
  await slack.blockActionInView({
    ...{ as: 'eva', viewId, blockId: 'choose_playbook', actionId: 'ask.playbook' },
    value: 'sla-breach-check',
  });
  const shows = () =>
    JSON.stringify(slack.state(workspace.person('eva')).views[workspace.person('eva')] ?? []);
  await workspace.until(() => shows().includes('priority that the SLA is about'), 'the inputs');
  const values = { 'in:project': { v: 'OPS' }, 'in:priority': { v: 'P1' }, 'in:service': { v: 'ops' } };
  await slack.submitView({ as: 'eva', viewId, values });
  const card = await workspace.card(/Compare open P1 tickets in OPS|open P1 tickets/);
  expect(wordsOf(card)).toContain('P1');
});

test('their own plans are found behind requests without one, and those that wait have a button to cancel', async () => {
  await workspace.plan('eva', 'pagerduty.page service=ops text="the disk of db-9 is full"');
  const card = await workspace.card('db-9');
  for (let nth = 0; nth < 11; nth += 1) await workspace.plan('eva', `water the plants on floor ${nth}`);
  const refused = "select count(*)::int as n from requests where goal like 'water%' and state = 'refused'";
  await until(async () => (await rows(workspace, refused))[0]?.n === 11);
  const list = await answer('eva', 'mine', /Your plans, newest first/);
  expect(labelsOf(list.blocks)).toContain('Cancel: Page the on-call of ops');
  await workspace.click('eva', list, 'plan.cancel');
  await workspace.becomes(card, 'Rejected');
  const other = await answer('dev', 'status', /Waiting for approval/);
  expect(labelsOf(other.blocks)).toEqual([]);
});

test('lists of many plans fit, and say how many more there are', async () => {
  const goal = (nth: number) => `page ops and payments-api and checkout: data centre ${nth} is gone`;
  for (let nth = 0; nth < 14; nth += 1) await workspace.plan('ana', goal(nth));
  const waits =
    "select count(*)::int as n from revisions where state = 'proposed' and 'U0ANA' = any(authors)";
  await until(async () => (await rows(workspace, waits))[0]?.n === 14);
  const list = await answer('ana', 'mine', /Your plans, newest first.*payments-api/s);
  expect(wordsOf(list)).toMatch(/and \d+ more/);
  expect(labelsOf(list.blocks)).toContain('Older');
  const open = await answer('ana', 'stop', /Open now/);
  expect(wordsOf(open)).toContain('14 of your plans waiting');
  expect(wordsOf(open)).toMatch(/and \d more: +\/plan mine +lists yours/);
});
