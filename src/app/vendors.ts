import { z } from 'zod';
import { buildSla } from '../config/build-catalogue.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { LinkHosts } from '../core/address.ts';
import type { CallTurn } from '../core/fair-queue.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own-property.ts';
import type { Readers, Writers } from '../core/ports.ts';
import { type Meter, metered } from '../ops/meter.ts';
import type { System } from '../ops/systems.ts';
import type { SpanFacts } from '../ops/tracing.ts';
import { connectActions } from '../vendors/actions/client.ts';
import { askAzure } from '../vendors/azure/logs.ts';
import { askConfluence } from '../vendors/confluence/search.ts';
import { boundedFetch } from '../vendors/http/bounded-fetch.ts';
import type { JiraPeople } from '../vendors/jira/accounts.ts';
import { connectJira } from '../vendors/jira/connect.ts';
import { askJira } from '../vendors/jira/probe.ts';
import type { JiraAccess } from '../vendors/jira/transport.ts';
import type { Mcp } from '../vendors/mcp/servers.ts';
import type { SummaryReader } from '../vendors/model/port.ts';
import { connectPagerDuty } from '../vendors/pagerduty/connect.ts';
import { askPagerDuty } from '../vendors/pagerduty/probe.ts';
import type { KnownKeys, PagerDutyService } from '../vendors/pagerduty/services.ts';
import { askPrometheus } from '../vendors/prometheus/query.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { type AddressBook, createSlackToolPort } from '../vendors/slack/tool-port.ts';
import { askSplunk } from '../vendors/splunk/search.ts';
import type { Databases } from '../vendors/sql/reader.ts';
import {
  azureOptions,
  connectKnowledge,
  connectQueries,
  prometheusOptions,
  splunkOptions,
  wikiOptions,
} from './data-sources.ts';

export interface VendorDeps {
  readonly env: Env;
  readonly config: OperatorConfig;
  /** The raw environment; it holds routing keys under the operator's own names. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly gateway: SlackGateway;
  /** Routing keys that this process has looked up. */
  readonly knownKeys: KnownKeys;
  readonly summaries: SummaryReader;
  readonly mcp: Mcp;
  readonly log: Log;
  readonly now: () => Date;
  /** Measures the calls to one vendor. Slack and the model are measured where their calls leave. */
  readonly meter: (vendor: string) => Meter;
}

export interface Vendors {
  readonly readers: Readers;
  readonly writers: Writers;
  /** Hosts that results may link to: those where a configured vendor shows things to people. */
  readonly hosts: LinkHosts;
  /** Looks up PagerDuty's routing keys; why services cannot be paged, a line each. */
  readonly loadKeys: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Checked when the bot starts and closed when it stops. */
  readonly databases: Databases;
}

/** The tools' readers and writers, each on its vendor's client. */
export function createVendors(deps: VendorDeps): Vendors {
  const slack = createSlackToolPort(deps.gateway, addressBook(deps.config));
  const jira = meteredVendor(connectJira(jiraOptions(deps)), deps.meter('jira'));
  const pagerduty = meteredVendor(connectPagerDuty(pagerDutyOptions(deps)), deps.meter('pagerduty'));
  const knowledge = connectKnowledge(deps);
  const wikiMeter = deps.meter('confluence');
  const mcpMeter = deps.meter('mcp');
  const { actions: declared } = deps.config;
  const actions = connectActions({ actions: declared, variables: deps.variables, fetch });
  const actionsMeter = deps.meter('actions');
  const queries = connectQueries(deps);
  const { queries: book, azure, splunk, prometheus, databases } = queries.readers;
  const data = {
    azure: metered(azure, deps.meter('azure'), oneSystem),
    splunk: metered(splunk, deps.meter('splunk'), oneSystem),
    prometheus: metered(prometheus, deps.meter('prometheus'), oneSystem),
    databases: metered(databases, deps.meter('sql'), systemNamed),
  };
  return {
    readers: {
      calendar: { zone: deps.config.defaults.timezone ?? 'UTC' },
      ...{ ...jira.readers, ...pagerduty.readers, slack: slack.reader },
      ...{ sla: buildSla(deps.config), model: deps.summaries, ...knowledge.readers },
      wiki: metered(knowledge.readers.wiki, wikiMeter, oneSystem),
      mcp: metered(deps.mcp.reader, mcpMeter, systemNamed),
      actions: metered(actions.reader, actionsMeter, systemNamed),
      ...{ ...data, queries: book },
    },
    writers: {
      ...jira.writers,
      ...pagerduty.writers,
      slack: slack.writer,
      wiki: metered(knowledge.writers.wiki, wikiMeter),
      mcp: metered(deps.mcp.writer, mcpMeter),
      actions: metered(actions.writer, actionsMeter),
    },
    hosts: [...jira.hosts, ...pagerduty.hosts, ...slack.hosts, ...knowledge.hosts, ...actionHosts(declared)],
    loadKeys: pagerduty.loadKeys,
    databases: queries.databases,
  };
}

const actionHosts = (actions: OperatorConfig['actions']): string[] =>
  Object.values(actions).flatMap(({ hosts }) => hosts);

/** Every port of a vendor, measured. Reads wait for their turn. */
function meteredVendor<V extends { readonly readers: object; readonly writers: object }>(
  vendor: V,
  meter: Meter,
): V {
  const ports = <P extends object>(all: P, turnOf?: typeof oneSystem): P => {
    const each = Object.entries(all).map(([name, port]) => [name, metered<object>(port, meter, turnOf)]);
    return Object.fromEntries(each);
  };
  return { ...vendor, readers: ports(vendor.readers, oneSystem), writers: ports(vendor.writers) };
}

