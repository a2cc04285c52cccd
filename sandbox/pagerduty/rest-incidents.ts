import type { Context, Hono } from 'hono';
import type { SandboxEnv } from '../journal.ts';
import { readJson } from '../read-json.ts';
import { type Incident, incidentStatuses } from './model.ts';
import { checkIncludes, listParameter, pageOf, timeParameter } from './paging.ts';
import { alertJson, incidentJson, logEntryJson, noteJson, type RestSite } from './render.ts';
import { invalid, notFound, RestRefusal } from './rest-errors.ts';
import type { PagerDutyStore } from './store.ts';

const maxNotes = 2_000;

type Fields = Readonly<Record<string, unknown>>;

export function addIncidentRoutes(app: Hono<SandboxEnv>, site: RestSite): void {
  const { store } = site;
  app.get('/incidents', (context) =>
    pageOf(context, 'incidents', list(context, store), (one) => incidentJson(site, one)),
  );
  app.post('/incidents', async (context) => {
    const by = requester(context, store);
    const { incident } = await readJson(context, unreadable);
    return context.json({ incident: incidentJson(site, create(store, asFields(incident), by)) }, 201);
  });
  app.put('/incidents', async (context) => {
    const by = requester(context, store);
    const { incidents } = await readJson(context, unreadable);
    if (!Array.isArray(incidents) || incidents.length === 0) throw invalid('Incidents must be an array.');
    const changes = incidents.map((change) => ({
      fields: asFields(change),
      incident: find(store, asFields(change).id),
    }));
    for (const { incident, fields } of changes) checkChange(store, incident, fields);
    for (const { incident, fields } of changes) change(store, incident, fields, by);
    return context.json({ incidents: changes.map(({ incident }) => incidentJson(site, incident)) });
  });
  app.get('/incidents/:id', (context) =>
    context.json({ incident: incidentJson(site, find(store, context.req.param('id'))) }),
  );
  app.put('/incidents/:id', async (context) => {
    const by = requester(context, store);
    const incident = find(store, context.req.param('id'));
    const fields = asFields((await readJson(context, unreadable)).incident);
    checkChange(store, incident, fields);
    change(store, incident, fields, by);
    return context.json({ incident: incidentJson(site, incident) });
  });
  addIncidentDetailRoutes(app, site);
}

