import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { Faults } from '../../sandbox/faults.ts';
import { Journal } from '../../sandbox/journal.ts';
import { listen } from '../../sandbox/listen.ts';
import { makeCertificate } from '../../sandbox/pagerduty/certificate.ts';
import { makeShopDatabase, type ShopDatabase } from '../../sandbox/shop/database.ts';
import { readManifest } from '../../sandbox/slack/manifest.ts';
import { type SlackOptions, type SlackSandbox, startSlack } from '../../sandbox/slack/slack-sandbox.ts';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { world } from '../../sandbox/world.ts';
import { append } from '../../src/audit/chain.ts';
import { auditKeys } from '../../src/audit/key.ts';
import { configCommand } from '../../src/commands/config.ts';
import { doctor } from '../../src/commands/doctor.ts';
import { openDatabase } from '../../src/store/database.ts';
import { trust } from '../support/bot.ts';
import { runCommand } from '../support/command.ts';
import { pinnedServer, standIn } from '../support/mcp.ts';
import { openModelServer } from '../support/model-server.ts';
import { freshDatabase, migratedDatabase } from '../support/postgres.ts';
import { rowsOf } from '../support/rows.ts';
import { configWith } from '../support/scenario.ts';
import { testAuditKey } from '../support/surroundings.ts';

let sandbox: Sandbox;
let shop: ShopDatabase;
let database: Awaited<ReturnType<typeof freshDatabase>>;
const model = openModelServer();
const others: SlackSandbox[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
  trust(sandbox.env.NODE_EXTRA_CA_CERTS ?? '');
  database = await freshDatabase();
  shop = await makeShopDatabase(inject('postgresUrl'), () => new Date());
});
afterEach(async () => {
  sandbox.faults.clear();
  for (const slack of others.splice(0)) await slack.close();
});
afterAll(async () => {
  await sandbox.close();
  await shop.close();
  await database.drop();
});

/** The doctor's lines with these settings, and its exit code. */
async function examine(
  changes: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const variables = {
    ...sandbox.env,
    SHOP_DATABASE_URL: shop.url,
    ...{ DATABASE_URL: database.url, AUDIT_KEY: testAuditKey, COUNTERSIGN_CONFIG: 'sandbox/countersign.yml' },
    ...changes,
  };
  const say = (line: string) => void lines.push(line);
  const code = await doctor(args, { variables, out: say, error: say });
  return { code, lines: lines.map((line) => line.replace(/ {2,}/g, ' ')) };
}

/** The sandbox's file with other sections, until the end of the test. */
async function configFile(sections: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'countersign.yml');
  await writeFile(file, configWith(sections));
  return file;
}

/** The sandbox's action is checked by a vetted query, and a rule names it. */
const noActions = { actions: {}, rules: [{ approvers: ['S0SRE'] }] };

/** A service as PagerDuty lists it. */
function service(id: string, name: string) {
  const integrations = [{ type: 'events_api_v2_inbound_integration', integration_key: 'k'.repeat(32) }];
  return { id, name, status: 'active', integrations };
}

/** Another Slack: with other scopes, or another clock. */
async function slackWith(options: Partial<SlackOptions>): Promise<{ SLACK_API_URL: string }> {
  const now = () => new Date();
  const slack = await startSlack({ world, faults: new Faults(), journal: new Journal(now), now, ...options });
  others.push(slack);
  return { SLACK_API_URL: slack.apiUrl };
}

