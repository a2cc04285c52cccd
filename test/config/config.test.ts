import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { operatorJsonSchema } from '../../src/commands/config.ts';
import { buildCatalogue, missingSettings } from '../../src/config/build-catalogue.ts';
import type { Known } from '../../src/config/complaint.ts';
import { readEnv } from '../../src/config/env.ts';
import { envSchema } from '../../src/config/env-schema.ts';
import { misspelt } from '../../src/config/misspelt.ts';
import { checkOperatorConfig } from '../../src/config/operator.ts';
import { catalogueDigest } from '../../src/core/catalogue.ts';

const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
const known: Known = {
  tools: new Map([
    ['pagerduty.page', 'write'],
    ['pagerduty.ack', 'write'],
    ['jira.count', 'read'],
  ]),
  variables: new Map([
    ['PD_ROUTING_KEY_OPS', 'a'.repeat(32)],
    ['PAGERDUTY_API_TOKEN', 'a'],
  ]),
  playbooks: new Set(['sla-breach-check']),
};

describe('the environment', () => {
  test('is accepted with Slack alone, and gets its defaults', () => {
    const env = readEnv({ ...slack, JIRA_HOST: '', PORT: ' ' });
    expect(env).toMatchObject({
      SLACK_API_URL: 'https://slack.com/api/',
      LOG_LEVEL: 'info',
    });
    expect(env.JIRA_HOST).toBeUndefined();
  });

  test('a second planner needs a model host unless it needs no model, and a share needs a second planner', () => {
    expect(readEnv({ ...slack, PLANNER_SHADOW: 'everyday', PLANNER_SHARE: '50' }).PLANNER_SHARE).toBe('50');
    const model = { ...slack, PLANNER_SHADOW: 'gpt-5-mini' };
    expect(() => readEnv(model)).toThrowError(/OPENAI_BASE_URL must be set when PLANNER_SHADOW is$/);
    expect(readEnv({ ...model, OPENAI_API_KEY: 'x' }).PLANNER_SHADOW).toBe('gpt-5-mini');
    expect(() => readEnv({ ...slack, PLANNER_SHARE: '10' })).toThrowError(/PLANNER_SHADOW must name/);
  });

  test('stops the start with all problems in one message and no value in it', () => {
    const secret = 'hunter2-hunter2';
    const start = () =>
      readEnv({
        SLACK_BOT_TOKEN: secret,
        SLACK_SIGNING_SECRET: 'short',
        JIRA_HOST: `http://${secret}.example`,
        PORT: secret,
        DATABASE_URL: `mysql://${secret}`,
        PLANNER_MODEL: 'm',
        LOG_LEVEL: secret,
      });
    expect(start).toThrowError(
      /SLACK_BOT_TOKEN must start with xoxb-[\s\S]*SLACK_SIGNING_SECRET[\s\S]*PORT[\s\S]*JIRA_HOST must be an https[\s\S]*DATABASE_URL[\s\S]*LOG_LEVEL[\s\S]*OPENAI_API_KEY[\s\S]*JIRA_EMAIL and JIRA_API_TOKEN must be set/,
    );
    const jira = { JIRA_HOST: 'https://acme.atlassian.net', JIRA_EMAIL: 'bot@example.com' };
    expect(() => readEnv({ ...slack, ...jira })).toThrowError(
      /JIRA_API_TOKEN must be set when JIRA_HOST and JIRA_EMAIL are$/,
    );
    const gateway = { ...jira, JIRA_API_TOKEN: 'x', JIRA_HOST: 'https://api.atlassian.com/ex/jira/7f3c' };
    expect(() => readEnv({ ...slack, ...gateway })).toThrowError(
      /JIRA_SITE must be set when JIRA_HOST is https:\/\/api\.atlassian\.com: links lead to it$/,
    );
    expect(readEnv({ ...slack, ...gateway, JIRA_SITE: jira.JIRA_HOST }).JIRA_SITE).toBe(jira.JIRA_HOST);
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector.monitoring:4318' };
    expect(() => readEnv({ ...slack, ...collector })).toThrowError(
      /OTEL_EXPORTER_OTLP_ENDPOINT must be an https address, or OTEL_EXPORTER_OTLP_INSECURE=true$/,
    );
    const insecure = { ...collector, OTEL_EXPORTER_OTLP_INSECURE: 'true' };
    expect(readEnv({ ...slack, ...insecure }).OTEL_EXPORTER_OTLP_ENDPOINT).toMatch(/^http:/);
    expect(() => readEnv({ ...slack, OTEL_TRACES_SAMPLER_ARG: '2' })).toThrowError(/from 0 to 1/);
    const linkLocal = { ...insecure, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://169.254.169.254:4318' };
    expect(() => readEnv({ ...slack, ...linkLocal })).toThrowError(/OTEL_EXPORTER_OTLP_ENDPOINT must/);
    expect(start).toThrowError(expect.not.objectContaining({ message: expect.stringContaining(secret) }));
    expect(() => readEnv({ ...slack, JIRA_HOST: `${secret}.atlassian.net`, PORT: '99999' })).toThrowError(
      /^The environment is incomplete or invalid:\n {2}- PORT must be a whole number from 0 to 65535\n {2}- JIRA_HOST must be an https address, with https:\/\/ in front[^\n]*\n[^\n]*$/,
    );
    expect(() => readEnv({})).toThrowError(
      /SLACK_BOT_TOKEN is missing[\s\S]*SLACK_APP_TOKEN \(Socket Mode\)/,
    );
  });

  test('names the setting that a misspelt one means, and ignores those of other programs', () => {
    expect(() => readEnv({ SLAK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' })).toThrowError(
      /SLACK_BOT_TOKEN is missing[\s\S]*SLAK_BOT_TOKEN is no setting of Countersign; did you mean SLACK_BOT_TOKEN\?/,
    );
    const meant = (typed: string, named: string[] = []) =>
      misspelt({ ...slack, [typed]: 'x' }, named).map((each) => each.meant);
    expect(meant('PAGERDUTY_TOKEN')).toEqual(['PAGERDUTY_API_TOKEN']);
    expect(meant('JIRA_API_TOKN')).toEqual(['JIRA_API_TOKEN']);
    expect(meant('DATA_DIRS')).toEqual(['DATA_DIR']);
    expect(meant('PAGERDUTYAPI_TOKEN')).toEqual(['PAGERDUTY_API_TOKEN']);
    expect(meant('COUTERSING_CONFG')).toEqual(['COUNTERSIGN_CONFIG']);
    expect(meant('PD_ROUTING_KEY_OP', ['PD_ROUTING_KEY_OPS'])).toEqual(['PD_ROUTING_KEY_OPS']);
    expect(meant('SLACK_BOT_TOKENS')).toEqual([]);
    expect(meant('DATABASE_URI', ['DATABASE_URI'])).toEqual([]);
    for (const other of ['PATH', 'HOME', 'PWD', 'PORTS', 'HOST', 'APP_PORT', 'DB_URL', 'API_TOKEN', 'TOKEN'])
      expect(meant(other), other).toEqual([]);
    for (const other of ['OTEL_TRACES_EXPORTER', 'AZURE_CONFIG_DIR', 'NODE_OPTIONS', 'npm_config_cache'])
      expect(meant(other), other).toEqual([]);
  });

  test('is refused with a comment behind a value, because not every reader strips it', () => {
    const key = 'k'.repeat(32);
    const start = () => readEnv({ ...slack, AUDIT_KEY: `${key} # of the audit log` });
    expect(start).toThrowError(/AUDIT_KEY must be alone on its line: a comment behind it is read as part/);
    expect(readEnv({ ...slack, AUDIT_KEY: `${key}#1` }).AUDIT_KEY).toBe(`${key}#1`);
  });

  test("says how to write a password in the database's address", () => {
    const of = (password: string) => ({
      ...slack,
      AUDIT_KEY: 'k'.repeat(32),
      DATABASE_URL: `postgres://bot:${password}@db/x`,
    });
    expect(() => readEnv(of('hunter/2'))).toThrowError(/DATABASE_URL is no address: .* \/ as %2F/);
    expect(() => readEnv(of('hunter/2'))).toThrowError(
      expect.not.objectContaining({ message: expect.stringContaining('hunter') }),
    );
    expect(readEnv(of('hunter%2F2')).DATABASE_URL).toBe('postgres://bot:hunter%2F2@db/x');
  });

  test('requires an audit key where processes may have to share it, and never shows it', () => {
    const own = { ...slack, DATABASE_URL: 'postgres://bot@db/x' };
    expect(() => readEnv(own)).toThrowError(/AUDIT_KEY \(openssl rand -hex 32\), or DATA_DIR .* must be set/);
    expect(readEnv({ ...own, DATA_DIR: 'here' }).AUDIT_KEY).toBeUndefined();
    const keys = `${'a'.repeat(32)},${'b'.repeat(32)}`;
    expect(readEnv({ ...own, AUDIT_KEY: keys }).AUDIT_KEY).toBe(keys);
    for (const bad of ['hunter2-hunter2', `${'a'.repeat(32)},hunter2-hunter2`, `${'a'.repeat(32)},`]) {
      const start = () => readEnv({ ...own, AUDIT_KEY: bad });
      expect(start).toThrowError(/AUDIT_KEY must have at least 32 characters/);
      expect(start).toThrowError(
        expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
      );
    }
    expect(() => readEnv({ ...slack, DATABASE_OWNER_URL: 'postgres://o@db/x' })).toThrowError(
      /DATABASE_URL must be set when DATABASE_OWNER_URL is/,
    );
  });

  test('requires the settings of a role, and refuses those of the other half', () => {
    const bot = { SLACK_BOT_TOKEN: 'xoxb-1', DATABASE_URL: 'postgres://bot@db/x', AUDIT_KEY: 'k'.repeat(32) };
    const executor = { ...bot, COUNTERSIGN_ROLE: 'executor' };
    expect(readEnv(executor).COUNTERSIGN_ROLE).toBe('executor');
    expect(() => readEnv({ ...executor, ...slack, SLACK_SIGNING_SECRET: 's'.repeat(16) })).toThrowError(
      /SLACK_APP_TOKEN must not be set for an executor: it does not listen[\s\S]*SLACK_SIGNING_SECRET must not/,
    );
    expect(() => readEnv({ ...executor, PLANNER_MODEL: 'm' })).toThrowError(/PLANNER_MODEL must not be set/);
    expect(() => readEnv({ ...executor, OPENAI_API_KEY: 'sk' })).toThrowError(/EXECUTOR_MODEL must name/);
    expect(readEnv({ ...executor, OPENAI_API_KEY: 'sk', EXECUTOR_MODEL: 'm' }).EXECUTOR_MODEL).toBe('m');
    expect(() => readEnv({ ...bot, COUNTERSIGN_ROLE: 'front' })).toThrowError(
      /SLACK_APP_TOKEN \(Socket Mode\)/,
    );
    // A front only needs to know that there is a Splunk: executors query it.
    const front = {
      ...bot,
      ...slack,
      COUNTERSIGN_ROLE: 'front',
      SPLUNK_URL: 'https://splunk.acme.example:8089',
    };
    expect(readEnv(front).SPLUNK_TOKEN).toBeUndefined();
    expect(() => readEnv({ ...front, COUNTERSIGN_ROLE: 'all' })).toThrowError(/SPLUNK_TOKEN must be set/);
    expect(() => readEnv({ ...slack, COUNTERSIGN_ROLE: 'both' })).toThrowError(/- COUNTERSIGN_ROLE /);
  });

  test.each([
    ['JIRA_HOST', 'https://ana:hunter2@acme.atlassian.net', 'user name or password'],
    ['OPENAI_BASE_URL', 'https://hunter2@proxy.example/v1', 'user name or password'],
    ['SLACK_API_URL', 'https://169.254.169.254/api/', 'link-local'],
    ['PAGERDUTY_API_URL', 'https://[fe80::1]', 'link-local'],
    ['PAGERDUTY_API_URL', 'https://[::ffff:169.254.169.254]', 'link-local'],
    ['OPENAI_BASE_URL', 'https://0xa9.0xfe.0xa9.0xfe', 'link-local'],
    ['PAGERDUTY_EVENTS_HOST', '169.254.169.254', 'link-local'],
    ['SLACK_BOT_TOKEN', 'xoxb-hunter2\nx-evil: 1', 'one line'],
    ['SLACK_APP_TOKEN', 'xapp-hunter2\r\n', 'one line'],
    ['OPENAI_API_KEY', 'hunter2\u0000', 'one line'],
  ])('with %s as %j is refused by name, without its value', (name, value, why) => {
    const start = () => readEnv({ ...slack, [name]: value });
    expect(start).toThrowError(new RegExp(`- ${name} [^\n]*${why}`));
    expect(start).toThrowError(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }));
    expect(start).toThrowError(expect.not.objectContaining({ message: expect.stringContaining('169.254') }));
  });

  test('is for one workspace by its token or for several by their installations, never both', () => {
    const key = 'k'.repeat(32);
    const app = { SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 's'.repeat(8), PORT: '3000' };
    const several = { SLACK_APP_TOKEN: 'xapp-1', ...app, TOKEN_KEY: `${key},${'o'.repeat(32)}` };
    expect(readEnv(several).SLACK_BOT_TOKEN).toBeUndefined();
    expect(() => readEnv({ ...several, ...slack })).toThrowError(/TOKEN_KEY .* SLACK_BOT_TOKEN .* only one/);
    expect(() => readEnv({ ...several, TOKEN_KEY: '' })).toThrowError(
      /TOKEN_KEY \(openssl rand -hex 32\) must be set when SLACK_CLIENT_ID is/,
    );
    expect(() => readEnv({ ...several, TOKEN_KEY: 'short' })).toThrowError(/TOKEN_KEY must have at least 32/);
    expect(() => readEnv({ ...several, PORT: '', SLACK_CLIENT_SECRET: '' })).toThrowError(
      /SLACK_CLIENT_SECRET, PORT must be set when TOKEN_KEY is/,
    );
    const executor = { COUNTERSIGN_ROLE: 'executor', TOKEN_KEY: key };
    expect(readEnv(executor).TOKEN_KEY).toBe(key);
    expect(() => readEnv({ ...executor, SLACK_CLIENT_SECRET: 'secret' })).toThrowError(
      /SLACK_CLIENT_SECRET must not be set for an executor/,
    );
  });

  test('is documented: .env.example has every setting once, each with its description', () => {
    const lines = readFileSync('.env.example', 'utf8').split('\n');
    const documented = lines.flatMap((line, i) => {
      const name = /^#?\s?([A-Z][A-Z0-9_]+)=/.exec(line)?.[1];
      return name ? [{ name, comment: lines[i - 1] ?? '' }] : [];
    });
    const settings = documented.filter(({ name }) => !name.startsWith('PD_ROUTING_KEY_'));
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(envSchema.shape));
    for (const { name, comment } of settings) {
      expect(comment).toBe(`# ${envSchema.shape[name as keyof typeof envSchema.shape].description}`);
    }
  });
});

