import { describeError, VendorError } from '../../src/core/errors.ts';
import type { Readers } from '../../src/core/ports.ts';
import type { ResolvedTarget, TargetContext, WriteContext } from '../../src/core/tool.ts';
import { type Incident, incidentName, refused, stateWords } from '../incident.ts';
import { withOrigin } from '../origin-words.ts';
import { momentWords } from '../shift-words.ts';

type Page = NonNullable<Awaited<ReturnType<Readers['pagerduty']['pageByKey']>>>;
type Looking = Omit<WriteContext, 'writers'>;

const openStates = ['triggered', 'acknowledged'] as const;
const allStates = [...openStates, 'resolved'] as const;

/** Time limit for finding an open incident, in milliseconds: a page must go out even if PagerDuty's REST API hangs. */
const lookMs = 4_000;

/** The open incident for the same problem, or null. If the look-up fails, the page is sent: PagerDuty joins it. */
export async function openPage(
  service: string,
  { readers, problem, signal }: TargetContext,
): Promise<Page | null> {
  if (problem === null) return null;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(lookMs)]);
  try {
    const page = await readers.pagerduty.pageByKey(service, problem.key, openStates, soon);
    return page?.incident.state === 'resolved' ? null : page;
  } catch (error) {
    if (error instanceof VendorError && !signal.aborted) return null;
    throw error;
  }
}

/**
 * Throws when PagerDuty would take a page and wake nobody. Where that cannot be looked up, the page goes out: its service
 * was looked at for the card.
 */
export async function refuseSilent(service: string, { readers, signal }: TargetContext): Promise<void> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(lookMs)]);
  const silence = await readers.pagerduty.silence(service, soon).catch((error: unknown) => {
    if (error instanceof VendorError && !signal.aborted) return null;
    throw error;
  });
  if (silence === null) return;
  throw refused('service_silent', `${silenceWords(service, silence)}, so nobody was paged.`);
}

export function silenceWords(service: string, silence: 'maintenance' | 'disabled'): string {
  return `${service} is ${silence === 'disabled' ? 'disabled' : 'in maintenance'} in PagerDuty`;
}

/** Adds the text to the incident that is open. Nobody is paged, so a note that is refused is told and fails nothing. */
export async function join(incident: Incident, text: string, context: WriteContext) {
  const { readers, writers, key: mark, origin, signal } = context;
  try {
    const known = await readers.pagerduty.noteByMark(incident.id, mark, signal);
    const note = { incidentId: incident.id, text: withOrigin(text, origin), mark };
    if (known === null) await writers.pagerduty.note(note, signal);
    return { ...paged(incident, context), joined: true, noted: true };
  } catch (error) {
    const wasRefused = error instanceof VendorError && !error.retryable && !error.mayHaveHappened;
    if (!wasRefused) throw error;
    return { ...paged(incident, context), joined: true, noted: false, why: describeError(error).message };
  }
}

/**
 * The outcome of the page: the incident that it opened, or that it was joined to, of whatever service: a wrong routing key
 * leads to another one. Null when there is none of it.
 */
export async function findPage(service: string, context: Looking) {
  const { readers, key, problem, origin, signal } = context;
  const page = await readers.pagerduty.pageByKey(null, problem?.key ?? key, allStates, signal, key);
  if (page === null) return null;
  const { incident, mark, noted } = page;
  const result = { ...paged(incident, context), ...strayedTo(incident, service) };
  const isOurs =
    mark === null && !noted
      ? Date.parse(incident.createdAt) >= origin.startedAt.getTime() - 1_000
      : mark === key;
  if (isOurs) return result;
  if (!noted && incident.state === 'resolved') return null;
  return { ...result, joined: true, noted };
}

function strayedTo({ service, serviceName }: Incident, meant: string): { woken?: string } {
  return service === meant ? {} : { woken: service ?? serviceName };
}

export function paged(incident: Incident, { problem, key }: Looking) {
  return {
    dedup_key: problem?.key ?? key,
    state: incident.state,
    incident: incident.id,
    name: `#${incident.number}`,
    since: incident.createdAt,
    link: incident.url,
    joined: false,
    noted: false,
  };
}

/** The newest incident that the service has open, but for one about the same problem: somebody may be at it. */
export async function openBeside(service: string, context: TargetContext): Promise<string> {
  const { readers, now, signal } = context;
  const filter = { services: [service], states: openStates, order: 'newest', limit: 2 } as const;
  const [{ incidents, total }, same] = await Promise.all([
    readers.pagerduty.incidents(filter, signal),
    openPage(service, context),
  ]);
  const newest = incidents.find(({ id }) => id !== same?.incident.id);
  if (newest === undefined) return '';
  const others = total - (same === null ? 1 : 2);
  const more = others > 0 ? ` (and ${others} more)` : '';
  const taken = newest.state === 'triggered' ? ', not acknowledged' : `, ${stateWords(newest, now())}`;
  const opened = momentWords(newest.createdAt, now());
  return `${incidentName(newest)} has been open since ${opened}${taken}${more}`;
}

/** The card's words when an incident is open about the same problem: the page would wake nobody. */
export async function openTarget(
  service: string,
  context: TargetContext,
): Promise<Omit<ResolvedTarget, 'step'>[]> {
  const open = await openPage(service, context);
  if (open === null) return [];
  const { incident } = open;
  const label =
    `${incidentName(incident)} about this is open (${stateWords(incident, context.now())}): unless it is resolved by ` +
    'then, the text is added to it as a note and nobody is paged';
  return [{ arg: 'service', kind: 'incident', value: incident.id, label, identity: '' }];
}
