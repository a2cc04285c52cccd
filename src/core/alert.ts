import { z } from 'zod';
import { own } from './own-property.ts';
import type { Hours } from './policy.ts';

/** One alert as monitoring reports it. Its words and labels are data: they are shown, and choose nothing. */
export const alertSchema = z.strictObject({
  /** The same for every report about this alert. */
  fingerprint: z.string(),
  state: z.enum(['firing', 'resolved']),
  labels: z.record(z.string(), z.string()),
  title: z.string(),
  /** Monitoring's words about it; may be empty. */
  text: z.string(),
  /** ISO 8601: when it began and ended; null where monitoring does not say. */
  since: z.string().nullable(),
  until: z.string().nullable(),
  /** Its address in monitoring; may be empty. */
  link: z.string(),
});
export type Alert = z.infer<typeof alertSchema>;

/** The content of one delivery. */
export interface ReadAlerts {
  readonly alerts: readonly Alert[];
  /** Number of alerts in it that could not be read, or were too many. */
  readonly unread: number;
}

/** A delivery to one of the operator's doors. */
export interface AlertsEvent extends ReadAlerts {
  readonly type: 'alerts';
  /** Of this delivery alone: the state of each alert decides whether it is news. */
  readonly key: string;
  /** Name of the door. */
  readonly door: string;
}

/** The door of PagerDuty's webhooks: its incidents are alerts to the rules that name it. */
export const pagerdutyDoor = 'pagerduty';

/** The values that a label may have. */
export type LabelMatch = { readonly anyOf: readonly string[] } | { readonly prefix: string };

/** A playbook with the sources of its inputs: a value, or the label that has it. */
export interface PlaybookCall {
  readonly playbook: string;
  readonly inputs: Readonly<Record<string, string | number | { readonly label: string }>>;
}

/** An operator's rule: the first that fits an alert says where it goes and what is read. */
export interface AlertRule {
  readonly name: string;
  /** Doors whose alerts it is about; null for all. */
  readonly doors: readonly string[] | null;
  readonly match: Readonly<Record<string, LabelMatch>>;
  /** The service's name, or the label that has it; null for an alert without a service. */
  readonly service: string | { readonly label: string } | null;
  /** Where it is shown; null for alerts that are not shown at all. */
  readonly channel: { readonly name: string; readonly id: string } | null;
  readonly priority: string | null;
  /** Nothing is shown during these hours; what still fires afterwards is. */
  readonly quiet: Hours | null;
  readonly reads: PlaybookCall | null;
  readonly propose: readonly PlaybookCall[];
}

/** The operator's rules about alerts, and the channel for the line about those that no rule fits. */
export interface AlertRules {
  readonly rules: readonly AlertRule[];
  readonly unmatched: string | null;
}

/** The first rule that fits; null for none. */
export function ruleFor(
  { labels }: Pick<Alert, 'labels'>,
  door: string,
  rules: readonly AlertRule[],
): AlertRule | null {
  const fits = ({ doors, match }: AlertRule) =>
    (doors === null || doors.includes(door)) &&
    Object.entries(match).every(([label, wanted]) => isMatch(own(labels, label), wanted));
  return rules.find(fits) ?? null;
}

function isMatch(value: string | undefined, wanted: LabelMatch): boolean {
  if (value === undefined) return false;
  return 'prefix' in wanted ? value.startsWith(wanted.prefix) : wanted.anyOf.includes(value);
}

/** The service that an alert is about, as its rule says; empty where there is none. It may be unknown. */
export function serviceOf({ service }: AlertRule, { labels }: Pick<Alert, 'labels'>): string {
  if (service === null || typeof service === 'string') return service ?? '';
  return own(labels, service.label) ?? '';
}

/** The inputs of a call, by the labels of an alert; labels that are missing, or empty, give none. */
export function inputsFrom(
  { inputs }: PlaybookCall,
  { labels }: Pick<Alert, 'labels'>,
): Record<string, string | number> {
  const values = Object.entries(inputs).flatMap(([name, source]) => {
    const value = typeof source === 'object' ? own(labels, source.label) : source;
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

/** Names of all labels that these rules look at. */
export function labelsIn(rules: readonly AlertRule[]): ReadonlySet<string> {
  const named = rules.flatMap(({ match, service, reads, propose }) => {
    const calls = [...(reads === null ? [] : [reads]), ...propose];
    const sources = [service, ...calls.flatMap(({ inputs }) => Object.values(inputs))];
    const from = sources.flatMap((one) => (typeof one === 'object' && one !== null ? [one.label] : []));
    return [...Object.keys(match), ...from];
  });
  return new Set(named);
}