describe('countersign.yml', () => {
  test('for a front needs no write keys, and reports those that it has', () => {
    const source = stringify({
      services: { ops: { pagerduty: 'PSOPS01', routing_key: 'PD_ROUTING_KEY_OPS' } },
      databases: { shop: { url: 'SHOP_URL' } },
      mcp: { wiki: { url: 'https://wiki.example/mcp', token: 'WIKI_TOKEN' } },
    });
    const front = (variables: Record<string, string>) =>
      checkOperatorConfig(source, {
        ...{ ...known, checksEnvironment: true, holdsNoKeys: true },
        variables: new Map(Object.entries(variables)),
      }).problems.map(({ path, message }) => `${path} ${message}`);
    expect(front({})).toEqual([]);
    expect(front({ PD_ROUTING_KEY_OPS: 'k', WIKI_TOKEN: 't' })).toEqual([
      'services.ops.routing_key needs PD_ROUTING_KEY_OPS to be taken out of the environment of a front: it is for executors',
      'mcp.wiki.token needs WIKI_TOKEN to be taken out of the environment of a front: it is for executors',
    ]);
  });

  test('needs no routing keys if PagerDuty is not set up', () => {
    const source = 'services: { ops: { pagerduty: PSOPS01, routing_key: PD_ROUTING_KEY_OPS } }';
    const missing = (variables: Record<string, string>) =>
      checkOperatorConfig(source, { ...known, variables: new Map(Object.entries(variables)) }).problems.map(
        ({ message }) => message,
      );
    expect(missing({})).toEqual([]);
    expect(missing({ PAGERDUTY_API_TOKEN: 't' })).toEqual(['needs PD_ROUTING_KEY_OPS in the environment']);
  });

  test('refuses keys with the name of a built-in object property', () => {
    const problems = (source: string) =>
      checkOperatorConfig(source, known).problems.map(({ line, path }) => `${line} ${path}`);
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      for (const section of ['services', 'projects', 'channels', 'people', 'databases', 'mcp']) {
        expect(problems(`${section}:\n  ${name}: {}\n`)).toContain(`2 ${section}.${name}`);
      }
      expect(problems(`${name}: {}`)).toContain(`1 ${name}`);
      const own = `workspaces:\n  T0NORTH:\n    services:\n      "${name}": { pagerduty: P1 }`;
      expect(problems(own)).toContain(`4 workspaces.T0NORTH.services.${name}`);
      const inputs = `schedules:\n  - name: nightly\n    inputs:\n      ${name}: 1`;
      expect(problems(inputs)).toContain(`4 schedules.0.inputs.${name}`);
    }
  });

  test('gives each workspace its own channels and people, and the shared sections unless overridden', () => {
    const file = {
      defaults: { channel: 'ops' },
      services: { ops: { pagerduty: 'PSOPS01', routing_key: 'PD_ROUTING_KEY_OPS' } },
      channels: { ops: { id: 'C0MAIN' } },
      operators: ['U0MAIN'],
      rules: [{ approvers: ['oncall'] }],
      schedules: [{ name: 'nightly', cron: '0 3 * * *', goal: 'check', channel: 'ops' }],
    };
    const check = (workspaces: object) => {
      const variables = new Map([['PD_ROUTING_KEY_OPS', 'b'.repeat(32)]]);
      return checkOperatorConfig(stringify({ ...file, workspaces }), { ...known, variables });
    };
    const own = { channels: { ops: { id: 'C0NORTH' } }, caps: { pages_per_hour: 1 } };
    const north = check({ T0NORTH: own }).config?.workspaces.T0NORTH;
    expect(north).toMatchObject({
      channels: { ops: { id: 'C0NORTH' } },
      services: { ops: { pagerduty: 'PSOPS01' } },
      rules: [{ approvers: ['oncall'] }],
      caps: { pages_per_hour: 1, posts_per_hour: 30 },
      ...{ operators: [], people: {}, schedules: [] },
    });
    const wrong = (workspaces: object) =>
      check(workspaces).problems.map(({ path, message }) => `${path} ${message}`);
    expect(wrong({ T0BARE: {} })).toEqual(['workspaces.T0BARE.defaults.channel is not under channels']);
    expect(wrong({ T0X: { ...own, chanels: {} } })).toEqual([
      'workspaces.T0X.chanels unknown setting chanels; did you mean channels?',
    ]);
    expect(wrong({ acme: own })).toEqual([
      expect.stringMatching(/^workspaces.acme must be the id of a Slack workspace/),
    ]);
  });

  test('is valid in the example, and its JSON Schema is up to date', () => {
    const { problems } = checkOperatorConfig(readFileSync('countersign.example.yml', 'utf8'), known);
    expect(problems).toEqual([]);
    const schema = readFileSync('countersign.schema.json', 'utf8');
    expect(schema).toBe(operatorJsonSchema());
    expect(schema.match(/"routing_key": \{/g)).toHaveLength(1);
  });

  test('changes the catalogue when its names change meaning, so that no older card is approved', () => {
    const file = (key: string, max: number, within: string, highest: string) =>
      [
        `services: { ops: { pagerduty: PSOPS01, routing_key: ${key} } }`,
        `projects: { OPS: { service: ops, sla: { P1: { max_open: ${max}, resolve_within: ${within} } } } }`,
        `jira: { priorities: { P1: ${highest} } }`,
      ].join('\n');
    const variables = new Map(['PD_ROUTING_KEY_OPS', 'PD_OTHER'].map((name) => [name, 'b'.repeat(32)]));
    const digest = (...of: Parameters<typeof file>) => {
      const { config, problems } = checkOperatorConfig(file(...of), { ...known, variables });
      if (config === null) throw new Error(JSON.stringify(problems));
      return catalogueDigest(buildCatalogue(config, [], new Set(), missingSettings(readEnv(slack), config)));
    };
    const digests = [
      digest('PD_ROUTING_KEY_OPS', 20, 'PT4H', 'Highest'),
      digest('PD_OTHER', 20, 'PT4H', 'Highest'),
      digest('PD_ROUTING_KEY_OPS', 21, 'PT4H', 'Highest'),
      digest('PD_ROUTING_KEY_OPS', 20, 'PT5H', 'Highest'),
      digest('PD_ROUTING_KEY_OPS', 20, 'PT4H', 'Lowest'),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(digest('PD_ROUTING_KEY_OPS', 20, 'PT4H', 'Highest')).toBe(digests[0]);
  });

  test('lists every problem at once, with its line', () => {
    const source = [
      'defaults: { service: opps }',
      'services:',
      '  ops: { pagerduty: PABC123, routing_key: PD_ROUTING_KEY_MISSING, project: NOPE }',
      'rules:',
      '  - { tools: [jira.count], approvers: [U012] }',
      '  - { tools: [jira.explode], approvers: [] }',
      '  - { tools: [pagerduty.page], approvers: ["oncall:ghost"] }',
      'schedules:',
      '  - name: often',
      '    cron: "* * * * * *"',
      '    timezone: Mars/Base',
      '    goal: check',
      '    channel: ops',
    ].join('\n');
    const { config, problems } = checkOperatorConfig(source, known);
    expect(config).toBeNull();
    expect(problems.map((p) => `${p.line} ${p.path}`)).toEqual([
      '1 defaults.service',
      '3 services.ops.project',
      '3 services.ops.routing_key',
      '5 rules.0.tools.0',
      '6 rules.1.tools.0',
      '7 rules.2.approvers.0',
      '10 schedules.0.cron',
      '11 schedules.0.timezone',
      '13 schedules.0.channel',
    ]);
  });

  test('says in plain words what a setting must be', () => {
    const source = [
      'services: { ops: { pagerduty: abc, routing_key: PD_ROUTING_KEY_OPS } }',
      'projects: { OPS: { sla: { P1: { max_open: hunter2, resolve_within: 4h } } } }',
      'channels: { ops: {}, dev: C012, "#x": { id: C012 }, all: { id: C013, clearance: hunter2 } }',
      'approval: { four_eyes: hunter2, expires_minutes: -5 }',
      'retention: { days: 99999 }',
      'schedules: [{ name: a, cron: "0 8 * * *", goal: "", channel: ops }]',
    ].join('\n');
    const { problems } = checkOperatorConfig(source, known);
    expect(problems.map((p) => `${p.path} ${p.message}`)).toEqual([
      'services.ops.pagerduty must be a PagerDuty service id such as PABC123',
      'projects.OPS.sla.P1.max_open must be a number',
      'projects.OPS.sla.P1.resolve_within must be a duration such as PT4H or P1D',
      'channels.ops.id is missing',
      'channels.dev must be settings with names',
      'channels.#x must be a channel name without #',
      'channels.all.clearance must be one of public, internal, confidential, restricted',
      'approval.four_eyes must be true or false',
      'approval.expires_minutes must be at least 1',
      'retention.days must be at most 36500',
      'schedules.0.goal must not be empty',
    ]);
  });

  test('explains errors in business hours by line: zone, order, days and an ambiguous time to resolve', () => {
    const file = (hours: string, within: string) =>
      `projects:\n  OPS:\n    business_hours:\n      ${hours}\n    sla:\n      P1: { max_open: 1, resolve_within: ${within} }`;
    const said = (hours: string, within = 'PT8H') =>
      checkOperatorConfig(file(hours, within), known).problems.map(({ line, path, message }) => {
        return `${line} ${path.replace('projects.OPS.', '')} ${message}`;
      });
    const zone = 'timezone: Europe/Berlin';
    expect(said(`{ from: "09:00", to: "17:00", ${zone} }`)).toEqual([]);
    expect(said(`{ from: "09:00", to: "24:00", ${zone}, days: [sat], holidays: ["2026-12-25"] }`)).toEqual(
      [],
    );
    expect(said('{ from: "09:00", to: "17:00", timezone: Mars/Base }')).toEqual([
      '4 business_hours.timezone is not a time zone such as Europe/Berlin',
    ]);
    expect(said(`{ from: "17:00", to: "09:00", ${zone} }`)).toEqual([
      '4 business_hours.to must be after from',
    ]);
    expect(said(`{ from: 9, to: "25:00", ${zone}, days: [someday] }`)).toHaveLength(3);
    expect(said(`{ from: "09:00", to: "17:00", ${zone}, holidays: [christmas] }`)).toEqual([
      '4 business_hours.holidays.0 must be a day such as "2026-12-25", in quotation marks',
    ]);
    expect(said(`{ from: "09:00", to: "17:00", ${zone} }`, 'P1D')).toEqual([
      '6 sla.P1.resolve_within must be in hours, such as PT16H: with business hours, a day could be 24 hours or one working day',
    ]);
    expect(said(`{ from: "09:00", to: "17:00", ${zone} }`, 'P1M')).toEqual([
      '6 sla.P1.resolve_within must be a duration without months and years',
    ]);
    expect(said(`{ from: "09:00", to: "17:00", ${zone} }`, 'P1D, around_the_clock: true')).toEqual([]);
  });

  test('gives a channel one clearance, whatever its names', () => {
    const channels = (other: string) =>
      `channels:\n  ops: { id: C0OPS, clearance: internal }\n  incidents: { id: C0OPS, clearance: ${other} }`;
    expect(checkOperatorConfig(channels('internal'), known).problems).toEqual([]);
    const { config, problems } = checkOperatorConfig(channels('restricted'), known);
    expect(config).toBeNull();
    expect(problems.map(({ line, path }) => `${line} ${path}`)).toEqual([
      '2 channels.ops.clearance',
      '3 channels.incidents.clearance',
    ]);
  });

  test('refuses an alias that means two projects, in whatever case', () => {
    const problems = (...projects: string[]) =>
      checkOperatorConfig(`projects:\n${projects.map((one) => `  ${one}\n`).join('')}`, known).problems;
    expect(problems('OPS: { aliases: [infra, shop] }', 'WEB: { aliases: [site, Shop] }')).toEqual([
      {
        line: 3,
        path: 'projects.WEB.aliases.1',
        message: 'already means OPS; a plan could be about the wrong one',
      },
    ]);
    expect(problems('OPS: { aliases: [web] }', 'WEB: {}')).toEqual([
      {
        line: 2,
        path: 'projects.OPS.aliases.0',
        message: 'already means WEB; a plan could be about the wrong one',
      },
    ]);
    expect(problems('OPS: { aliases: [infra, Infra, ops] }', 'WEB: { aliases: [site] }')).toEqual([]);
  });

  test('refuses one routing key for two services, by its variable or by its value', () => {
    const routingKeys = (other: string, role: Partial<Known> = {}) => {
      const source = [
        'services:',
        '  ops: { pagerduty: POPS001, routing_key: PD_ROUTING_KEY_OPS }',
        `  pay: { pagerduty: PPAY001, routing_key: ${other} }`,
      ].join('\n');
      const keys = { PD_SAME: 'a'.repeat(32), PD_OTHER: 'b'.repeat(32) };
      const variables = new Map([...known.variables, ...Object.entries(keys)]);
      return checkOperatorConfig(source, { ...known, variables, ...role }).problems;
    };
    const at = { line: 3, path: 'services.pay.routing_key' };
    expect(routingKeys('PD_ROUTING_KEY_OPS')).toEqual([
      { ...at, message: 'is already that of ops: a page would reach the wrong people' },
    ]);
    expect(routingKeys('PD_SAME')).toEqual([
      { ...at, message: 'has the value of that of ops: a page would reach the wrong people' },
    ]);
    expect(routingKeys('PD_OTHER')).toEqual([]);
    // A front has no keys, and is refused for the variable all the same.
    expect(routingKeys('PD_ROUTING_KEY_OPS', { holdsNoKeys: true, variables: new Map() })).toMatchObject([
      at,
    ]);
  });

  test('refuses two services with one PagerDuty id, and a routing key that is no single line', () => {
    const source = [
      'services:',
      '  ops: { pagerduty: PSAME01, routing_key: PD_ROUTING_KEY_OPS }',
      '  pay: { pagerduty: PSAME01, routing_key: PD_BROKEN }',
    ].join('\n');
    const variables = new Map([...known.variables, ['PD_BROKEN', 'hunter2\nhunter3']]);
    const { config, problems } = checkOperatorConfig(source, { ...known, variables });
    expect(config).toBeNull();
    expect(problems).toEqual([
      {
        line: 3,
        path: 'services.pay.routing_key',
        message: expect.stringContaining('PD_BROKEN to be one line'),
      },
      {
        line: 3,
        path: 'services.pay.pagerduty',
        message: expect.stringContaining('is already the id of ops'),
      },
    ]);
    expect(JSON.stringify(problems)).not.toMatch(/hunter|PSAME01/);
  });

  test.each([
    ['broken YAML', 'services: [', 1],
    ['an unknown key', 'defaults: {}\nservice: {}', 2],
    ['a value that looks like an alias', 'defaults: {}\nservices: *ops', 2],
    [
      'such a value, and a comment above it with the same word',
      '# page *ops\ndefaults: {}\nservices: *ops',
      3,
    ],
    ['a wrong type in a list', 'rules:\n  - approvers:\n    - U012\n    - everybody', 4],
  ])('with %s names the line', (_name, source, line) => {
    const { problems } = checkOperatorConfig(source, known);
    expect(problems[0]?.line).toBe(line);
  });
});

describe('rules about approvers', () => {
  const services = 'services: { ops: { pagerduty: PABC123, routing_key: PD_ROUTING_KEY_OPS } }\n';
  const wrong = (rules: string): string[] =>
    checkOperatorConfig(`${services}rules:\n${rules}`, known).problems.map(
      ({ line, message }) => `${line} ${message}`,
    );

  test('the old setting is reported with the rules to paste in its place', () => {
    const { problems } = checkOperatorConfig(
      'approvers:\n  pagerduty.page: [U012, "oncall:ops"]\n  "*": [S012]',
      known,
    );
    const [{ message } = { message: '' }] = problems;
    expect(message).toContain('has become rules');
    const pasted = message.slice(message.indexOf('rules:'));
    const { config, problems: after } = checkOperatorConfig(
      services + pasted.slice(pasted.indexOf('\n') - 6),
      known,
    );
    expect(after).toEqual([]);
    expect(config?.rules).toMatchObject([
      { tools: ['pagerduty.page'], approvers: ['U012', 'oncall:ops'] },
      { approvers: ['S012'] },
    ]);
  });

  test('an empty rule, an impossible one and contradicting ones are explained by line', () => {
    expect(wrong('  - {}')).toEqual([
      '3 says nothing: give approvers (an empty list means nobody), or deny with a reason',
    ]);
    expect(wrong('  - { tools: [], approvers: [U012] }')).toEqual([
      '3 must name at least one; leave it out for all',
    ]);
    expect(wrong('  - { approvers: [U012, U012], needed: 2 }')).toEqual([
      '3 asks for 2 and only 1 can ever say yes',
    ]);
    expect(wrong('  - { deny: no, approvers: [U012] }')).toEqual([
      '3 denies, so nobody can be an approver here; make two rules of it',
    ]);
    expect(
      wrong('  - { name: all, approvers: [U012] }\n  - { tools: [pagerduty.page], approvers: [U013] }'),
    ).toEqual(['4 never holds: “all” comes before it and is about all of the same writes']);
    expect(
      wrong(
        '  - { services: [ops], approvers: [U012] }\n  - { name: frozen, tools: [pagerduty.page], deny: frozen }',
      ),
    ).toEqual([]);
    expect(
      wrong(
        '  - { tools: [pagerduty.page], approvers: [U012] }\n  - { name: frozen, deny: the audit is on }',
      ),
    ).toEqual(['3 contradicts “frozen”, which denies all that it allows']);
    expect(
      wrong('  - { services: [shop], approvers: [U012], hours: { from: "25:00", to: "07:00" } }'),
    ).toEqual(['3 must be a time of day such as "22:00", in quotation marks']);
  });
});
