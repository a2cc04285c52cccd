import { createHash } from 'node:crypto';
import type { Alert } from '../../core/alert.ts';
import { cut, oneLine } from '../../core/clean-text.ts';

/** Alerts of one delivery; Alertmanager may be told to send fewer at once. */
export const maxAlerts = 1_000;
/** Labels kept of an alert, besides those that rules name. */
const maxLabels = 40;
const maxLabel = 300;
const maxTitle = 300;
const maxText = 1_500;

/** An alert as a parser found it. */
export interface FoundAlert {
  /** Null: its labels identify it. */
  readonly id: string | null;
  readonly isOver: boolean;
  readonly title: string;
  readonly text: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly since: string | null;
  readonly until: string | null;
  readonly link: string;
}

/** Labels that rules name; they are kept of an alert with too many. */
export type NeededLabels = ReadonlySet<string>;

/** The alert within all limits. */
export function boundedAlert(found: FoundAlert, needed: NeededLabels): Alert {
  const labels = Object.entries(found.labels).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  );
  const sorted = labels.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const others = sorted.filter(([name]) => !needed.has(name)).slice(0, maxLabels);
  const kept = [...sorted.filter(([name]) => needed.has(name)), ...others];
  return {
    fingerprint: fingerprintOf(found.id, sorted),
    state: found.isOver ? 'resolved' : 'firing',
    // Without a prototype there is no name that means something else.
    labels: Object.fromEntries(kept.map(([name, value]) => [cut(name, maxLabel), cut(value, maxLabel)])),
    title: cut(oneLine(found.title), maxTitle) || 'Alert without a name',
    text: cut(oneLine(found.text), maxText),
    since: moment(found.since),
    until: moment(found.until),
    link: found.link.length > 2_000 ? '' : found.link,
  };
}

function fingerprintOf(id: string | null, labels: readonly [string, string][]): string {
  if (id !== null && /^[\w.:-]{1,100}$/.test(id)) return id;
  const of = id ?? JSON.stringify(labels);
  return createHash('sha256').update(of).digest('hex').slice(0, 32);
}

/** ISO 8601; null for what is no time. Alertmanager sends the year 1 for “not yet”. */
function moment(said: string | null): string | null {
  const at = new Date(said ?? '');
  const year = at.getUTCFullYear();
  return year >= 2000 && year < 2200 ? at.toISOString() : null;
}
