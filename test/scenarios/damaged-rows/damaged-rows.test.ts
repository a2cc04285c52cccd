/** Why: one row changed in the database must not block later pages, nor stop the bot's background work. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shortDigest } from '../../../src/core/canonical.ts';
import { cli } from '../../support/cli.ts';
import { freePort } from '../../support/port.ts';
import { buttonValue, configWith, finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let metricsUrl: string;
beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const rules = [{ approvers: ['U0ANA'], backup: ['U0DEV'] }];
  const config = configWith({ rules, operators: ['U0CHIARA'] });
  workspace = await Workspace.start({ config, env: { OPS_PORT: String(port) } });
});
// Each damaged row is logged as an error once.
afterAll(() => finish(workspace, /A stored row is damaged|Handler failed/));

const page = (text: string) => `pagerduty.page service=ops text="${text}"`;

async function asked(as: string, text: string): Promise<Message> {
  await workspace.plan(as, page(text));
  const card = await workspace.card(text);
  const known = () => rows(workspace, 'select card_ts from revisions where card_ts = $1', [card.ts]);
  await until(async () => (await known()).length === 1);
  return card;
}

/** Changes the stored plan of a card behind the bot's back. */
async function damage(card: Message, state = 'proposed'): Promise<string> {
  const [row] = await rows(
    workspace,
    `update revisions set bytes = replace(bytes, '"ops"', '"checkout"')
      where card_ts = $1 and state = $2 returning digest`,
    [card.ts, state],
  );
  return shortDigest(String(row?.digest));
}

const past = "clock_timestamp() - interval '1 second'";

let broken: Message;
let sound: Message;
let id = '';

test('a request for the service of a damaged plan gets its own card', async () => {
  broken = await asked('ben', 'the disk is full');
  id = await damage(broken);
  sound = await asked('dev', 'the queue is stuck');
  expect(actionsOf(sound.blocks)).toContain('plan.approve');
});

test('status, mine, history and Home list the damaged plan by its id among the others', async () => {
  for (const words of ['status', 'history']) {
    await workspace.plan('ben', words);
    const shown = wordsOf(await workspace.whisper('ben', id));
    expect(shown).toMatch(/[Dd]amaged/);
    expect(shown).toContain(shortDigest(JSON.parse(buttonValue(sound, 'plan.approve') ?? '').d));
  }
  await workspace.plan('ben', 'mine');
  expect(wordsOf(await workspace.whisper('ben', 'Your plans'))).toContain(id);
  await workspace.sandbox.slack.openHome({ as: 'ben' });
  expect(JSON.stringify(await workspace.home('U0BEN'))).toContain(id);
  await workspace.plan('ben', `show ${id}`);
  expect(wordsOf(await workspace.whisper('ben', 'NOT PROVEN'))).toMatch(/damaged/i);
});

test('a damaged plan cannot be approved, and the audit log records the attempt', async () => {
  await workspace.click('ana', broken, 'plan.approve');
  await workspace.whisper('ana', /Nothing was done.*was changed after it was shown/s);
  const lines = await rows(workspace, "select subject from audit where kind = 'revision.tampered'");
  expect(lines).toHaveLength(1);
});

test('an operator is notified of the damage once, and it is counted in the metrics', async () => {
  const direct = () =>
    workspace
      .messages('U0CHIARA', 'U0CHIARA')
      .map(wordsOf)
      .filter((words) => words.includes('damaged'));
  await workspace.until(() => direct().length > 0, 'a word to the operator');
  await workspace.plan('ben', 'status');
  await workspace.whisper('ben', 'Waiting for approval');
  expect(direct()).toHaveLength(1);
  const found = await (await fetch(metricsUrl)).text();
  expect(found).toContain('countersign_damaged_rows_total{kind="plan"} 1');
});

test('other plans are still reminded and expired, and the damaged plan expires with them', async () => {
  await rows(workspace, `update revisions set nudge_at = ${past} where state = 'proposed'`);
  await workspace.reply(sound, 'Still waiting for approval');
  await rows(workspace, `update revisions set expires_at = ${past} where state = 'proposed'`);
  await workspace.becomes(sound, /Expired/);
  await workspace.becomes(broken, /damaged/);
  const left = await rows(workspace, "select id from requests where state not in ('closed', 'finished')");
  expect(left).toEqual([]);
});

test("repeating a damaged plan's request makes a new card and closes the damaged one", async () => {
  const first = await asked('ben', 'the cache is cold');
  await damage(first);
  await workspace.plan('ben', page('the cache is cold'));
  await workspace.becomes(first, /damaged/);
  await until(
    async () => (await rows(workspace, "select 1 from revisions where state = 'proposed'")).length === 1,
  );
  const second = await workspace.card(/the cache is cold/);
  expect(second.ts).not.toBe(first.ts);
  await workspace.click('ana', second, 'plan.approve');
  await workspace.becomes(second, /Done/);
});

