import type { Life } from '../../core/incident-history.ts';

/** Tools' port for PagerDuty. */

export interface OnCallPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Their time zone in PagerDuty, if it has one. */
  readonly timeZone?: string;
  readonly level: number;
  /** ISO 8601 end of the shift, or null when it has none. */
  readonly until: string | null;
}

export interface Shift extends OnCallPerson {
  /** ISO 8601 start, or null when it has none. */
  readonly since: string | null;
}

/** The rota of a catalogue service, or a schedule by its name or id. */
export type Rota = { readonly service: string } | { readonly schedule: string };

export interface Shifts {
  /** Each shift that overlaps the period: first level first, then by start. */
  readonly shifts: readonly Shift[];
  /** Time zone of the rota, or null if PagerDuty does not report one. */
  readonly timeZone: string | null;
}

export type Silence = 'maintenance' | 'disabled';

export type IncidentState = 'triggered' | 'acknowledged' | 'resolved';

export interface Incident {
  readonly id: string;
  /** Unique in the account. */
  readonly number: number;
  readonly title: string;
  readonly state: IncidentState;
  readonly urgency: 'high' | 'low';
  /** Name in the catalogue; null for a service that is not configured. */
  readonly service: string | null;
  /** Name of its service in PagerDuty. */
  readonly serviceName: string;
  readonly url: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601, of the last change of its state; empty if PagerDuty does not report it. */
  readonly changedAt: string;
  /** Who made that change; empty if PagerDuty does not report it. */
  readonly changedBy: string;
  /** Names of the people whom it is assigned to now, and who were notified; absent where PagerDuty does not say. */
  readonly assigned?: readonly string[];
  /** Id of the incident that it was merged into, which resolved this one. */
  readonly mergedInto?: string;
}

export interface IncidentFilter {
  /** Catalogue services, at least one; absent: the whole account, including services that are not configured. */
  readonly services?: readonly [string, ...string[]] | undefined;
  readonly states: readonly IncidentState[];
  readonly urgency?: 'high' | 'low' | undefined;
  /** Created since then; at most six months ago. */
  readonly since?: Date | undefined;
  /** Created before then. */
  readonly until?: Date | undefined;
  readonly order: 'newest' | 'oldest';
  /** 1 to 1,000. */
  readonly limit: number;
}

export interface Page {
  readonly incident: Incident;
  /** Mark of the write that opened it; null if PagerDuty does not report it. */
  readonly mark: string | null;
  /** A note of the write that was looked for is on it. */
  readonly noted: boolean;
}

export interface PagerDutyReader {
  /** On call for a catalogue service now, first level first and each person once. Empty means nobody. */
  oncall(service: string, signal: AbortSignal): Promise<OnCallPerson[]>;
  /** Why a catalogue service pages nobody now, whoever is on call for it; null when it does page. */
  silence(service: string, signal: AbortSignal): Promise<Silence | null>;
  /** Who was, is or will be on call in a time of at most 90 days. */
  shifts(of: Rota, during: { since: Date; until: Date }, signal: AbortSignal): Promise<Shifts>;
  /**
   * The newest incident in one of these states that a page with this dedup key opened, or null when there is none; before
   * it, of the last five, the one with this mark, as its opener's or on a note. Of this service, or of any, where a wrong routing key may have led.
   */
  pageByKey(
    service: string | null,
    dedupKey: string,
    states: readonly IncidentState[],
    signal: AbortSignal,
    mark?: string,
  ): Promise<Page | null>;
  /** By id or number; null if PagerDuty has none. */
  incident(idOrNumber: string, signal: AbortSignal): Promise<Incident | null>;
  /** By dedup key, newest first; null if PagerDuty has none. */
  incidentByKey(dedupKey: string, signal: AbortSignal): Promise<Incident | null>;
  /** `total` counts all matches, `incidents` are the first of them. */
  incidents(filter: IncidentFilter, signal: AbortSignal): Promise<{ total: number; incidents: Incident[] }>;
  /** Ids of past incidents of its service that PagerDuty finds alike, best first; none where the account has no such list. */
  pastIncidents(incidentId: string, signal: AbortSignal): Promise<string[]>;
  /** Id of the note on an incident that ends with this mark, or null. */
  noteByMark(incidentId: string, mark: string, signal: AbortSignal): Promise<string | null>;
  /** History of an incident; null if PagerDuty has none with this id. */
  life(incidentId: string, signal: AbortSignal): Promise<Life | null>;
}

export interface PagerDutyWriter {
  /** Triggers through Events v2. The vendor joins events with the same dedup key into one open incident. */
  page(
    event: {
      readonly service: string;
      readonly dedupKey: string;
      readonly summary: string;
      readonly severity: 'critical' | 'error' | 'warning' | 'info';
      readonly details: Readonly<Record<string, string>>;
      /** Identifies this write among joined events. */
      readonly mark: string;
      readonly link: { readonly href: string; readonly text: string } | null;
    },
    signal: AbortSignal,
  ): Promise<{ dedupKey: string }>;
  /** Adds a note that ends with its mark. */
  note(
    note: { readonly incidentId: string; readonly text: string; readonly mark: string },
    signal: AbortSignal,
  ): Promise<{ id: string }>;
  /** Acknowledging a resolved incident would reopen it. */
  setState(incidentId: string, state: 'acknowledged' | 'resolved', signal: AbortSignal): Promise<Incident>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly pagerduty: PagerDutyReader;
  }
  interface Writers {
    readonly pagerduty: PagerDutyWriter;
  }
}
