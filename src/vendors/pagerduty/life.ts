import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import type { Life, LifeEvent, LifeKind } from '../../core/incident-history.ts';
import { incidentOf, oneIncidentSchema } from './incident-answers.ts';
import type { IncidentAccess } from './incidents.ts';
import type { Incident, PagerDutyReader } from './port.ts';
import { restGet } from './rest.ts';

const person = z.object({ type: z.string(), summary: z.string().nullish() });
const entrySchema = z.object({
  id: z.string(),
  type: z.string(),
  created_at: z.string(),
  agent: person.nullish(),
  assignees: z.array(person).nullish(),
});
type Entry = z.infer<typeof entrySchema>;
const logSchema = z.object({ log_entries: z.array(entrySchema) });

const kinds: Readonly<Record<string, LifeKind>> = {
  acknowledge_log_entry: 'acknowledged',
  unacknowledge_log_entry: 'unacknowledged',
  escalate_log_entry: 'escalated',
  assign_log_entry: 'reassigned',
  delegate_log_entry: 'reassigned',
  resolve_log_entry: 'resolved',
};
/** Milliseconds within which a new incident is assigned to the on-call: that is the page itself. */
const firstMs = 5_000;

/** Reads the history of an incident. Every failure is a VendorError. */
export function createLifeReader(access: IncidentAccess): Pick<PagerDutyReader, 'life'> {
  return {
    async life(id, signal) {
      const path = `incidents/${encodeURIComponent(id)}`;
      try {
        const [{ incident }, { log_entries: entries }] = await Promise.all([
          restGet(access, oneIncidentSchema, { path, query: {}, signal }),
          restGet(access, logSchema, {
            path: `${path}/log_entries`,
            query: { is_overview: 'true', limit: '100' },
            signal,
          }),
        ]);
        const own = incidentOf(incident, access.services);
        const into = own.mergedInto === undefined ? null : await mergedInto(access, own.mergedInto, signal);
        return lifeOf(own, entries, into);
      } catch (error) {
        if (error instanceof VendorError && error.code === 'not_found') return null;
        throw error;
      }
    },
  };
}

type Into = NonNullable<LifeEvent['into']>;

/** Null when PagerDuty no longer has it. */
async function mergedInto(access: IncidentAccess, id: string, signal: AbortSignal): Promise<Into | null> {
  try {
    const path = `incidents/${encodeURIComponent(id)}`;
    const { incident } = await restGet(access, oneIncidentSchema, { path, query: {}, signal });
    const { number, state, url } = incidentOf(incident, access.services);
    return { number, state, url };
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return null;
    throw error;
  }
}

function lifeOf(incident: Incident, entries: readonly Entry[], into: Into | null): Life {
  const { id, number, title, state, url, createdAt: openedAt, changedAt, changedBy } = incident;
  const events = eventsOf(entries, openedAt);
  // PagerDuty's log has no separate entry for it.
  if (events.at(-1)?.kind === 'resolved' && state !== 'resolved') {
    const by = changedBy === '' ? null : changedBy;
    events.push({ key: `reopened:${changedAt}`, kind: 'reopened', at: changedAt, by, to: [] });
  }
  if (into !== null && state === 'resolved') {
    const end = events.at(-1)?.kind === 'resolved' ? events.pop() : undefined;
    const key = end?.key ?? `merged:${changedAt}`;
    events.push({ key, kind: 'merged', at: end?.at ?? changedAt, by: end?.by ?? null, to: [], into });
  }
  return { id, number, title, state, url, openedAt, changedAt, events };
}

/** Maximum incidents that PagerDuty returns at once; the rest are counted. */
const maxOpen = 100;

/** Open incidents of services, newest first; the total counts all of them. */
export async function openIncidents(
  [first, ...others]: readonly string[],
  pagerduty: Pick<PagerDutyReader, 'incidents'>,
  signal: AbortSignal,
): Promise<{ readonly total: number; readonly incidents: readonly Life[] }> {
  if (first === undefined) return { total: 0, incidents: [] };
  const { total, incidents } = await pagerduty.incidents(
    {
      services: [first, ...others],
      states: ['triggered', 'acknowledged'],
      order: 'newest',
      limit: maxOpen,
    },
    signal,
  );
  return { total, incidents: incidents.map(lifeInBrief) };
}

/** The part of it in a list of incidents: its state, and since when. */
function lifeInBrief(incident: Incident): Life {
  const { id, number, title, state, url, createdAt: openedAt, changedAt, changedBy } = incident;
  const by = changedBy === '' ? null : changedBy;
  const last =
    state === 'triggered' || changedAt === ''
      ? []
      : [{ key: `${state}:${changedAt}`, kind: state, at: changedAt, by, to: [] }];
  return { id, number, title, state, url, openedAt, changedAt, events: last };
}

/** Oldest first; PagerDuty returns the newest first. */
function eventsOf(entries: readonly Entry[], openedAt: string): LifeEvent[] {
  const events = entries.toReversed().flatMap((entry) => eventOf(entry, openedAt) ?? []);
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function eventOf({ id, type, created_at: at, agent, assignees }: Entry, openedAt: string): LifeEvent | null {
  const kind = kinds[type];
  if (kind === undefined) return null;
  const by = agent?.type.startsWith('user') ? (agent.summary ?? null) : null;
  const isPage = kind === 'reassigned' && by === null && Date.parse(at) - Date.parse(openedAt) < firstMs;
  if (isPage) return null;
  const to = (assignees ?? []).flatMap(({ summary }) => summary ?? []);
  return { key: id, kind, at, by, to };
}
