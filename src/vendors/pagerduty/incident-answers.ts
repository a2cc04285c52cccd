import { z } from 'zod';
import type { Incident } from './port.ts';
import type { PagerDutyService } from './services.ts';

const named = z.object({ id: z.string(), summary: z.string().nullish() });

/** The fields of an incident that we read. */
const incidentSchema = z.object({
  id: z.string(),
  incident_number: z.int(),
  title: z.string(),
  status: z.enum(['triggered', 'acknowledged', 'resolved']),
  urgency: z.enum(['high', 'low']),
  service: named,
  created_at: z.string(),
  last_status_change_at: z.string().nullish(),
  last_status_change_by: named.nullish(),
  html_url: z.string().nullish(),
  /** Why it was resolved, where that was not by a person or an event. */
  resolve_reason: z
    .object({ type: z.string(), incident: z.object({ id: z.string() }).nullish() })
    .nullish()
    .catch(null),
  incident_key: z.string().nullish(),
  assignments: z
    .array(z.object({ assignee: named }))
    .nullish()
    .catch(null),
});
export const oneIncidentSchema = z.object({ incident: incidentSchema });
export const incidentListSchema = z.object({
  incidents: z.array(incidentSchema),
  total: z.int().min(0).nullish(),
  more: z.boolean().nullish(),
});

/** An incident for the tools. `services` by catalogue name. */
export function incidentOf(
  answer: z.infer<typeof incidentSchema>,
  services: ReadonlyMap<string, PagerDutyService>,
): Incident {
  const { service, resolve_reason: reason } = answer;
  const mergedInto = reason?.type === 'merge_resolve_reason' ? reason.incident?.id : undefined;
  const known = [...services].find(([, { id }]) => id === service.id);
  return {
    id: answer.id,
    number: answer.incident_number,
    title: answer.title,
    state: answer.status,
    urgency: answer.urgency,
    service: known?.[0] ?? null,
    serviceName: service.summary ?? service.id,
    url: answer.html_url ?? '',
    createdAt: answer.created_at,
    changedAt: answer.last_status_change_at ?? '',
    changedBy: answer.last_status_change_by?.summary ?? '',
    ...assignedTo(answer),
    ...(mergedInto === undefined ? {} : { mergedInto }),
  };
}

function assignedTo({ assignments }: z.infer<typeof incidentSchema>): Pick<Incident, 'assigned'> {
  const names = (assignments ?? []).flatMap(({ assignee }) => assignee.summary ?? []);
  return names.length === 0 ? {} : { assigned: names };
}