test('everything configured is tried, one line each, and the rest is listed as not set up', async () => {
  const { code, lines } = await examine();
  expect(lines).toEqual([
    expect.stringMatching(/^ok database Postgres 18\S*, role \S+, tables are up to date$/),
    expect.stringMatching(/^note database role \S+ owns the audit log; .*docs\/audit\.md/),
    'ok processes none is running',
    'ok slack signed in to Acme (T0SANDBOX) as @countersign',
    'ok slack scopes all 19 of slack-manifest.yml',
    'ok slack ids all 10 of countersign.yml exist',
    'ok slack socket Socket Mode opens',
    'ok clock agrees with Slack’s',
    expect.stringMatching(/^ok jira signed in to 127\.0\.0\.1:\d+ as Countersign$/),
    'ok jira OPS may read, comment, create and transition',
    'ok jira PAY may read, comment, create and transition',
    'ok jira WEB may read, comment, create and transition',
    'ok jira priorities P1 and P2 exist',
    'ok pagerduty the token is accepted',
    expect.stringMatching(/^ok pagerduty events localhost:\d+ answers$/),
    'ok pagerduty ops ops; its routing key is that of its integration Countersign',
    'ok pagerduty payments-api payments-api; its routing key is that of its integration Countersign',
    'ok pagerduty checkout checkout; its routing key is that of its integration Countersign',
    'note pagerduty webhook not set up: incidents are asked for every few seconds or minutes; PAGERDUTY_WEBHOOK_SECRET is empty',
    'note model not set up, so plans cannot use it; it needs PLANNER_MODEL, with OPENAI_API_KEY or OPENAI_BASE_URL',
    expect.stringMatching(/^ok confluence OPS the account sees pages there, on 127\.0\.0\.1:\d+$/),
    'ok azure shop the workspace bbbbbbbb-cccc-4ddd-8eee-ffffffffffff answers queries',
    expect.stringMatching(/^ok splunk 127\.0\.0\.1:\d+ answers searches$/),
    expect.stringMatching(/^ok prometheus 127\.0\.0\.1:\d+ answers queries$/),
    'ok database shop its role can only read',
    'ok queries 11 of 11 vetted ones are accepted where they run',
    expect.stringMatching(/^ok actions at 127\.0\.0\.1:\d+ 127\.0\.0\.1:\d+ answers$/),
  ]);
  expect(code).toBe(0);
});

test('the first check creates the data folder and reports its free space', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const unwritable = await examine({ DATABASE_URL: '', DATA_DIR: '/proc/none' });
  expect(unwritable.lines.filter((line) => /^\S+ (database|disk) /.test(line))).toEqual([
    expect.stringMatching(/^wrong database The data folder \/proc\/none is not writable/),
    'ok database shop its role can only read',
  ]);
  const { lines } = await examine({ DATABASE_URL: '', DATA_DIR: join(folder, 'new') });
  expect(lines).toContainEqual(expect.stringMatching(/^(ok|wrong) disk .*\d+ MB free for /));
});

test('an audit log that ends under a key other than the given one is named', async () => {
  const oldKey = 'k'.repeat(64);
  const log = { info() {}, warn() {}, error() {} };
  const other = await migratedDatabase();
  onTestFinished(() => other.drop());
  const db = await openDatabase({ url: other.url, max: 1, log, auditKeys: auditKeys([oldKey]) });
  await append(db, {
    teamId: 'T1',
    at: new Date(),
    kind: 'test.line',
    actor: 'U0ANA',
    subject: 'it',
    data: {},
  });
  await db.destroy();
  const { code, lines } = await examine({ DATABASE_URL: other.url });
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^wrong audit key the log of T1 ends under the key [0-9a-f]{8}, which is not given/,
    ),
  );
  expect(code).toBe(1);
  const both = await examine({ DATABASE_URL: other.url, AUDIT_KEY: `${testAuditKey},${oldKey}` });
  const older = expect.stringMatching(
    /^note audit key .* is not the first of AUDIT_KEY: “audit change-key” lets/,
  );
  expect(both.lines).toContainEqual(older);
  const alone = await examine({ DATABASE_URL: other.url, AUDIT_KEY: `${oldKey},${testAuditKey}` });
  expect(alone.lines.filter((line) => line.includes('audit key'))).toEqual([]);
});

test('unknown Slack ids in countersign.yml, and channels without the bot, are named', async () => {
  const file = await configFile({
    channels: { ops: { id: 'C0OPS' }, support: { id: 'C0SUPPORT' }, gone: { id: 'C0123456789' } },
    people: { ana: 'U0ANA', nobody: 'U0123456789' },
    operators: ['S0123456789'],
  });
  const { code, lines } = await examine({ COUNTERSIGN_CONFIG: file });
  expect(lines.filter((line) => line.includes('slack ids'))).toEqual([
    'wrong slack ids the bot is not in #support: /invite it there',
    expect.stringMatching(
      /^wrong slack ids no channel C0123456789 \(gone\) that the bot can see: copy the id/,
    ),
    expect.stringMatching(/^wrong slack ids no person U0123456789: in Slack open their profile/),
    expect.stringMatching(/^wrong slack ids no user group S0123456789: its id starts with S/),
  ]);
  expect(code).toBe(1);
});

