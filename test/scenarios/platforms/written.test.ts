/** Why: a query that a model wrote is read by a person before its source sees it, and can only read. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { agentsConfig, ask, connectAgent } from '../../support/agents.ts';
import { planAnswer, wireStep } from '../../support/model-answers.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { freePort } from '../../support/port.ts';
import { rowsOf } from '../../support/rows.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

const written_queries = { languages: ['sql', 'kql', 'spl'] };
const typed = 'query.written language=sql query="select count(*) as n from carts"';
const workspaces = { shop: 'bbbbbbbb-cccc-4ddd-8eee-ffffffffffff' };
const nightly = { name: 'nightly', cron: '* * * * *', timezone: 'UTC', goal: typed, channel: 'incidents' };
const sections = {
  ...{ written_queries, schedules: [nightly], azure: { workspaces, tables: ['AppTraces'] } },
  databases: { shop: { url: 'SHOP_DATABASE_URL', level: 'internal', tables: ['*'] } },
  splunk: { indexes: ['shop'] },
};

let workspace: Workspace;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  workspace = await Workspace.start({
    sandbox: { databaseServer: inject('postgresUrl') },
    env: {
      ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-scenario-secret' },
      ...{ PLANNER_MODEL: 'gpt-5-mini', PLANNER_TIMEOUT_MS: '6000' },
      PORT: String(await freePort()),
    },
    config: agentsConfig({ tools: ['query.written'] }, sections),
  });
});
afterAll(async () => {
  await finish(workspace);
  await model.close();
});

const animals =
  'ape bat bee cat cod cow doe dog eel elk emu ewe fly fox gnu hen hog jay owl pig ram rat yak'.split(' ');
/** Ben asks for what no other tool answers, and the model writes a query. */
async function write(args: Record<string, string>): Promise<string> {
  const goal = `work out from the raw rows which countries abandon the shop, for the ${animals.pop()}`;
  model.script({ say: planAnswer([wireStep('ask', 'query.written', args)]) });
  await workspace.plan('ben', goal);
  return goal;
}

const byCountry =
  "select country, count(*) as n from carts\nwhere state <> 'open' -- waiting\ngroup by 1 order by 2 desc";

test('a written query stands on its card in full, and runs after an approval', async () => {
  const goal = await write({ language: 'sql', query: byCountry });
  const card = await workspace.card(goal);
  expect(wordsOf(card)).toContain(byCountry);
  expect(actionsOf(card.blocks)).toContain('plan.approve');
  expect(await rows(workspace, 'select * from runs')).toEqual([]);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /ES 28/);
});

test('a check after a write is no place for a written query, which its card would not show', async () => {
  const check =
    'verify: within 10s after.total < 3: query.written language=sql query="select 7 as n from carts"';
  await workspace.plan('ben', `slack.post channel=#general text="Carts are back."\n  ${check}`);
  expect(wordsOf(await workspace.whisper('ben', 'nobody would see a written one'))).toContain('safe plan');
  expect(await rows(workspace, "select 1 from revisions where bytes like '%Carts are back%'")).toEqual([]);
});

test.each([
  ['kql', 'AppTraces | summarize n = count() by Code', /query in KQL in the last hour: 4 rows/],
  ['spl', 'index=shop level=ERROR | stats count by code', /query in SPL in the last hour: 3 rows/],
])('%s as well, of a log system', async (language, query, found) => {
  const card = await workspace.card(await write({ language, query, window: 'PT1H' }));
  expect(wordsOf(card)).toContain(query);
  await workspace.click('ana', card, 'plan.approve');
  expect(wordsOf(await workspace.reply(card, /written query in (KQL|SPL)/))).toMatch(found);
});

test.each([
  ['sql', 'delete from carts', 'it has to begin with SELECT or WITH'],
  ['sql', 'select 1; drop table carts', 'did not accept the query'],
  ['sql', "copy carts to program 'id'", 'it has to begin with SELECT or WITH'],
  ['sql', "select pg_read_file('/etc/passwd')", 'may not use “pg_read_file”'],
  ['sql', 'with gone as (delete from carts returning id) select * from gone', 'data-modifying statements'],
  ['sql', 'select contry from carts', 'column "contry" does not exist'],
  ['sql', 'select 1 \u202e as n', 'invisible characters'],
  ['sql', 'select 1 as n\u3164', 'invisible characters'],
  ['kql', '.drop table AppTraces', 'no server command'],
  ['spl', 'index=shop | outputlookup mine.csv', 'may not use “outputlookup”'],
  ['spl', 'index=shop | sendemail to=a@b.example', 'may not use “sendemail”'],
])('%s that is more than a read, or wrong, never becomes a card: %s', async (language, query, why) => {
  const before = await rows(workspace, 'select count(*) from runs');
  await write({ language, query });
  await workspace.whisper('ben', why);
  expect(await rows(workspace, 'select count(*) from runs')).toEqual(before);
});