function addIncidentDetailRoutes(app: Hono<SandboxEnv>, site: RestSite): void {
  const { store } = site;
  app.get('/incidents/:id/notes', (context) => {
    const { notes } = find(store, context.req.param('id'));
    return context.json({ notes: notes.map((note) => noteJson(site, note)) });
  });
  app.post('/incidents/:id/notes', async (context) => {
    const by = requester(context, store);
    const incident = find(store, context.req.param('id'));
    const { content } = asFields((await readJson(context, unreadable)).note);
    if (typeof content !== 'string' || content.trim() === '') throw invalid('Content cannot be empty.');
    if (incident.notes.length >= maxNotes) throw invalid('Incident has too many notes.');
    return context.json({ note: noteJson(site, store.note(incident, by, content)) });
  });
  app.get('/incidents/:id/alerts', (context) => {
    const incident = find(store, context.req.param('id'));
    const key = context.req.query('alert_key');
    const alerts = key === undefined || key === incident.incidentKey ? [incident] : [];
    return pageOf(context, 'alerts', alerts, (one) => alertJson(site, one));
  });
  app.get('/incidents/:id/past_incidents', (context) => {
    const { id, service, title } = find(store, context.req.param('id'));
    const limit = Math.min(Number(context.req.query('limit') ?? 5), 999);
    const past = store
      .incidents()
      .filter((one) => one.service === service && one.id !== id && one.status === 'resolved')
      .map((incident) => ({ score: alike(incident.title, title), incident }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    const past_incidents = past.slice(0, limit).map(({ score, incident }) => {
      const { id, title, created_at, self } = incidentJson(site, incident);
      return { score, incident: { id, title, created_at, self } };
    });
    return context.json({ past_incidents, total: past.length, limit });
  });
  app.get('/incidents/:id/log_entries', (context) => {
    const { id } = find(store, context.req.param('id'));
    const entries = store.log().filter((entry) => entry.incident === id);
    return pageOf(context, 'log_entries', entries.toReversed(), (entry) => logEntryJson(site, entry));
  });
}

/** Words that two titles share, in percent of the first. */
function alike(one: string, other: string): number {
  const [words, known] = [one, other].map((title) => title.toLowerCase().split(/\W+/).filter(Boolean)) as [
    string[],
    string[],
  ];
  return (100 * words.filter((word) => known.includes(word)).length) / Math.max(1, words.length);
}

function list(context: Context<SandboxEnv>, store: PagerDutyStore): readonly Incident[] {
  const key = context.req.query('incident_key');
  const services = listParameter(context, 'service_ids');
  const urgencies = listParameter(context, 'urgencies');
  const users = listParameter(context, 'user_ids');
  const wanted = listParameter(context, 'statuses');
  checkQuery(context);
  const { since, until } = period(context, store);
  const unknown = wanted?.find((status) => !incidentStatuses.some((one) => one === status));
  if (unknown !== undefined) throw invalid(`Status '${unknown}' is not valid.`);
  const found = store
    .incidents()
    .filter(
      (one) =>
        (key === undefined || one.incidentKey === key) &&
        (services === undefined || services.includes(one.service)) &&
        (urgencies === undefined || urgencies.includes(one.urgency)) &&
        (wanted === undefined || wanted.includes(one.status)) &&
        (users === undefined || one.assignedTo.some(({ user }) => users.includes(user))) &&
        one.createdAt >= since &&
        one.createdAt <= until,
    );
  const newestFirst = /^(created_at|incident_number):desc$/.test(context.req.query('sort_by') ?? '');
  return newestFirst ? found.toReversed() : found;
}

/** The last month by default, and at most six months. */
function period(context: Context<SandboxEnv>, store: PagerDutyStore): { since: Date; until: Date } {
  if (context.req.query('date_range') === 'all') return { since: new Date(0), until: store.now() };
  const until = timeParameter(context, 'until') ?? store.now();
  const since = timeParameter(context, 'since') ?? new Date(until.getTime() - month);
  if (until.getTime() - since.getTime() > 6 * month) throw invalid('Date range cannot exceed 6 months.');
  return { since, until };
}

const month = 31 * 86_400_000;
const sortable = /^(incident_number|created_at|resolved_at|urgency):(asc|desc)$/;
const includable = [
  ...['acknowledgers', 'agents', 'assignees', 'conference_bridge', 'escalation_policies'],
  ...['first_trigger_log_entries', 'priorities', 'services', 'teams', 'users'],
];

function checkQuery(context: Context<SandboxEnv>): void {
  const range = context.req.query('date_range');
  if (range !== undefined && range !== 'all') throw invalid("Date range must be 'all'.");
  const sorts = context.req.query('sort_by')?.split(',') ?? [];
  if (sorts.length > 2 || !sorts.every((sort) => sortable.test(sort))) throw invalid('Sort by is not valid.');
  checkIncludes(context, includable);
}

function create(store: PagerDutyStore, fields: Fields, by: string): Incident {
  const { title, incident_key: key, urgency, type } = fields;
  const service = store.service(String(asFields(fields.service).id));
  const errors = [
    ...(type === 'incident' ? [] : ["Type must be 'incident'."]),
    ...(typeof title === 'string' && title.trim() !== '' ? [] : ['Title cannot be empty.']),
    ...(service === undefined ? ['Service cannot be found.'] : []),
  ];
  if (service === undefined || typeof title !== 'string' || errors.length > 0) throw invalid(...errors);
  const incidentKey = typeof key === 'string' ? key : store.newIncidentKey();
  if (store.openIncident(service.id, incidentKey) !== undefined) {
    throw invalid('Open incident with matching dedup key already exists on this service');
  }
  const details = asFields(fields.body).details;
  return store.create({
    service: service.id,
    title,
    incidentKey,
    urgency: urgency === 'low' ? 'low' : 'high',
    details: details === undefined ? {} : { details },
    by,
  });
}

/** Refuses before any change, so that a bulk update is atomic. */
function checkChange(store: PagerDutyStore, incident: Incident, fields: Fields): void {
  const { status, type } = fields;
  if (type !== 'incident' && type !== 'incident_reference') throw invalid("Type must be 'incident'.");
  if (status !== undefined && !incidentStatuses.some((one) => one === status)) {
    throw invalid(`Status '${String(status)}' is not valid.`);
  }
  if (status === 'resolved' && incident.status === 'resolved') throw invalid('Incident Already Resolved');
  const unknown = assignees(fields).find((id) => !store.world.people.some((one) => one.pagerdutyId === id));
  if (unknown !== undefined) throw invalid(`Assignee '${unknown}' cannot be found.`);
}

function change(store: PagerDutyStore, incident: Incident, fields: Fields, by: string): void {
  const { title, urgency, resolution } = fields;
  const status = incidentStatuses.find((one) => one === fields.status);
  store.edit(incident, {
    title: typeof title === 'string' ? title : undefined,
    urgency: urgency === 'high' || urgency === 'low' ? urgency : undefined,
  });
  const users = assignees(fields);
  if (users.length > 0) store.assign(incident, users, by);
  if (status === undefined) return;
  const reopened = incident.status === 'resolved';
  store.setStatus(incident, status, by);
  if (reopened && status === 'acknowledged') store.assign(incident, [by], by);
  if (status === 'resolved' && typeof resolution === 'string') store.note(incident, by, resolution);
}

function assignees({ assignments }: Fields): readonly string[] {
  return Array.isArray(assignments)
    ? assignments.map((one) => String(asFields(asFields(one).assignee).id))
    : [];
}

function find(store: PagerDutyStore, id: unknown): Incident {
  const found = store.incidents().find((incident) => incident.id === id || String(incident.number) === id);
  if (found === undefined) throw notFound();
  return found;
}

/** Writes are made as a user: the From header must be a user's e-mail address. */
function requester(context: Context<SandboxEnv>, store: PagerDutyStore): string {
  const from = context.req.header('from');
  if (from === undefined || from === '') throw invalid('From header is required');
  const person = store.world.people.find((one) => one.email === from);
  if (person === undefined) throw new RestRefusal(400, 1_008, 'Requester User Not Found');
  return person.pagerdutyId;
}

function unreadable(): RestRefusal {
  return new RestRefusal(400, 2_001, 'Invalid Input Provided', ['Request body is not valid JSON.']);
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