test('priorities that Jira calls by another name are listed, with where to configure them', async () => {
  const named = await configFile({ jira: { priorities: { P1: 'P1', P2: 'Hoch “2”' } } });
  const { code, lines } = await examine({ COUNTERSIGN_CONFIG: named });
  const about = (line: string) => line.includes('jira priorities');
  expect(lines.filter(about)).toEqual([
    'wrong jira priorities Jira has no priority “Hoch “2””: say under jira.priorities in countersign.yml what P2 is called there (Settings, Work items, Priorities)',
  ]);
  expect(code).toBe(1);
  // A priority without a configured name is used as it is, if an SLA or a default mentions it.
  const sla = { P5: { max_open: 3 } };
  const unnamed = await configFile({
    ...noActions,
    ...{ defaults: { project: 'OPS', service: 'ops', channel: 'ops' }, queries: [], errors: undefined },
    services: { ops: { pagerduty: 'PSOPS01', routing_key: 'PD_ROUTING_KEY_OPS' } },
    projects: { OPS: { service: 'ops', sla } },
  });
  const match = { path: '/rest/api/3/search/jql' };
  const body = { errorMessages: ["The value 'P5' does not exist for the field 'priority'."], errors: {} };
  sandbox.faults.add({ vendor: 'jira', match, kind: 'status', status: 400, body });
  expect((await examine({ COUNTERSIGN_CONFIG: unnamed })).lines.filter(about)).toEqual([
    expect.stringMatching(/^wrong jira priorities Jira has no priority “P5”: say under jira\.priorities/),
  ]);
  sandbox.faults.clear();
  sandbox.faults.add({ vendor: 'jira', match, kind: 'status', status: 503 });
  expect((await examine()).lines.filter(about)).toEqual([
    expect.stringMatching(/^wrong jira priorities (?!.*no priority)/),
  ]);
});

test('a Jira account in another time zone is named', async () => {
  const inBerlin = await configFile({
    defaults: { project: 'OPS', channel: 'ops', timezone: 'Europe/Berlin' },
  });
  const { lines } = await examine({ COUNTERSIGN_CONFIG: inBerlin });
  expect(lines.filter((line) => line.includes('jira time zone'))).toEqual([
    'note jira time zone its account is in Etc/UTC, plans mean Europe/Berlin: set the same time zone in the account’s profile or as defaults.timezone',
  ]);
});

test('an unconfigured wiki or log system is listed with what it needs', async () => {
  const file = await configFile({
    ...{ azure: undefined, confluence: undefined, queries: [], errors: undefined },
    ...noActions,
  });
  const keys = Object.keys(sandbox.env).filter((name) => /^(AZURE|SPLUNK|PROMETHEUS|CONFLUENCE)_/.test(name));
  const unset = Object.fromEntries(keys.map((name) => [name, '']));
  const { code, lines } = await examine({ COUNTERSIGN_CONFIG: file, ...unset });
  expect(lines.filter((line) => /confluence|azure|splunk|prometheus/.test(line))).toEqual([
    'note confluence not set up, so plans cannot use it; it needs confluence in countersign.yml, CONFLUENCE_HOST, and the settings of Jira',
    'note azure not set up, so plans cannot use it; it needs azure in countersign.yml, AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET',
    'note splunk not set up, so plans cannot use it; it needs SPLUNK_URL and SPLUNK_TOKEN',
    'note prometheus not set up, so plans cannot use it; it needs PROMETHEUS_URL',
  ]);
  expect(code).toBe(0);
});

test('a variable that looks like a misspelt setting is reported with the likely one', async () => {
  const { lines } = await examine({
    PAGERDUTY_API_TOKEN: '',
    PAGERDUTY_FROM_EMAIL: '',
    PAGERDUTY_TOKEN: 'x',
  });
  expect(lines.filter((line) => line.includes('did you mean'))).toEqual([
    'note settings PAGERDUTY_TOKEN is no setting of Countersign; did you mean PAGERDUTY_API_TOKEN?',
  ]);
});