test('a revision is shown even if the one before it is damaged meanwhile', async () => {
  await workspace.plan('ben', `n = jira.count project=OPS status=open; ${page('the mirror is slow')}`);
  const first = await workspace.card('the mirror is slow');
  const slow = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'delay' });
  await workspace.sandbox.slack.postAs({
    ...{ as: 'ben', channel: 'ops', threadTs: first.ts },
    text: `<@U0COUNTER> n = jira.count project=OPS status=open; ${page('the mirror is slower')}`,
  });
  const stored = () => rows(workspace, "select 1 from revisions where bytes like '%is slower%'");
  await until(async () => (await stored()).length === 1);
  await damage(first, 'superseded');
  workspace.sandbox.faults.remove(slow);
  const second = await workspace.card('the mirror is slower');
  expect(actionsOf(second.blocks)).toContain('plan.approve');
});

test('a damaged watch does not stop the others from checking', async () => {
  const end = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const steps = 'count = jira.count project=OPS priority=P1 status=open';
  const write = (more: number) => `when count.total > ${more}: ${page('many open')}`;
  // One after the other: which is the first is told by when they were made.
  for (const more of [901, 902]) {
    await workspace.plan('ben', `watch: every 10m until ${end}; ${steps}; ${write(more)}`);
    await workspace.card(String(more));
  }
  const [first] = await rows(workspace, 'select id from watches order by created_at, id');
  await rows(workspace, `update watches set every = '{"minutes": "often"}' where id = $1`, [first?.id]);
  await rows(
    workspace,
    `update watches set next_at = date_trunc('second', ${past}) + interval '7 microseconds'`,
  );
  const looked = () =>
    rows(workspace, 'select id from watches where id <> $1 and looked_at is not null', [first?.id]);
  await until(async () => (await looked()).length === 1);
  await workspace.plan('ben', 'status');
  await workspace.whisper('ben', /Watches.*902 open P1/s);
});

test('a damaged message in the outbox does not block the messages after it', async () => {
  await rows(
    workspace,
    `insert into outbox (team_id, conversation, key, kind, payload, next_attempt_at, created_at)
     select team_id, id, 'broken-message', 'reply', '{"place": 7}', now(), now()
     from requests where state = 'review' limit 1`,
  );
  const card = await asked('dev', 'the proxy is down');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
  const dead = () => rows(workspace, "select 1 from outbox where key = 'broken-message' and state = 'dead'");
  await until(async () => (await dead()).length === 1);
});

test("a dead process's events are taken over even if some are damaged", async () => {
  const actor = { userId: 'U0BEN', teamId: workspace.sandbox.world.team.id, home: null };
  const broken = [
    { key: 'broken-1', type: 'failed', failed: null },
    { key: 'broken-2', what: 'nobody knows' },
    { key: 'broken-3', type: 'action', actor, value: 7 },
    { key: 'broken-4', type: 'submit', actor },
  ];
  for (const one of broken) {
    await rows(
      workspace,
      `insert into inbox (team_id, key, event, executor, at, attempts)
       select team_id, $1, $2, 'gone', now(), 1 from requests limit 1`,
      [one.key, JSON.stringify(one)],
    );
  }
  const left = () => rows(workspace, "select key from inbox where executor = 'gone'");
  await until(async () => (await left()).length === 0);
  const done = "select key from inbox where key like 'broken-%' and done_at is not null order by key";
  await until(async () => (await rows(workspace, done)).length === 2);
  const card = await asked('dev', 'the index is stale');
  expect(actionsOf(card.blocks)).toContain('plan.approve');
});

test('a damaged incident row is fetched again, and the other incidents are followed', async () => {
  const card = await asked('dev', 'the clock drifts');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
  const known = () => rows(workspace, 'select id from incidents where life is not null');
  await until(async () => (await known()).length > 0);
  await rows(workspace, `update incidents set life = '{"state": 7}', look_at = ${past}`);
  const whole = () => rows(workspace, "select id from incidents where life->>'title' is not null");
  await until(async () => (await whole()).length === (await known()).length);
  await workspace.plan('ben', 'handover');
  await workspace.card('Hand-over');
});

test('the reads of a plan damaged meanwhile still end with an answer', async () => {
  const slow = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'delay' });
  await workspace.plan('eva', `n = jira.count project=OPS status=open; when n.total > 1: ${page('zebra')}`);
  const stored = () => rows(workspace, "select 1 from revisions where bytes like '%zebra%'");
  await until(async () => (await stored()).length === 1);
  await rows(
    workspace,
    `update revisions set bytes = replace(bytes, 'zebra', 'horse') where bytes like '%zebra%'`,
  );
  workspace.sandbox.faults.remove(slow);
  await workspace.until(
    () => workspace.messages().some((m) => /I cannot show this plan/.test(wordsOf(m)) && !m.ephemeralFor),
    'an answer',
  );
});

test('learn and export work despite a damaged plan', async () => {
  for (const text of ['the mail is late', 'the fax is late']) await asked('ben', text);
  await rows(
    workspace,
    "update revisions set bytes = '{' where (request_id, number) in (select request_id, number from revisions order by created_at limit 1)",
  );
  const { code, text } = await cli(['learn'], { env: workspace.env });
  const exported = await cli(['export'], { env: workspace.env });
  expect(exported).toMatchObject({ code: 0, text: expect.stringContaining('"plan"') });
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('requests with a plan') });
});
