import type { AlertRule, AlertRules, LabelMatch } from '../core/alert.ts';
import { own } from '../core/own-property.ts';
import { readHours } from './build-catalogue.ts';
import type { OperatorConfig } from './schema.ts';

type RuleConfig = OperatorConfig['alerts']['rules'][number];
type DoorConfig = OperatorConfig['alerts']['doors'][string];
type Variables = Readonly<Record<string, string | undefined>>;

/** The operator's rules about alerts, already validated. */
export function buildAlertRules(config: OperatorConfig): AlertRules {
  const { rules, unmatched, doors } = config.alerts;
  const channelOf = (name: string | undefined) => {
    const id = own(config.channels, name ?? '')?.id;
    return name === undefined || id === undefined ? null : { name, id };
  };
  return {
    rules: rules.map((rule): AlertRule => {
      // Incidents of PagerDuty may be those of the same alerts: a rule has to name their door.
      const from = rule.doors ?? Object.keys(doors);
      return {
        name: rule.name,
        doors: from,
        match: matchOf(rule),
        service: rule.service ?? null,
        channel: channelOf(rule.channel),
        priority: rule.priority ?? null,
        quiet: rule.quiet === undefined ? null : readHours(rule.quiet),
        reads: rule.reads ?? null,
        propose: rule.propose,
      };
    }),
    unmatched: channelOf(unmatched ?? config.defaults.channel)?.id ?? null,
  };
}

function matchOf({ match }: RuleConfig): Record<string, LabelMatch> {
  const entries = Object.entries(match).map(([label, wanted]): [string, LabelMatch] => {
    if (typeof wanted === 'string') return [label, { anyOf: [wanted] }];
    return [label, Array.isArray(wanted) ? { anyOf: wanted } : wanted];
  });
  return Object.fromEntries(entries);
}

const defaultHeader = 'x-grafana-alerting-signature';

/** The operator's doors with their secrets. */
export function alertDoors({ alerts }: Pick<OperatorConfig, 'alerts'>, variables: Variables) {
  return Object.entries(alerts.doors).flatMap(([name, door]) => {
    const format = formatOf(door);
    return format === null ? [] : [{ name, auth: authOf(door, variables), format }];
  });
}

function formatOf({ kind, fields }: DoorConfig) {
  if (kind === 'slack') return null;
  if (kind !== 'json') return { kind };
  if (fields === undefined) throw new TypeError('a door of kind json has fields');
  return { kind, fields };
}

function authOf(
  { kind, bearer, basic, hmac, topics = [], header = defaultHeader, timestamp_header }: DoorConfig,
  variables: Variables,
) {
  if (kind === 'sns') return { kind, topics };
  const secretIn = (variable: string | undefined) => variables[variable ?? ''] ?? '';
  if (hmac !== undefined)
    return {
      ...{ kind: 'hmac' as const, secret: secretIn(hmac), header },
      timestampHeader: timestamp_header ?? null,
    };
  return {
    kind: bearer === undefined ? ('basic' as const) : ('bearer' as const),
    secret: secretIn(bearer ?? basic),
  };
}

/** Channels of Slack in which other apps' messages are alerts. */
export function slackDoors({ alerts, channels }: Pick<OperatorConfig, 'alerts' | 'channels'>) {
  return Object.entries(alerts.doors).flatMap(([name, { kind, channels: named = [], apps }]) => {
    if (kind !== 'slack') return [];
    const places = named.flatMap((one) => {
      const id = own(channels, one)?.id;
      return id === undefined ? [] : [[id, one] as const];
    });
    return [{ name, channels: new Map(places), apps: apps === undefined ? null : new Set(apps) }];
  });
}