test('a front and an executor each try what they have, and a front’s account should not write', async () => {
  const keys = Object.keys(sandbox.env).filter((name) => /^(?:PD_ROUTING_KEY|DEPLOYS)_/.test(name));
  const front = await examine({
    COUNTERSIGN_ROLE: 'front',
    SHOP_DATABASE_URL: '',
    ...Object.fromEntries(keys.map((name) => [name, ''])),
  });
  expect(front.lines).toContain(
    'note jira OPS the account may also write there: give a front one that may only browse',
  );
  expect(front.lines.filter((line) => /shop|azure|splunk|prometheus|confluence/.test(line))).toEqual([]);
  const executor = await examine({ COUNTERSIGN_ROLE: 'executor', SLACK_APP_TOKEN: '' });
  expect(executor.lines.filter((line) => /slack (socket|events)/.test(line))).toEqual([]);
  expect([front.code, executor.code]).toEqual([0, 0]);
});

test('an MCP tool is wrong when it does not match its pin or its server does not start', async () => {
  const notes = await pinnedServer({ command: standIn('well') }, { say: { effect: 'read' } });
  const about = async (server: object) => {
    const file = await configFile({ mcp: { notes: { ...notes, ...server } } });
    const { code, lines } = await examine({ COUNTERSIGN_CONFIG: file });
    return { code, line: lines.find((line) => line.includes('notes.say')) };
  };
  expect(await about({})).toEqual({ code: 0, line: 'ok notes.say notes.say is as pinned' });
  expect(await about({ command: standIn('twice') })).toEqual({
    code: 1,
    line: expect.stringMatching(/^wrong notes\.say The tool notes\.say is switched off: /),
  });
  expect(await about({ command: ['/no/such/program'] })).toEqual({
    code: 1,
    line: expect.stringMatching(/^wrong notes\.say The MCP server notes cannot be reached/),
  });
});

