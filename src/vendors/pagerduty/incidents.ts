import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { badAnswer } from '../http/no-answer.ts';
import { incidentListSchema, incidentOf, oneIncidentSchema } from './incident-answers.ts';
import { endsWithMark } from './incident-writer.ts';
import type { Incident, IncidentFilter, Page, PagerDutyReader } from './port.ts';
import { type RestAccess, restGet } from './rest.ts';
import { type PagerDutyService, serviceOf } from './services.ts';

export interface IncidentAccess extends RestAccess {
  /** By catalogue name. */
  readonly services: ReadonlyMap<string, PagerDutyService>;
}

const alertsSchema = z.object({
  alerts: z.array(
    z.object({
      alert_key: z.string().nullish(),
      body: z.object({ details: z.unknown().optional() }).nullish(),
    }),
  ),
});
const pastSchema = z.object({
  past_incidents: z.array(z.object({ score: z.number(), incident: z.object({ id: z.string() }) })),
});
/** Maximum incidents that PagerDuty gives at once. */
const maxPage = 100;
/** Earlier incidents with one key that are looked at for a mark. */
const maxOlder = 4;
const unavailable: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'refused']);
const notesSchema = z.object({ notes: z.array(z.object({ id: z.string(), content: z.string() })) });
const markSchema = z.object({ countersign: z.string() });

type Reads = 'incident' | 'incidents' | 'pastIncidents' | 'incidentByKey' | 'pageByKey' | 'noteByMark';

/** Reads incidents, and looks up our own writes. Every failure is a VendorError. */
export function createIncidentReader(access: IncidentAccess): Pick<PagerDutyReader, Reads> {
  const { services } = access;
  return {
    async incident(idOrNumber, signal) {
      const path = `incidents/${encodeURIComponent(idOrNumber)}`;
      try {
        const { incident } = await restGet(access, oneIncidentSchema, { path, query: {}, signal });
        if (incident.id === idOrNumber || String(incident.incident_number) === idOrNumber) {
          return incidentOf(incident, services);
        }
      } catch (error) {
        if (error instanceof VendorError && error.code === 'not_found') return null;
        throw error;
      }
      throw badAnswer('PagerDuty', `it is not incident ${idOrNumber}`, { write: false });
    },
    incidents: (filter, signal) => firstOf(access, filter, signal),
    async pastIncidents(incidentId, signal) {
      const path = `incidents/${encodeURIComponent(incidentId)}/past_incidents`;
      try {
        const { past_incidents: past } = await restGet(access, pastSchema, {
          path,
          query: { limit: '5' },
          signal,
        });
        return past.toSorted((a, b) => b.score - a.score).map(({ incident }) => incident.id);
      } catch (error) {
        // Only some plans of PagerDuty have it.
        if (error instanceof VendorError && unavailable.has(error.code)) return [];
        throw error;
      }
    },
    incidentByKey: async (dedupKey, signal) => (await allByKey(access, dedupKey, {}, signal))[0] ?? null,
    async pageByKey(name, dedupKey, states, signal, mark) {
      const of = name === null ? {} : { 'service_ids[]': [serviceOf(services, name).id] };
      const query = { ...of, 'statuses[]': [...states] };
      const [newest, ...older] = await allByKey(access, dedupKey, query, signal);
      if (newest === undefined) return null;
      const pageOf = async (incident: Incident): Promise<Page> => {
        const opened = await markOf(access, incident.id, dedupKey, signal);
        const isOpener = mark === undefined || opened === mark;
        const note = isOpener ? null : await noteByMark(access, incident.id, mark, signal);
        return { incident, mark: opened, noted: note !== null };
      };
      const page = await pageOf(newest);
      if (mark === undefined) return page;
      const isFound = (one: Page): boolean => one.mark === mark || one.noted;
      if (isFound(page)) return page;
      for (const incident of older.slice(0, maxOlder)) {
        const earlier = await pageOf(incident);
        if (isFound(earlier)) return earlier;
      }
      return page;
    },
    noteByMark: (incidentId, mark, signal) => noteByMark(access, incidentId, mark, signal),
  };
}

async function noteByMark(
  access: IncidentAccess,
  incidentId: string,
  mark: string,
  signal: AbortSignal,
): Promise<string | null> {
  const path = `incidents/${encodeURIComponent(incidentId)}/notes`;
  const { notes } = await restGet(access, notesSchema, { path, query: {}, signal });
  return notes.find(({ content }) => endsWithMark(content, mark))?.id ?? null;
}

/** Page by page; one that was opened in between moves the others to the next page, so each counts once. */
async function firstOf(access: IncidentAccess, filter: IncidentFilter, signal: AbortSignal) {
  const found = new Map<string, Incident>();
  for (let offset = 0; ; offset += maxPage) {
    const limit = Math.min(filter.limit - offset, maxPage);
    const query = {
      ...queryFor(filter, access.services),
      ...{ limit: String(limit), ...(offset === 0 ? {} : { offset: String(offset) }) },
    };
    const answer = await restGet(access, incidentListSchema, { path: 'incidents', query, signal });
    for (const one of answer.incidents) found.set(one.id, incidentOf(one, access.services));
    const total = answer.total ?? (answer.more === true ? null : offset + answer.incidents.length);
    if (total === null) throw badAnswer('PagerDuty', 'it does not say how many there are', { write: false });
    if (offset + maxPage >= Math.min(total, filter.limit))
      return { total: Math.max(total, found.size), incidents: [...found.values()] };
  }
}

function queryFor(
  { services, states, urgency, since, until, order }: IncidentFilter,
  configured: IncidentAccess['services'],
): Record<string, string | string[]> {
  return {
    'statuses[]': [...states],
    sort_by: `created_at:${order === 'newest' ? 'desc' : 'asc'}`,
    total: 'true',
    ...(services === undefined
      ? {}
      : { 'service_ids[]': services.map((name) => serviceOf(configured, name).id) }),
    ...(urgency === undefined ? {} : { 'urgencies[]': [urgency] }),
    // Without either, PagerDuty leaves out incidents older than a month.
    ...(since === undefined && until === undefined ? { date_range: 'all' } : {}),
    ...(since === undefined ? {} : { since: since.toISOString() }),
    ...(until === undefined ? {} : { until: until.toISOString() }),
  };
}

/** Newest first. */
async function allByKey(
  access: IncidentAccess,
  dedupKey: string,
  query: Record<string, string[]>,
  signal: AbortSignal,
) {
  const { incidents } = await restGet(access, incidentListSchema, {
    path: 'incidents',
    query: { incident_key: dedupKey, ...query, date_range: 'all', sort_by: 'created_at:desc' },
    signal,
  });
  // Compared again, in case the answer ignored the filter.
  const found = incidents.filter((incident) => incident.incident_key === dedupKey);
  return found.map((incident) => incidentOf(incident, access.services));
}

/** The mark of the write that opened an incident. A service that creates no alerts keeps nothing of the event. */
async function markOf(
  access: IncidentAccess,
  incidentId: string,
  dedupKey: string,
  signal: AbortSignal,
): Promise<string | null> {
  const path = `incidents/${encodeURIComponent(incidentId)}/alerts`;
  const query = { alert_key: dedupKey, sort_by: 'created_at:asc' };
  const { alerts } = await restGet(access, alertsSchema, { path, query, signal });
  const alert = alerts.find((one) => one.alert_key === dedupKey);
  const details = markSchema.safeParse(alert?.body?.details);
  return details.success ? details.data.countersign : null;
}
