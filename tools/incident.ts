import { cut, oneLine } from '../src/core/clean-text.ts';
import { VendorError } from '../src/core/errors.ts';
import type { Readers } from '../src/core/ports.ts';
import type { ResolvedTarget } from '../src/core/tool.ts';
import { momentWords } from './shift-words.ts';

export type Incident = NonNullable<Awaited<ReturnType<Readers['pagerduty']['incident']>>>;

/** Maximum characters of a title in a sentence. */
const maxTitle = 100;

/** The incident with this id, if its service is configured. Throws a VendorError that says why not. */
export async function incidentMeant(readers: Readers, id: string, signal: AbortSignal): Promise<Incident> {
  const incident = await readers.pagerduty.incident(id, signal);
  if (incident === null) throw refused('unknown_incident', `PagerDuty has no incident ${id}.`);
  if (incident.service !== null) return incident;
  const { number, serviceName } = incident;
  const message = `Incident #${number} belongs to ${oneLine(serviceName)}, which is not a service in countersign.yml.`;
  throw refused('foreign_incident', message);
}

export function refused(code: string, message: string): VendorError {
  return new VendorError(code, message, { retryable: false, mayHaveHappened: false });
}

/** `incident #12 “Checkout is down”`. */
export function incidentName({ number, title }: Incident): string {
  return `incident #${number} “${cut(oneLine(title), maxTitle)}”`;
}

/** Its state and since when: `acknowledged by Ana Ruiz since 13:02 UTC`. */
export function stateWords(
  { state, changedAt, changedBy, createdAt, serviceName }: Incident,
  now: Date,
): string {
  const by =
    state === 'triggered' || changedBy === '' || changedBy === serviceName ? '' : ` by ${oneLine(changedBy)}`;
  const since = state === 'triggered' ? createdAt : changedAt;
  const when = momentWords(since, now);
  if (when === '') return `${state}${by}`;
  return state === 'resolved' ? `${state}${by} at ${when}` : `${state}${by} since ${when}`;
}

/** True when its state changed after a moment. PagerDuty reports whole seconds. */
export function changedAfter({ changedAt }: Incident, moment: Date): boolean {
  return Date.parse(changedAt) >= Math.floor(moment.getTime() / 1_000) * 1_000;
}

/** The card's label for the incident that a write targets. */
export async function incidentTarget(
  { incident: id }: { incident?: string | undefined },
  verb: string,
  { readers, now, signal }: { readers: Readers; now: () => Date; signal: AbortSignal },
): Promise<Omit<ResolvedTarget, 'step'>[]> {
  if (id === undefined) return [];
  const incident = await incidentMeant(readers, id, signal);
  const { urgency } = incident;
  const service = incident.service ?? '';
  const label = `${verb} ${incidentName(incident)} of ${service} (${urgency} urgency), ${stateWords(incident, now())}`;
  // Its service decides who may approve, so an incident that was moved is another target.
  const called = `#${incident.number}`;
  return [
    { arg: 'incident', kind: 'incident', value: id, label, called, identity: `${id} of ${service}`, service },
  ];
}
