import type { Person, WorldService } from '../world.ts';
import type { Incident, LogEntry, Note } from './model.ts';
import type { Shift } from './rota.ts';
import type { PagerDutyStore } from './store.ts';

/** JSON as in the REST API v2, limited to the supported fields. `base` is the API's address. */
export interface RestSite {
  readonly base: string;
  /** The target of its webhooks, or null if there are none. */
  readonly webhookUrl: string | null;
  readonly store: PagerDutyStore;
}

type Json = Record<string, unknown>;
const web = 'https://acme-sandbox.pagerduty.com';

function object({ base }: RestSite, type: string, collection: string, id: string, summary: string): Json {
  return { id, type, summary, self: `${base}/${collection}/${id}`, html_url: `${web}/${collection}/${id}` };
}

/** PagerDuty omits milliseconds. */
function time(date: Date | null): string | null {
  return date === null ? null : `${date.toISOString().slice(0, 19)}Z`;
}

function userReference(site: RestSite, user: string): Json {
  return object(site, 'user_reference', 'users', user, site.store.nameOf(user));
}

function serviceReference(site: RestSite, service: WorldService): Json {
  return object(site, 'service_reference', 'services', service.id, service.name);
}

function policyReference(site: RestSite, { escalationPolicy }: WorldService): Json {
  return object(
    site,
    'escalation_policy_reference',
    'escalation_policies',
    escalationPolicy.id,
    escalationPolicy.name,
  );
}

function scheduleReference(site: RestSite, { schedule }: WorldService): Json {
  return object(site, 'schedule_reference', 'schedules', schedule.id, schedule.name);
}

export function userJson(site: RestSite, person: Person): Json {
  return {
    ...object(site, 'user', 'users', person.pagerdutyId, person.realName),
    name: person.realName,
    email: person.email,
    time_zone: person.tz,
    role: 'user',
    job_title: person.title,
    invitation_sent: false,
    teams: [],
  };
}

export function serviceJson(site: RestSite, service: WorldService, included: readonly string[] = []): Json {
  const open = site.store
    .incidents()
    .filter((one) => one.service === service.id && one.status !== 'resolved');
  const critical = open.some((incident) => incident.status === 'triggered');
  return {
    ...object(site, 'service', 'services', service.id, service.name),
    name: service.name,
    description: service.description,
    status: critical ? 'critical' : open.length > 0 ? 'warning' : 'active',
    created_at: '2024-01-08T09:00:00Z',
    alert_creation: 'create_alerts_and_incidents',
    auto_resolve_timeout: null,
    acknowledgement_timeout: null,
    incident_urgency_rule: { type: 'constant', urgency: 'severity_based' },
    escalation_policy: policyReference(site, service),
    integrations: [integrationOf(site, service, included)],
    teams: [],
  };
}

/** A reference unless the integrations are asked for: only then its key is told. */
function integrationOf(
  site: RestSite,
  { id, integrationKey }: WorldService,
  included: readonly string[],
): Json {
  const place = `services/${id}/integrations`;
  const reference = object(
    site,
    'events_api_v2_inbound_integration_reference',
    place,
    `${id}V2`,
    'Countersign',
  );
  if (!included.includes('integrations')) return reference;
  return {
    ...reference,
    ...{ type: 'events_api_v2_inbound_integration', name: 'Countersign', integration_key: integrationKey },
  };
}

export function scheduleJson(site: RestSite, service: WorldService): Json {
  const { id, name } = service.schedule;
  return {
    ...object(site, 'schedule', 'schedules', id, name),
    name,
    description: `Rota of ${service.name}`,
    time_zone: 'Etc/UTC',
    escalation_policies: [policyReference(site, service)],
    users: [service.onCall, service.next].map((user) => userReference(site, user)),
  };
}

/** A shift of the schedule, or, with null, a person who is always on call as backup. */
export function onCallJson(
  site: RestSite,
  service: WorldService,
  { shift, user, included }: { shift: Shift | null; user: string; included: readonly string[] },
): Json {
  const person = site.store.world.people.find(
    (one) => included.includes('users') && one.pagerdutyId === user,
  );
  const full = person === undefined ? {} : userJson(site, person);
  const rota = included.includes('schedules') ? scheduleJson(site, service) : {};
  return {
    escalation_policy: policyReference(site, service),
    escalation_level: shift === null ? 2 : 1,
    ...(shift === null ? {} : { schedule: { ...rota, ...scheduleReference(site, service) } }),
    user: { ...full, ...userReference(site, user) },
    start: time(shift?.start ?? null),
    end: time(shift?.end ?? null),
  };
}

