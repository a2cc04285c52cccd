import { randomBytes } from 'node:crypto';
import type { Now, World, WorldService } from '../world.ts';
import type {
  Incident,
  IncidentStatus,
  LogEntry,
  LogEntryKind,
  NewIncident,
  Note,
  Urgency,
} from './model.ts';
import { Rota } from './rota.ts';

/** Incidents opened that many minutes before the start. */
type Past = readonly (NewIncident & { readonly minutesAgo: number })[];

/** All incidents and rotas of the local PagerDuty. The only code that changes one. */
export class PagerDutyStore {
  readonly world: World;
  readonly #clock: Now;
  readonly #past: Past;
  readonly #listeners = new Set<() => void>();
  readonly #entryListeners = new Set<(entry: LogEntry) => void>();
  #incidents: Incident[] = [];
  #log: LogEntry[] = [];
  #rotas = new Map<string, Rota>();
  #lastId = 0;
  #minutesAgo = 0;

  constructor(world: World, clock: Now, past: Past = []) {
    this.world = world;
    this.#clock = clock;
    this.#past = past;
    this.reset();
  }

  readonly now: Now = () => new Date(this.#clock().getTime() - this.#minutesAgo * 60_000);

  /** Restores the incidents from before the start, and the world's on-call people. */
  reset(): void {
    this.#incidents = [];
    this.#log = [];
    this.#lastId = 0;
    this.#rotas = new Map(
      this.world.pagerduty.services.map((service) => [service.id, new Rota(service, this.now)]),
    );
    for (const { minutesAgo, ...incident } of this.#past) {
      this.#minutesAgo = minutesAgo;
      this.create(incident);
    }
    this.#minutesAgo = 0;
    this.#changed();
  }

  incidents(): readonly Incident[] {
    return this.#incidents;
  }

  log(): readonly LogEntry[] {
    return this.#log;
  }

  service(id: string): WorldService | undefined {
    return this.world.pagerduty.services.find((service) => service.id === id);
  }

  rota(service: WorldService): Rota {
    const rota = this.#rotas.get(service.id);
    if (rota === undefined) throw new Error(`no rota for ${service.id}`);
    return rota;
  }

  setOnCall(service: WorldService, user: string, until: Date): void {
    this.rota(service).set(user, this.now(), until);
    this.#changed();
  }

