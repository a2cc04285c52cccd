import { buildSla } from '../config/build.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import { own } from '../core/own.ts';
import type { JiraReader, PagerDutyReader, Readers, SummaryReader, Writers } from '../core/ports.ts';
import { createJiraReader } from '../vendors/jira/reader.ts';
import { createPagerDutyReader } from '../vendors/pagerduty/reader.ts';
import type { PagerDutyService } from '../vendors/pagerduty/services.ts';
import { createPagerDutyWriter } from '../vendors/pagerduty/writer.ts';
import type { SlackGateway } from '../vendors/slack/gateway.ts';
import { createSlackToolPort } from '../vendors/slack/tool-port.ts';
import { notConfigured } from './not-configured.ts';

export interface VendorDeps {
  readonly env: Env;
  readonly config: OperatorConfig;
  /** The environment as it was given: routing keys stand there under names of the operator's choice. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly gateway: SlackGateway;
  readonly summaries: SummaryReader;
  readonly now: () => Date;
}

function jiraReader({ env, config, now }: VendorDeps): JiraReader {
  const { JIRA_HOST: host, JIRA_EMAIL: email, JIRA_API_TOKEN: apiToken } = env;
  if (!host || !email || !apiToken) {
    const ask = notConfigured('JIRA_HOST, JIRA_EMAIL and JIRA_API_TOKEN');
    return { count: ask, search: ask };
  }
  const priorities = Object.fromEntries(
    Object.entries(config.jira.priorities).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  return createJiraReader({
    host,
    email,
    apiToken,
    fetch,
    now,
    priorities,
    projects: Object.keys(config.projects),
  });
}

function services({ config, variables }: VendorDeps): ReadonlyMap<string, PagerDutyService> {
  return new Map(
    Object.entries(config.services).map(([name, service]) => {
      return [name, { id: service.pagerduty, routingKey: variables[service.routing_key]?.trim() || null }];
    }),
  );
}

function pagerDuty(deps: VendorDeps): { reader: PagerDutyReader; writer: Writers['pagerduty'] } {
  const {
    PAGERDUTY_API_TOKEN: token,
    PAGERDUTY_API_URL: apiUrl,
    PAGERDUTY_EVENTS_HOST: eventsHost,
  } = deps.env;
  if (!token) {
    const ask = notConfigured('PAGERDUTY_API_TOKEN and PAGERDUTY_FROM_EMAIL');
    return { reader: { oncall: ask, pageByKey: ask }, writer: { page: ask } };
  }
  const shared = { services: services(deps), now: deps.now };
  return {
    reader: createPagerDutyReader({ ...shared, token, apiUrl }),
    writer: createPagerDutyWriter({ ...shared, eventsHost }),
  };
}

/** Ids of the operator's channels and people. */
function addressBook(config: OperatorConfig) {
  return (name: string): { channel: string } | { userId: string } | null => {
    const bare = name.replace(/^[#@]/, '');
    const channel = own(config.channels, bare);
    if (channel && !name.startsWith('@')) return { channel: channel.id };
    const userId = own(config.people, bare);
    return userId ? { userId } : null;
  };
}

/** The readers and writers that tools are handed, each on its vendor's client. */
export function createVendors(deps: VendorDeps): { readers: Readers; writers: Writers } {
  const slack = createSlackToolPort(deps.gateway, addressBook(deps.config));
  const pagerduty = pagerDuty(deps);
  return {
    readers: {
      jira: jiraReader(deps),
      pagerduty: pagerduty.reader,
      slack: slack.reader,
      sla: buildSla(deps.config),
      model: deps.summaries,
    },
    writers: { pagerduty: pagerduty.writer, slack: slack.writer },
  };
}