const oneSystem = (args: readonly unknown[]): CallTurn => turnAt('', args);

/** Databases, MCP servers and actions are systems of their own: one that hangs takes no turns of another. */
function systemNamed(args: readonly unknown[]): CallTurn {
  const { source, name } = named.catch({}).parse(args[0]);
  return turnAt(source ?? name?.split('.')[0] ?? '', args);
}

const named = z.object({ source: z.string().nullish(), name: z.string().optional() });

const turnAt = (system: string, args: readonly unknown[]): CallTurn => ({
  system,
  signal: args.find((arg) => arg instanceof AbortSignal),
});

type JiraEnv = Pick<Env, 'JIRA_HOST' | 'JIRA_SITE' | 'JIRA_EMAIL' | 'JIRA_API_TOKEN'>;

/** Null where Jira is not set up. */
export function jiraAccess(env: JiraEnv, now: () => Date): JiraAccess | null {
  const { JIRA_HOST: host, JIRA_SITE: site, JIRA_EMAIL: email, JIRA_API_TOKEN: apiToken } = env;
  return host && email && apiToken ? { host, site, email, apiToken, fetch: boundedFetch, now } : null;
}

function jiraOptions({ env, config, gateway, now }: VendorDeps): Parameters<typeof connectJira>[0] {
  const access = jiraAccess(env, now);
  if (access === null) return null;
  const named = Object.entries(config.jira.priorities);
  const priorities = Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const people: JiraPeople = {
    idOf: (handle) => own(config.people, handle) ?? null,
    emailOf: async (userId) => (await gateway.userInfo(userId))?.email ?? null,
  };
  return {
    ...access,
    priorities,
    people,
    projects: Object.keys(config.projects),
    timezone: config.defaults.timezone,
  };
}

function pagerDutyOptions(deps: VendorDeps): Parameters<typeof connectPagerDuty>[0] {
  const { PAGERDUTY_API_TOKEN: token, PAGERDUTY_FROM_EMAIL: from, PAGERDUTY_API_URL: apiUrl } = deps.env;
  if (!token || !from) return null;
  const { PAGERDUTY_EVENTS_HOST: eventsHost } = deps.env;
  return {
    token,
    from,
    apiUrl,
    eventsHost,
    services: servicesOf(deps.config, deps.variables),
    knownKeys: deps.knownKeys,
    now: deps.now,
  };
}

/** The operator's services by name, with their routing keys from the environment. */
export function servicesOf(
  config: OperatorConfig,
  variables: VendorDeps['variables'],
): ReadonlyMap<string, PagerDutyService> {
  return new Map(
    Object.entries(config.services).map(([name, { pagerduty: id, routing_key: variable }]) => {
      return [name, { id, routingKey: (variable && variables[variable]?.trim()) || null }];
    }),
  );
}

function addressBook({ channels, people }: OperatorConfig): AddressBook {
  const handles = new Map(Object.entries(people).map(([handle, userId]) => [userId, `@${handle}`]));
  return {
    find(name) {
      const bare = name.replace(/^[#@]/, '');
      const channel = own(channels, bare);
      if (channel && !name.startsWith('@')) return { channel: channel.id };
      const userId = own(people, bare);
      return userId ? { userId } : null;
    },
    handleOf: (userId) => handles.get(userId) ?? null,
  };
}

/** The host of a system for traces; empty for a system that may have several. */
export function serverOf(env: Env, vendor: string, call: string): SpanFacts {
  const events = `https://${env.PAGERDUTY_EVENTS_HOST}`;
  const addresses: Readonly<Record<string, string | undefined>> = {
    ...{ slack: env.SLACK_API_URL, jira: env.JIRA_HOST, azure: env.AZURE_LOGS_URL, splunk: env.SPLUNK_URL },
    prometheus: env.PROMETHEUS_URL,
    // Only pages are sent there.
    pagerduty: call === 'page' ? events : env.PAGERDUTY_API_URL,
    model: env.OPENAI_BASE_URL ?? 'https://api.openai.com',
  };
  const address = addresses[vendor];
  if (address === undefined) return {};
  const { hostname, port, protocol } = new URL(address);
  const usual = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) };
}

/** The systems that this process asks whether their tokens work. */
export function systemsIn({ env, config, now }: Pick<VendorDeps, 'env' | 'config' | 'now'>): System[] {
  const { PAGERDUTY_API_TOKEN: token, PAGERDUTY_API_URL: apiUrl } = env;
  const jira = jiraAccess(env, now);
  return [
    ...(jira === null ? [] : [{ name: 'jira', ask: () => askJira(jira) }]),
    ...(token === undefined ? [] : [{ name: 'pagerduty', ask: () => askPagerDuty({ apiUrl, token, now }) }]),
    ...(env.COUNTERSIGN_ROLE === 'front' ? [] : sourcesIn({ env, config, now })),
  ];
}

/** The systems that steps read from, without databases and models: those are looked at by other means, and a question costs money. */
function sourcesIn({ env, config, now }: Pick<VendorDeps, 'env' | 'config' | 'now'>): System[] {
  const confluence = wikiOptions({ env, config, now });
  const azure = azureOptions({ env, config });
  const splunk = splunkOptions({ env, now });
  const prometheus = prometheusOptions({ env, now });
  return [
    ...(confluence === null ? [] : [{ name: 'confluence', ask: () => askConfluence(confluence) }]),
    ...(azure === null ? [] : [{ name: 'azure', ask: () => askAzure(azure, now) }]),
    ...(splunk === null ? [] : [{ name: 'splunk', ask: () => askSplunk(splunk) }]),
    ...(prometheus === null ? [] : [{ name: 'prometheus', ask: () => askPrometheus(prometheus) }]),
  ];
}