/** The shop's database as its owner. */
function ownUrl(): string {
  const { pathname } = new URL(workspace.sandbox.env.SHOP_DATABASE_URL ?? '');
  return Object.assign(new URL(inject('postgresUrl')), { pathname }).href;
}

test('a check that its database does not finish is given up, and the query is refused', async () => {
  const owner = new pg.Client({ connectionString: ownUrl() });
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query('lock table carts in access exclusive mode');
    await write({ language: 'sql', query: 'select max(id) from carts' });
    await workspace.whisper('ben', 'The query took too long and was stopped');
  } finally {
    await owner.end();
  }
});

test('a function that would write is stopped by the database itself', async () => {
  const own = ownUrl();
  const body = 'begin delete from carts; return 1; end';
  await rowsOf(own, `create function harmless() returns int language plpgsql security definer as '${body}'`);
  const card = await workspace.card(await write({ language: 'sql', query: 'select harmless()' }));
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /would write, and nothing is written here/);
  expect(await rowsOf(own, 'select count(*)::int as n from carts')).toEqual([{ n: 400 }]);
});

test('a plan that writes waits with its written query, which runs with it', async () => {
  const goal = `tell #ops how many carts there are in the raw rows, for the ${animals.pop()}`;
  model.script({
    say: planAnswer([
      wireStep('ask', 'query.written', { language: 'sql', query: 'select count(*) as n from carts' }),
      wireStep('say', 'slack.post', { channel: '#ops', text: ['Carts: ', { ref: 'ask.total' }] }),
    ]),
  });
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  expect(wordsOf(card)).toContain('select count(*) as n from carts');
  expect(await rows(workspace, "select * from runs where mode = 'read'")).toEqual([]);
  await workspace.click('ana', card, 'plan.dry_run');
  await workspace.reply(card, /query is run once it is approved/);
  await workspace.click('ana', card, 'plan.approve');
  await workspace.card('Carts: 400');
});

test('the model is told of the tables that the operator lists, where a request is about data', async () => {
  const told = JSON.stringify(model.asked.at(-1)?.messages);
  expect(told).toContain('sql shop: carts (id bigint, state text, country text');
  expect(told).toContain('state: paid, failed, refunded');
  expect(told).toMatch(/kql shop: AppTraces \([^)]*Code string/);
  expect(told).toMatch(/spl splunk: index=shop \([^)]*code/);
  model.script({ say: planAnswer([wireStep('who', 'pagerduty.oncall', { service: 'ops' })]) });
  await workspace.plan('ben', 'is there anybody awake and responsible for operations nowadays');
  await workspace.card('is on call for ops');
  expect(JSON.stringify(model.asked.at(-1)?.messages)).not.toContain('sql shop');
});

test('a schedule, a watch and an agent may have none, unless the operator says so', async () => {
  await rows(workspace, 'update watches set next_at = $1', [new Date()]);
  await workspace.card(/A schedule may have no written query here/, 'incidents');
  const agent = await connectAgent(workspace);
  expect(await ask(agent, 'propose', { key: 'raw', plan: typed })).toMatchObject({
    message: expect.stringContaining('an agent may have no written query here'),
  });
  await agent.close();
});

test('where the operator lets them run, they are answered at once', async () => {
  const config = configWith({ written_queries: { ...written_queries, approval: 'run' } });
  const open = await Workspace.start({ sandbox: { databaseServer: inject('postgresUrl') }, config });
  try {
    await open.plan('ben', typed);
    const answer = await open.card(/written query in SQL: 400/);
    expect(wordsOf(answer)).toContain('select count(*) as n from carts');
    await open.plan('ben', `watch: every 10m\nask = ${typed}\n  expect: ask.total < 5`);
    await open.whisper('ben', 'A watch may have no written query here');
  } finally {
    await finish(open);
  }
});
