import { z } from 'zod';
import { badAnswer } from '../http/no-answer.ts';
import type { OnCallPerson, PagerDutyReader, PageState } from './port.ts';
import { type RestAccess, restGet } from './rest.ts';
import { type PagerDutyService, serviceOf } from './services.ts';

export interface PagerDutyReaderOptions extends RestAccess {
  /** By catalogue name. */
  readonly services: ReadonlyMap<string, PagerDutyService>;
}

const serviceSchema = z.object({ service: z.object({ escalation_policy: z.object({ id: z.string() }) }) });
const oncallSchema = z.object({
  escalation_level: z.int().min(1),
  end: z.string().nullish(),
  user: z.object({
    id: z.string(),
    name: z.string().nullish(),
    summary: z.string().nullish(),
    email: z.string().nullish(),
  }),
});
const oncallsSchema = z.object({ oncalls: z.array(oncallSchema), more: z.boolean().nullish() });
const incidentSchema = z.object({
  id: z.string(),
  status: z.enum(['triggered', 'acknowledged', 'resolved']),
  html_url: z.string().nullish(),
  incident_key: z.string().nullish(),
});
const incidentsSchema = z.object({ incidents: z.array(incidentSchema) });

/** 100 is PagerDuty's largest page; a policy with more people on call than this is refused. */
const pageSize = 100;
const maxPages = 10;

/** Reads who is on call, and finds pages again. Every failure is a VendorError; empty means nobody. */
export function createPagerDutyReader(options: PagerDutyReaderOptions): PagerDutyReader {
  return {
    async oncall(name, signal) {
      const { id } = serviceOf(options.services, name);
      const { service } = await restGet(options, serviceSchema, {
        path: `services/${encodeURIComponent(id)}`,
        query: {},
        signal,
      });
      return people(await oncallsOf(options, service.escalation_policy.id, signal));
    },
    async pageByKey(name, dedupKey, signal) {
      const { id } = serviceOf(options.services, name);
      const { incidents } = await restGet(options, incidentsSchema, {
        path: 'incidents',
        query: {
          incident_key: dedupKey,
          'service_ids[]': [id],
          date_range: 'all',
          sort_by: 'created_at:desc',
        },
        signal,
      });
      // Compared again, so that an answer that ignored the filter cannot pass for our page.
      const own = incidents.find((incident) => incident.incident_key === dedupKey);
      return own === undefined ? null : pageState(own);
    },
  };
}

async function oncallsOf(
  options: PagerDutyReaderOptions,
  policy: string,
  signal: AbortSignal,
): Promise<z.infer<typeof oncallSchema>[]> {
  const found: z.infer<typeof oncallSchema>[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const { oncalls, more } = await restGet(options, oncallsSchema, {
      path: 'oncalls',
      query: {
        'escalation_policy_ids[]': [policy],
        'include[]': ['users'],
        limit: String(pageSize),
        offset: String(page * pageSize),
      },
      signal,
    });
    found.push(...oncalls);
    if (more !== true) return found;
  }
  throw badAnswer('PagerDuty', 'more people are on call than can be read', { write: false });
}

/** First level first, and each person once, at the first level where they stand. */
function people(oncalls: readonly z.infer<typeof oncallSchema>[]): OnCallPerson[] {
  const sorted = oncalls.toSorted(
    (a, b) => a.escalation_level - b.escalation_level || a.user.id.localeCompare(b.user.id),
  );
  const byId = new Map<string, OnCallPerson>();
  for (const { user, escalation_level: level, end } of sorted) {
    if (byId.has(user.id)) continue;
    const name = user.name ?? user.summary ?? user.id;
    byId.set(user.id, { id: user.id, name, email: user.email ?? '', level, until: end ?? null });
  }
  return [...byId.values()];
}

function pageState(incident: z.infer<typeof incidentSchema>): PageState {
  return { incidentId: incident.id, state: incident.status, url: incident.html_url ?? '' };
}