function mergeReason(site: RestSite, id: string): Json {
  return {
    type: 'merge_resolve_reason',
    incident: object(site, 'incident_reference', 'incidents', id, `[${id}]`),
  };
}

export function incidentJson(site: RestSite, incident: Incident): Json {
  const service = site.store.service(incident.service);
  if (service === undefined) throw new Error(`no service ${incident.service}`);
  const open = incident.status !== 'resolved';
  return {
    ...object(site, 'incident', 'incidents', incident.id, `[#${incident.number}] ${incident.title}`),
    incident_number: incident.number,
    title: incident.title,
    status: incident.status,
    ...(incident.mergedInto === null ? {} : { resolve_reason: mergeReason(site, incident.mergedInto) }),
    urgency: incident.urgency,
    incident_key: incident.incidentKey,
    created_at: time(incident.createdAt),
    updated_at: time(incident.updatedAt),
    resolved_at: time(incident.resolvedAt),
    last_status_change_at: time(incident.updatedAt),
    last_status_change_by:
      incident.lastChangeBy === null
        ? serviceReference(site, service)
        : userReference(site, incident.lastChangeBy),
    service: serviceReference(site, service),
    escalation_policy: policyReference(site, service),
    assigned_via: 'escalation_policy',
    assignments: incident.assignedTo.map(({ user, at }) => ({
      at: time(at),
      assignee: userReference(site, user),
    })),
    acknowledgements: incident.acknowledgements.map(({ user, at }) => ({
      at: time(at),
      acknowledger: userReference(site, user),
    })),
    alert_counts: { all: 1, triggered: open ? 1 : 0, resolved: open ? 0 : 1 },
    incident_type: { name: 'incident_default' },
    body: { type: 'incident_body', details: incident.details },
    teams: [],
    pending_actions: [],
    is_mergeable: true,
  };
}

export function noteJson(site: RestSite, note: Note): Json {
  return {
    id: note.id,
    user: userReference(site, note.user),
    content: note.content,
    created_at: time(note.at),
    channel: { summary: 'The PagerDuty website or APIs' },
  };
}

export function logEntryJson(site: RestSite, entry: LogEntry): Json {
  const incident = site.store.incidents().find((one) => one.id === entry.incident);
  const service = site.store.service(incident?.service ?? '');
  if (incident === undefined || service === undefined) throw new Error(`no incident ${entry.incident}`);
  const summary = `[#${incident.number}] ${incident.title}`;
  return {
    ...object(site, `${entry.kind}_log_entry`, 'log_entries', entry.id, entry.summary),
    created_at: time(entry.at),
    agent: entry.user === null ? serviceReference(site, service) : userReference(site, entry.user),
    ...(entry.kind === 'notify' && entry.user !== null ? { user: userReference(site, entry.user) } : {}),
    ...(entry.assignees === undefined
      ? {}
      : { assignees: entry.assignees.map((user) => userReference(site, user)) }),
    channel: { type: entry.channel },
    incident: object(site, 'incident_reference', 'incidents', incident.id, summary),
    service: serviceReference(site, service),
    teams: [],
    contexts: [],
  };
}

export function alertJson(site: RestSite, incident: Incident): Json {
  const service = site.store.service(incident.service);
  if (service === undefined) throw new Error(`no service ${incident.service}`);
  const summary = `[#${incident.number}] ${incident.title}`;
  return {
    ...object(site, 'alert', 'alerts', `${incident.id}A`, incident.title),
    created_at: time(incident.createdAt),
    status: incident.status === 'resolved' ? 'resolved' : 'triggered',
    alert_key: incident.incidentKey,
    suppressed: false,
    severity: incident.severity ?? 'critical',
    service: serviceReference(site, service),
    incident: object(site, 'incident_reference', 'incidents', incident.id, summary),
    body: { type: 'alert_body', contexts: [], details: incident.details },
  };
}
