import { existsSync, statfsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { allWarnings, checkSettings, type Settings } from '../app/settings.ts';
import { jiraAccess, servicesOf } from '../app/vendors.ts';
import type { Env } from '../config/env.ts';
import { withoutModel } from '../config/process-role.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { type Checkup, notSetUp, tried } from '../core/doctor-result.ts';
import type { CountersignError } from '../core/errors.ts';
import type { StructuredModel } from '../core/model.ts';
import { own } from '../core/own-property.ts';
import { stateFolder } from '../store/open.ts';
import { probeDatabase } from '../store/probe.ts';
import * as processes from '../store/processes.ts';
import type { Db } from '../store/tables.ts';
import { proxyHost } from '../vendors/http/proxy.ts';
import { probeHost } from '../vendors/http/reach.ts';
import { probeJira } from '../vendors/jira/probe.ts';
import { modelClient } from '../vendors/model/models.ts';
import { probePagerDuty } from '../vendors/pagerduty/probe.ts';
import type { Command, CommandContext } from './command.ts';
import { withDatabase } from './database.ts';
import { slack, workspaces } from './doctor-slack.ts';
import { sources } from './doctor-sources.ts';

const modelTimeoutMs = 30_000;
/** Bytes. With less than this a busy day fills the disk. */
const scarce = 500_000_000;

/** `doctor` tests every configured system with the smallest possible call, and reports each in one line with what is missing. */
export const doctor: Command = async (args, { variables, out }) => {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  const { settings: read, errors } = checkSettings(variables);
  const found = read === null ? await refused(errors, variables) : await everything(read, variables);
  if (values.json) out(JSON.stringify(found));
  else for (const line of lines(found)) out(line);
  return found.some(({ level }) => level === 'wrong') ? 1 : 0;
};

/** Settings that a start refuses; what runs already goes on without them. */
async function refused(
  errors: readonly CountersignError[],
  variables: CommandContext['variables'],
): Promise<Checkup[]> {
  const wrong = errors.map(({ message }): Checkup => ({ about: 'settings', level: 'wrong', says: message }));
  const running = await tried('database', () => database(variables));
  return [
    ...wrong,
    ...running.map((one) => {
      if (one.about !== 'processes' || !one.says.startsWith('running')) return one;
      return { ...one, says: `${one.says}; they go on with the settings that they have` };
    }),
  ];
}

async function everything(read: Settings, variables: CommandContext['variables']): Promise<Checkup[]> {
  const { env, config } = read;
  const parts = [
    // The embedded database creates the folder whose disk is checked.
    tried('database', () => database(variables)).then(async (found) => [...found, ...(await disk(env))]),
    env.SLACK_BOT_TOKEN ? slack(env, config, env.SLACK_BOT_TOKEN) : workspaces(env, config, variables),
    jira(env, config),
    pagerduty(env, config, variables),
    models(env),
    events(env),
    ...(env.COUNTERSIGN_ROLE === 'front' ? [] : sources(env, config, variables)),
  ];
  const proxy = proxyHost(env);
  const way: Checkup[] =
    proxy === null
      ? []
      : [{ about: 'proxy', level: 'ok', says: `what leaves by HTTP goes through ${proxy}` }];
  const settings = (await allWarnings(read)).map(
    (says): Checkup => ({ about: 'settings', level: 'note', says }),
  );
  return [...settings, ...way, ...(await Promise.all(parts)).flat()];
}

/** Longer lists are told as what is wrong in them, and a count of the rest. */
const maxAlike = 20;

/** A line for each finding; the good ones of a long list as one. */
function lines(found: readonly Checkup[]): string[] {
  const kinds = Map.groupBy(
    found,
    ({ about, level }) => `${level} ${about.includes(' ') ? `${about.split(' ')[0]} …` : about}`,
  );
  const shown = [...kinds.values()].flatMap((alike): Checkup[] => {
    const [{ about, level } = { about: '', level: 'ok' as const }] = alike;
    if (level !== 'ok' || alike.length <= maxAlike) return alike;
    return [{ about: about.split(' ')[0] ?? about, level, says: `${alike.length} more are fine` }];
  });
  const ordered = found.length === shown.length ? found : shown;
  const width = Math.max(...ordered.map(({ about }) => about.length));
  return ordered.map(
    ({ about, level, says }) => `${level.padEnd(5)}  ${about.padEnd(width)}  ${says.replace(/\s+/g, ' ')}`,
  );
}

async function database(variables: CommandContext['variables']): Promise<Checkup[]> {
  let found: Checkup[] = [];
  await withDatabase(variables, async (db) => {
    found = [...(await probeDatabase(db)), ...(await processesOn(db))];
    return 0;
  });
  return found;
}

/** The processes currently using this database. */
async function processesOn(db: Db): Promise<Checkup[]> {
  const found = await processes.living(db);
  // A process has a row for each workspace it serves.
  const each = Map.groupBy(found, ({ role, version }) => `${role} (${version})`);
  const counted = [...each].map(([kind, those]) => `${new Set(those.map(({ id }) => id)).size} × ${kind}`);
  const about = 'processes';
  if (counted.length === 0) return [{ about, level: 'ok', says: 'none is running' }];
  const versions = new Set(found.map(({ version }) => version));
  const rules = new Set(found.map(({ teamId, rules: digest }) => `${teamId} ${digest}`));
  const teams = new Set(found.map(({ teamId }) => teamId));
  const says = `running: ${counted.join(', ')}`;
  if (versions.size > 1)
    return [
      { about, level: 'note', says: `${says}: stop the older ones when the new version is rolled out` },
    ];
  if (rules.size > teams.size)
    return [
      { about, level: 'wrong', says: `${says}, with different settings: give all the same countersign.yml` },
    ];
  return [{ about, level: 'ok', says }];
}

/** The disk of the embedded database. */
async function disk(env: Env): Promise<Checkup[]> {
  const folder = stateFolder(env);
  if (folder === null || env.DATABASE_URL !== undefined || !existsSync(folder)) return [];
  return tried('disk', async () => {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const says = `${Math.round(free / 1_000_000)} MB free for ${folder}`;
    if (free >= scarce) return [{ about: 'disk', level: 'ok', says }];
    return [{ about: 'disk', level: 'wrong', says: `only ${says}: make room, or move DATA_DIR` }];
  });
}

async function jira(env: Env, config: OperatorConfig): Promise<Checkup[]> {
  const access = jiraAccess(env, () => new Date());
  if (access === null) return [notSetUp('jira', 'JIRA_HOST, JIRA_EMAIL and JIRA_API_TOKEN')];
  const onlyReads = env.COUNTERSIGN_ROLE === 'front';
  return probeJira(access, {
    projects: Object.keys(config.projects),
    priorities: prioritiesIn(config),
    timezone: config.defaults.timezone ?? 'UTC',
    onlyReads,
  });
}

/** The priorities mentioned in the file, with their names in Jira. */
function prioritiesIn({ defaults, projects, jira: { priorities } }: OperatorConfig): Record<string, string> {
  const agreed = Object.values(projects).flatMap(({ sla }) => Object.keys(sla));
  const used = [
    ...new Set([
      ...agreed,
      ...Object.keys(priorities),
      ...(defaults.priority === undefined ? [] : [defaults.priority]),
    ]),
  ];
  return Object.fromEntries(used.sort().map((name) => [name, own(priorities, name) ?? name]));
}

async function pagerduty(
  env: Env,
  config: OperatorConfig,
  variables: CommandContext['variables'],
): Promise<Checkup[]> {
  const { PAGERDUTY_API_TOKEN: token, PAGERDUTY_FROM_EMAIL: fromEmail, PAGERDUTY_API_URL: apiUrl } = env;
  if (!token || !fromEmail) return [notSetUp('pagerduty', 'PAGERDUTY_API_TOKEN and PAGERDUTY_FROM_EMAIL')];
  const services = servicesOf(config, variables);
  const hasWebhookSecret = env.PAGERDUTY_WEBHOOK_SECRET !== undefined;
  const eventsHost = env.COUNTERSIGN_ROLE === 'front' ? null : env.PAGERDUTY_EVENTS_HOST;
  const named = { fromEmail, eventsHost, services, hasWebhookSecret };
  return probePagerDuty({ apiUrl, token, ...named, now: () => new Date() });
}

async function events({ COUNTERSIGN_EVENTS_URL: url }: Env): Promise<Checkup[]> {
  return url === undefined
    ? []
    : probeHost('events', { vendor: 'The receiver of events', url: new URL(url), fetch });
}

async function models(env: Env): Promise<Checkup[]> {
  const second = env.PLANNER_SHADOW === withoutModel ? undefined : env.PLANNER_SHADOW;
  const set = [env.PLANNER_MODEL, second, env.EXECUTOR_MODEL];
  const names = new Set(set.filter((name) => name !== undefined));
  if (names.size === 0) return [notSetUp('model', 'PLANNER_MODEL, with OPENAI_API_KEY or OPENAI_BASE_URL')];
  const each = [...names].map((name) => probeModel(modelClient(env, name, modelTimeoutMs)));
  return (await Promise.all(each)).flat();
}

const timeoutMs = 30_000;

/** Asks a model for one word. Costs a few tokens; listing models would not show whether the account has credit. */
function probeModel(model: StructuredModel): Promise<Checkup[]> {
  const about = `model ${model.name}`;
  return tried(about, async () => {
    const question = {
      name: 'ready',
      schema: z.object({ ready: z.boolean() }),
      messages: [{ role: 'user' as const, content: 'Answer {"ready": true}.' }],
      // Some models think before they answer, and those tokens count.
      maxTokens: 500,
    };
    const { value, problems } = await model.ask(question, AbortSignal.timeout(timeoutMs));
    if (value !== null) return [{ about, level: 'ok', says: 'answers in the shape that was asked for' }];
    const says = `it answers, but not in the shape that was asked for (${problems.join('; ')}); plans may fall back to offline`;
    return [{ about, level: 'note', says }];
  });
}