  openIncident(service: string, incidentKey: string): Incident | undefined {
    return this.#incidents.find(
      (one) => one.service === service && one.incidentKey === incidentKey && one.status !== 'resolved',
    );
  }

  /** An open incident with the same key absorbs the trigger; nobody is paged again. */
  trigger(input: NewIncident): Incident {
    const open = this.openIncident(input.service, input.incidentKey);
    if (open === undefined) return this.create(input);
    open.triggers += 1;
    this.#record(open, 'trigger', null, 'api', 'Triggered through the API');
    this.#changed();
    return open;
  }

  /** Opens an incident and pages the current on-call. */
  create(input: NewIncident): Incident {
    const at = this.now();
    const incident: Incident = {
      id: this.#nextId('PI'),
      number: this.#incidents.length + 1,
      title: input.title,
      status: 'triggered',
      mergedInto: null,
      urgency: input.urgency,
      service: input.service,
      incidentKey: input.incidentKey,
      source: input.source ?? null,
      severity: input.severity ?? null,
      details: input.details ?? {},
      createdAt: at,
      updatedAt: at,
      resolvedAt: null,
      lastChangeBy: input.by,
      assignedTo: [],
      acknowledgements: [],
      notes: [],
      triggers: 1,
      notified: [],
    };
    this.#incidents.push(incident);
    this.#record(incident, 'trigger', input.by, 'api', 'Triggered through the API');
    this.#page(incident);
    this.#changed();
    return incident;
  }

  /** `by` null means an event did it. Reopening pages the on-call again. */
  setStatus(incident: Incident, status: IncidentStatus, by: string | null): void {
    if (incident.status === status && status !== 'acknowledged') return;
    const at = this.now();
    incident.status = status;
    incident.updatedAt = at;
    incident.lastChangeBy = by;
    incident.resolvedAt = status === 'resolved' ? at : null;
    const channel = by === null ? 'api' : 'website';
    switch (status) {
      case 'acknowledged':
        if (by !== null) incident.acknowledgements = [...incident.acknowledgements, { user: by, at }];
        this.#record(incident, 'acknowledge', by, channel, `Acknowledged${this.#byWhom(by)}`);
        break;
      case 'resolved':
        incident.assignedTo = [];
        this.#record(incident, 'resolve', by, channel, `Resolved${this.#byWhom(by)}`);
        break;
      case 'triggered':
        incident.acknowledgements = [];
        this.#record(incident, 'unacknowledge', by, channel, 'Unacknowledged');
        this.#page(incident);
        break;
    }
    this.#changed();
  }

  /** PagerDuty resolves the one whose alerts go to another. */
  merge(incident: Incident, into: Incident, by: string): void {
    incident.mergedInto = into.id;
    this.setStatus(incident, 'resolved', by);
  }

  edit(incident: Incident, change: { title?: string | undefined; urgency?: Urgency | undefined }): void {
    incident.title = change.title ?? incident.title;
    incident.urgency = change.urgency ?? incident.urgency;
    incident.updatedAt = this.now();
    this.#changed();
  }

  assign(incident: Incident, users: readonly string[], by: string): void {
    incident.updatedAt = this.now();
    this.#give(incident, users, 'assign', by);
    this.#changed();
  }

  /** Nobody acknowledged in time: pages the next level. `by` null is the timeout itself. */
  escalate(incident: Incident, user: string, by: string | null): void {
    this.#give(incident, [user], 'escalate', by);
    this.#changed();
  }

  #give(incident: Incident, users: readonly string[], kind: 'assign' | 'escalate', by: string | null): void {
    const at = this.now();
    incident.assignedTo = users.map((user) => ({ user, at }));
    const words = kind === 'assign' ? 'Assigned' : 'Escalated';
    const whom = users.map((user) => this.nameOf(user)).join(', ');
    this.#record(incident, kind, by, by === null ? 'auto' : 'website', `${words} to ${whom}`, users);
    for (const user of users) this.#notify(incident, user);
  }

  note(incident: Incident, user: string, content: string): Note {
    const note = { id: this.#nextId('PN'), user, content, at: this.now() };
    incident.notes = [...incident.notes, note];
    incident.updatedAt = note.at;
    this.#record(incident, 'annotate', user, 'note', `Annotated by ${this.nameOf(user)}.`);
    this.#changed();
    return note;
  }

  newIncidentKey(): string {
    return randomBytes(16).toString('hex');
  }

  nameOf(user: string): string {
    return this.world.people.find((person) => person.pagerdutyId === user)?.realName ?? user;
  }

  /** Called with everything that happens to an incident, as it happens. */
  onEntry(listener: (entry: LogEntry) => void): void {
    this.#entryListeners.add(listener);
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #page(incident: Incident): void {
    const service = this.service(incident.service);
    if (service === undefined) throw new Error(`no service ${incident.service}`);
    this.#give(incident, [this.rota(service).at(this.now()).user], 'assign', null);
  }

  #notify(incident: Incident, user: string): void {
    incident.notified = [...incident.notified, { user, at: this.now() }];
    this.#record(incident, 'notify', user, 'auto', `Notified ${this.nameOf(user)} by push notification`);
  }

  #byWhom(by: string | null): string {
    return by === null ? ' through the API' : ` by ${this.nameOf(by)}`;
  }

  #record(
    incident: Incident,
    kind: LogEntryKind,
    user: string | null,
    channel: LogEntry['channel'],
    summary: string,
    assignees?: readonly string[],
  ): void {
    const about = { id: this.#nextId('PL'), kind, incident: incident.id, user, channel, summary };
    const entry: LogEntry = { ...about, at: this.now(), ...(assignees === undefined ? {} : { assignees }) };
    this.#log.push(entry);
    for (const listener of this.#entryListeners) listener(entry);
  }

  #nextId(prefix: string): string {
    this.#lastId += 1;
    return `${prefix}${this.#lastId.toString(36).toUpperCase().padStart(5, '0')}`;
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
