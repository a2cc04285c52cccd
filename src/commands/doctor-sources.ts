import {
  azureOptions,
  connectQueries,
  prometheusOptions,
  splunkOptions,
  wikiOptions,
} from '../app/data-sources.ts';
import { buildQueries } from '../config/build-catalogue.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { basedOn } from '../core/actions.ts';
import { type Checkup, notSetUp } from '../core/doctor-result.ts';
import type { QueryTemplate } from '../core/queries/template.ts';
import { type QueryProblem, queryProblem } from '../review/query-checks.ts';
import { probeAzure } from '../vendors/azure/logs.ts';
import { probeConfluence } from '../vendors/confluence/search.ts';
import { probeHost } from '../vendors/http/reach.ts';
import { createMcp } from '../vendors/mcp/servers.ts';
import { probePrometheus } from '../vendors/prometheus/query.ts';
import { probeSplunk } from '../vendors/splunk/search.ts';
import type { CommandContext } from './command.ts';
import { silent } from './database.ts';

const mcpTimeoutMs = 30_000;
const now = () => new Date();

/** The sources that steps read from. A front uses none of them. */
export function sources(
  env: Env,
  config: OperatorConfig,
  variables: CommandContext['variables'],
): Promise<Checkup[]>[] {
  return [
    confluence(env, config),
    azure(env, config),
    splunk(env),
    prometheus(env),
    mcp(config, variables),
    databases(env, config, variables),
    vettedQueries(env, config, variables),
    actions(config, variables),
  ];
}

async function confluence(env: Env, config: OperatorConfig): Promise<Checkup[]> {
  const options = wikiOptions({ env, config, now });
  if (options) return probeConfluence(options);
  return [notSetUp('confluence', 'confluence in countersign.yml, CONFLUENCE_HOST, and the settings of Jira')];
}

async function azure(env: Env, config: OperatorConfig): Promise<Checkup[]> {
  const options = azureOptions({ env, config });
  if (options) return probeAzure(options, now);
  const settings = 'azure in countersign.yml, AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET';
  return [notSetUp('azure', settings)];
}

async function splunk(env: Env): Promise<Checkup[]> {
  const options = splunkOptions({ env, now });
  return options ? probeSplunk(options) : [notSetUp('splunk', 'SPLUNK_URL and SPLUNK_TOKEN')];
}

async function prometheus(env: Env): Promise<Checkup[]> {
  const options = prometheusOptions({ env, now });
  return options ? probePrometheus(options) : [notSetUp('prometheus', 'PROMETHEUS_URL')];
}

/** Each pinned tool: whether its server answers, and its declaration still matches the pin. */
async function mcp(
  { mcp: servers }: OperatorConfig,
  variables: CommandContext['variables'],
): Promise<Checkup[]> {
  const asked = createMcp({ servers, variables, fetch });
  try {
    const states = await asked.look(AbortSignal.timeout(mcpTimeoutMs));
    return states.map(({ pin, state, message }) => ({
      about: pin.name,
      level: state === 'ok' ? 'ok' : 'wrong',
      says: message,
    }));
  } finally {
    await asked.close();
  }
}

/** Each host of an action: whether it answers at all. Nothing is called as a try. */
async function actions(
  { actions: declared }: OperatorConfig,
  variables: CommandContext['variables'],
): Promise<Checkup[]> {
  const urls = Object.values(declared).flatMap(({ url }) => basedOn(url, (name) => variables[name]) ?? []);
  const origins = new Set(urls.map((url) => new URL(url.replaceAll(/[{}]/g, '')).origin));
  const probed = [...origins].map((origin) => {
    const url = new URL(origin);
    return probeHost(`actions at ${url.host}`, { vendor: url.host, url, fetch });
  });
  return (await Promise.all(probed)).flat();
}

/** Each database for queries: whether it answers, and its role can only read. */
async function databases(
  env: Env,
  config: OperatorConfig,
  variables: CommandContext['variables'],
): Promise<Checkup[]> {
  const { databases: opened } = connectQueries({
    env,
    config,
    variables,
    log: silent,
    now,
  });
  try {
    const states = await opened.roles();
    return states.map(({ name, why }) => {
      const says = why ?? 'its role can only read';
      return { about: `database ${name}`, level: why === null ? 'ok' : 'wrong', says };
    });
  } finally {
    await opened.close();
  }
}

/** Sample values by type, for parameters without a default. */
const samples = {
  ...{ service: 'service', word: 'sample', text: 'sample', code: 'E1', number: 1 },
  ...{ host: 'web-1', status: '5xx' },
} as const;

/** Each vetted query: whether its source would run it. Nothing is read. */
export async function vettedQueries(
  env: Env,
  config: OperatorConfig,
  variables: CommandContext['variables'],
): Promise<Checkup[]> {
  const { readers, databases: opened } = connectQueries({ env, config, variables, log: silent, now });
  const templates = buildQueries(config);
  const found: Checkup[] = [];
  try {
    // One after the other: they are many, and their sources serve others.
    for (const template of templates) {
      const args = sampleArgs(template, Object.keys(config.services));
      const problem = await queryProblem(template.language, args, readers, now());
      if (problem !== null) found.push(troubleOf(template, problem));
    }
  } finally {
    await opened.close();
  }
  const fine = templates.length - found.length;
  const says = `${fine} of ${templates.length} vetted ones are accepted where they run`;
  return fine === 0 ? found : [{ about: 'queries', level: 'ok', says }, ...found];
}

function sampleArgs({ name, parameters, services }: QueryTemplate, known: readonly string[]) {
  const [service = samples.service] = [...services, ...known];
  const needed = Object.entries(parameters).filter(([, parameter]) => parameter.default === undefined);
  const args = needed.map(([parameter, { type }]) => [parameter, { ...samples, service }[type]]);
  return { named: name, ...Object.fromEntries(args) };
}

function troubleOf({ language, name }: QueryTemplate, { code, message, refused }: QueryProblem): Checkup {
  const about = `query ${language} ${name}`;
  if (code === 'query_value')
    return { about, level: 'note', says: `needs a default for each parameter to be checked: ${message}` };
  return refused
    ? { about, level: 'wrong', says: message }
    : { about, level: 'note', says: `not checked: ${message}` };
}