describe('an error from a vendor is one line that says what to do', () => {
  const says = async (changes: Readonly<Record<string, string>>, line: string | RegExp) => {
    const { code, lines } = await examine(changes);
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.join('\n')).not.toMatch(/ at .*\.ts:/);
    return lines;
  };

  test('Slack: missing scopes are named', async () => {
    const app = readManifest('slack-manifest.yml');
    const scopes = app.scopes.filter((scope) => scope !== 'users:read.email' && scope !== 'im:write');
    await says(
      await slackWith({ app: { ...app, scopes } }),
      /^wrong slack scopes missing: im:write, users:read\.email; add them under OAuth & Permissions and install/,
    );
  });

  test('Slack: invalid, expired and mixed-up tokens', async () => {
    await says(
      { SLACK_BOT_TOKEN: 'xoxb-nobody' },
      /^wrong slack Slack does not accept SLACK_BOT_TOKEN: install the app/,
    );
    await says(
      { SLACK_APP_TOKEN: 'xapp-nobody' },
      /^wrong slack socket Slack does not accept SLACK_APP_TOKEN: make/,
    );
    const refused = { ok: false, error: 'token_expired' };
    const match = { path: '/api/' };
    sandbox.faults.add({ vendor: 'slack', match, kind: 'status', status: 200, body: refused });
    const lines = await says({}, /^wrong slack SLACK_BOT_TOKEN has expired/);
    expect(lines).toContainEqual(
      expect.stringMatching(/^wrong slack socket SLACK_APP_TOKEN has expired: make one/),
    );
  });

  test('a clock that is off by an hour', async () => {
    const hourAhead = { now: () => new Date(Date.now() + 3_600_000) };
    await says(
      await slackWith(hourAhead),
      /^wrong clock this machine is 60 min behind Slack: let it set its clock/,
    );
  });

  test('Jira: an invalid token, an unknown project and a missing permission', async () => {
    await says(
      { JIRA_API_TOKEN: 'nobody' },
      /^wrong jira Jira says the token is not valid: check JIRA_EMAIL and/,
    );
    const match = { path: '/rest/api/3/mypermissions' };
    const permission = (name: string, havePermission: boolean) => [name, { havePermission }];
    const body = {
      permissions: Object.fromEntries([
        ...['BROWSE_PROJECTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'].map((name) => permission(name, true)),
        permission('ADD_COMMENTS', false),
      ]),
    };
    sandbox.faults.add({ vendor: 'jira', match, kind: 'status', status: 200, body });
    const { code, lines } = await examine();
    expect(lines).toContain(
      'note jira OPS the account lacks ADD_COMMENTS in OPS; the steps that need them will be refused',
    );
    expect(code).toBe(0);
    sandbox.faults.clear();
    sandbox.faults.add({ vendor: 'jira', match, kind: 'status', status: 404 });
    await says(
      {},
      /^wrong jira OPS the account cannot see OPS: check the key, or give it Browse Projects there$/,
    );
  });

  test('PagerDuty: an unknown token, user and service', async () => {
    await says({ PAGERDUTY_API_TOKEN: 'nobody' }, /^wrong pagerduty PagerDuty says the token is not valid/);
    await says(
      { PAGERDUTY_FROM_EMAIL: 'nobody@acme.example' },
      /^wrong pagerduty user PAGERDUTY_FROM_EMAIL is no user/,
    );
    const match = { path: '/services/PSOPS01' };
    sandbox.faults.add({ vendor: 'pagerduty-rest', match, kind: 'status', status: 404 });
    await says({}, /^wrong pagerduty ops there is no service PSOPS01: take the id from its address/);
    await says(
      { PORT: '3000', PAGERDUTY_WEBHOOK_SECRET: 'a-secret-that-signs-nothing' },
      /^wrong pagerduty webhook PAGERDUTY_WEBHOOK_SECRET is set, but no v3 webhook .* \/pagerduty\/webhook$/,
    );
  });

  test('PagerDuty: a host for pages that nothing answers at, or whose certificate is not trusted', async () => {
    await says(
      { PAGERDUTY_EVENTS_HOST: '127.0.0.1:2' },
      /^wrong pagerduty events PagerDuty cannot be reached: nothing answers at 127\.0\.0\.1:2\.$/,
    );
    const unknown = await makeCertificate();
    const stranger = await listen(new Hono(), { tls: unknown });
    onTestFinished(async () => {
      await stranger.close();
      await unknown.remove();
    });
    await says(
      { PAGERDUTY_EVENTS_HOST: `localhost:${stranger.port}` },
      /^wrong pagerduty events PagerDuty cannot be trusted: the certificate of localhost:\d+ was not accepted\.$/,
    );
    // A front pages nobody.
    const keys = Object.keys(sandbox.env).filter((name) => name.startsWith('PD_ROUTING_KEY_'));
    const none = Object.fromEntries(keys.map((name) => [name, '']));
    const front = await examine({ ...none, COUNTERSIGN_ROLE: 'front', PAGERDUTY_EVENTS_HOST: '127.0.0.1:2' });
    expect(front.lines.filter((line) => line.includes('events'))).toEqual([]);
  });

  test('PagerDuty: a routing key that is not one of its service', async () => {
    const ofPayments = sandbox.env.PD_ROUTING_KEY_PAYMENTS_API ?? '';
    const swapped = { PD_ROUTING_KEY_CHECKOUT: ofPayments, PD_ROUTING_KEY_PAYMENTS_API: 'e'.repeat(32) };
    const lines = await says(
      swapped,
      /^wrong pagerduty checkout its routing key is none of its integrations’: a page would not reach it; copy the Integration Key/,
    );
    expect(lines.join()).not.toContain(ofPayments);
    expect(lines).toContainEqual(
      expect.stringMatching(/^wrong pagerduty payments-api its routing key is none/),
    );
  });

  test('as JSON, for a pipeline', async () => {
    const { lines } = await examine({}, ['--json']);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toContainEqual({
      about: 'pagerduty',
      level: 'ok',
      says: 'the token is accepted',
    });
  });

  test('PagerDuty: hundreds of services take a few requests and one line', async () => {
    const { services } = sandbox.pagerduty.store.world.pagerduty;
    const many = Array.from({ length: 250 }, (_, at) => ({
      ...services[0],
      id: `PMANY${at}`,
      name: `many-${at}`,
    }));
    const listed = Object.fromEntries(many.map(({ id, name }) => [name, { pagerduty: id }]));
    const known = Object.fromEntries(services.map(({ id, name }) => [name, { pagerduty: id }]));
    const config = await configFile({ services: { ...known, ...listed } });
    const body = { services: many.map(({ id, name }) => service(id, name)), more: false };
    const match = { path: '/services' };
    sandbox.faults.add({ vendor: 'pagerduty-rest', match, kind: 'status', status: 200, body });
    const before = sandbox.journal.list({ vendor: 'pagerduty-rest' }).length;
    const { lines } = await examine({ COUNTERSIGN_CONFIG: config });
    expect(sandbox.journal.list({ vendor: 'pagerduty-rest' }).length - before).toBeLessThan(12);
    expect(lines).toContain('ok pagerduty 251 more are fine');
    expect(lines.filter((line) => line.startsWith('wrong pagerduty'))).toHaveLength(services.length);
  });

  test('PagerDuty: a routing key of an event orchestration cannot be judged', async () => {
    const routingKey = 'e'.repeat(32);
    const integrations = [{ parameters: { routing_key: routingKey, type: 'global' } }];
    const body = { orchestrations: [{ name: 'Main', integrations }] };
    const match = { path: '/event_orchestrations' };
    sandbox.faults.add({ vendor: 'pagerduty-rest', match, kind: 'status', status: 200, body });
    const { code, lines } = await examine({ PD_ROUTING_KEY_CHECKOUT: routingKey });
    expect(lines).toContain(
      'note pagerduty checkout its routing key is that of the event orchestration Main: whether a page reaches it is up to its rules',
    );
    expect(code).toBe(0);
  });

  test('the model: a key that is refused', async () => {
    const env = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: model().url, PLANNER_MODEL: 'gpt-5-mini' };
    model().script({ status: 401 });
    await says(env, /^wrong model gpt-5-mini the model host refused the key; check OPENAI_API_KEY$/);
  });

  test('a vetted query: wrong in each language, over its bounds, of a type that no sample has, and a source that is away', async () => {
    const query = (name: string, language: string, text: string, more: object = {}) => {
      return { name, language, says: [`rows of ${name}`], text, ...more };
    };
    const file = await configFile({
      ...noActions,
      errors: undefined,
      databases: { shop: { url: 'SHOP_DATABASE_URL', max_rows: 50 } },
      queries: [
        query('fine', 'sql', 'select count(*) from orders where created_at > {from}'),
        query('lost', 'sql', 'select * from invoices'),
        query('huge', 'sql', 'select n from generate_series(1, 5000) n'),
        query('typed', 'sql', 'select * from orders where id = {id} limit 9', {
          parameters: { id: { type: 'word' } },
        }),
        query('traces', 'kql', 'AppTrace | count'),
        query('median', 'spl', 'index=shop | stats median by host'),
      ],
    });
    const lines = await says(
      { COUNTERSIGN_CONFIG: file },
      /^wrong query sql lost .*relation "invoices" does not exist$/,
    );
    expect(lines.filter((line) => /quer/.test(line) && !/azure shop|prometheus/.test(line))).toEqual([
      'ok queries 1 of 6 vetted ones are accepted where they run',
      expect.stringMatching(/^wrong query sql lost /),
      expect.stringMatching(
        /^wrong query sql huge .* and 5,000 rows; at most 1,000,000 and 50 rows are allowed\./,
      ),
      expect.stringMatching(
        /^note query sql typed needs a default for each parameter .* type bigint: "sample"$/,
      ),
      expect.stringMatching(/^wrong query kql traces .*expression named 'AppTrace' on line/),
      expect.stringMatching(/^wrong query spl median .*Error in 'stats' command/),
    ]);
    sandbox.faults.add({ vendor: 'splunk', kind: 'status', status: 503, times: 9 });
    await says(
      { COUNTERSIGN_CONFIG: file },
      /^note query spl median not checked: Splunk had an error on its side/,
    );

    const variables = {
      ...sandbox.env,
      SHOP_DATABASE_URL: shop.url,
      DATABASE_URL: database.url,
      AUDIT_KEY: testAuditKey,
    };
    const offline = await runCommand(configCommand, ['check', file], variables);
    expect([offline.code, offline.lines.join().includes('query')]).toEqual([0, false]);
    const online = await runCommand(configCommand, ['check', file, '--online'], variables);
    expect(online.code).toBe(1);
    expect(online.lines).toContainEqual(
      expect.stringMatching(/^query sql lost: .*"invoices" does not exist$/),
    );
  });

  test('a query database: a role that can write, and an outage', async () => {
    await says(
      { SHOP_DATABASE_URL: database.url },
      /^wrong database shop .* is an administrator\. Give the bot a role that can only read\.$/,
    );
    const away = 'postgres://reader:hidden-word@127.0.0.1:9/shop';
    const lines = await says({ SHOP_DATABASE_URL: away }, /^wrong database shop /);
    expect(lines.join()).not.toContain('hidden-word');
  });

  test('Splunk: an invalid token, a user who may not search, a malformed answer and an outage', async () => {
    const lines = await says(
      { SPLUNK_TOKEN: 'hidden-word' },
      /^wrong splunk Splunk says the token is not valid: check SPLUNK_TOKEN: call not properly authenticated\.$/,
    );
    expect(lines.join()).not.toContain('hidden-word');
    sandbox.faults.add({ vendor: 'splunk', kind: 'status', status: 403, times: 1 });
    await says(
      {},
      /^wrong splunk Splunk does not allow this with the bot’s token: .* Give its user a role that may search\.$/,
    );
    sandbox.faults.add({ vendor: 'splunk', kind: 'status', status: 200, body: '', times: 1 });
    await says({}, /^wrong splunk Splunk gave an answer that cannot be used: it has no result\.$/);
    await says(
      { SPLUNK_URL: 'http://127.0.0.1:2' },
      /^wrong splunk Splunk cannot be reached: nothing answers at 127\.0\.0\.1:2\.$/,
    );
  });

  test('Azure: an invalid secret, a foreign or unknown workspace, and an outage', async () => {
    const lines = await says(
      { AZURE_CLIENT_SECRET: 'hidden-word' },
      /^wrong azure shop Azure Monitor does not let the bot sign in: check AZURE_TENANT_ID, .*Invalid client secret/,
    );
    expect(lines.join()).not.toContain('hidden-word');
    const tenant = randomUUID();
    for (const noSignIn of [{ AZURE_TENANT_ID: tenant }, { AZURE_AUTHORITY_HOST: 'https://127.0.0.1:2' }]) {
      await says(
        noSignIn,
        /^wrong azure shop Azure’s sign-in at (localhost|127\.0\.0\.1):\d+ .* check AZURE_TENANT_ID and AZURE_AUTHORITY_HOST\.$/,
      );
    }
    const elsewhere = await configFile({ azure: { workspaces: { shop: randomUUID() } } });
    await says(
      { COUNTERSIGN_CONFIG: elsewhere },
      /^wrong azure shop Azure Monitor does not allow this .* Check the id of the workspace, and give the app Log/,
    );
    sandbox.faults.add({ vendor: 'azure', kind: 'status', status: 404, times: 1 });
    await says({}, /^wrong azure shop there is no workspace bbbbbbbb-\S+: take the Workspace ID from its/);
    await says(
      { AZURE_LOGS_URL: 'https://127.0.0.1:2/v1' },
      /^wrong azure shop Azure Monitor cannot be reached: nothing answers at 127\.0\.0\.1:2\.$/,
    );
  });

  test('Confluence: an invalid token, an invisible space and an outage', async () => {
    await says(
      { JIRA_API_TOKEN: 'nobody' },
      /^wrong confluence OPS Confluence says the token is not valid: check JIRA_EMAIL and JIRA_API_TOKEN: /,
    );
    const spaces = await configFile({ confluence: { spaces: ['OPS', 'HR'] } });
    const lines = await says(
      { COUNTERSIGN_CONFIG: spaces },
      /^wrong confluence HR the account sees no page in HR: check the key, or let it view that space$/,
    );
    expect(lines).toContainEqual(expect.stringMatching(/^ok confluence OPS /));
    await says(
      { CONFLUENCE_HOST: 'http://127.0.0.1:2/wiki' },
      /^wrong confluence OPS Confluence cannot be reached: nothing answers at 127\.0\.0\.1:2\.$/,
    );
  });

  test('the database: an outage, and one changed by a newer version', async () => {
    await says(
      { DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:9/db' },
      /^wrong database The database at 127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)/,
    );
    const insert = `insert into kysely_migration values ('999-later', '2030-01-01T00:00:00Z')`;
    await rowsOf(database.url, insert);
    await says({}, /^wrong database The database was written by a newer Countersign \(it has 999-later\)/);
    await rowsOf(database.url, `delete from kysely_migration where name = '999-later'`);
  });
});
