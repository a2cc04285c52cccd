/** Data of the local PagerDuty. People are always given by PagerDuty user id. */

export const severities = ['critical', 'warning', 'error', 'info'] as const;
export type Severity = (typeof severities)[number];

export const incidentStatuses = ['triggered', 'acknowledged', 'resolved'] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];

export type Urgency = 'high' | 'low';

export interface Note {
  readonly id: string;
  readonly user: string;
  readonly content: string;
  readonly at: Date;
}

export interface Incident {
  readonly id: string;
  readonly number: number;
  title: string;
  status: IncidentStatus;
  /** The incident that has its alerts now; null when it was not merged. */
  mergedInto: string | null;
  urgency: Urgency;
  /** Service id. */
  readonly service: string;
  /** The dedup_key of Events v2; `incident_key` in the REST API. */
  readonly incidentKey: string;
  readonly source: string | null;
  readonly severity: Severity | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
  /** Null when the service itself did it, through an event. */
  lastChangeBy: string | null;
  assignedTo: readonly { readonly user: string; readonly at: Date }[];
  acknowledgements: readonly { readonly user: string; readonly at: Date }[];
  notes: readonly Note[];
  /** Trigger events received for it, including the first one. */
  triggers: number;
  /** The people paged, once per page. */
  notified: readonly { readonly user: string; readonly at: Date }[];
}

export type LogEntryKind =
  | 'trigger'
  | 'notify'
  | 'acknowledge'
  | 'resolve'
  | 'annotate'
  | 'assign'
  | 'escalate'
  | 'unacknowledge';

export interface LogEntry {
  readonly id: string;
  readonly kind: LogEntryKind;
  readonly incident: string;
  /** Null: the service. */
  readonly user: string | null;
  readonly channel: 'api' | 'note' | 'website' | 'auto';
  readonly summary: string;
  /** The people it was assigned to. */
  readonly assignees?: readonly string[];
  readonly at: Date;
}

export interface NewIncident {
  readonly service: string;
  readonly title: string;
  readonly incidentKey: string;
  readonly urgency: Urgency;
  readonly source?: string;
  readonly severity?: Severity;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The person who made it; null for an event. */
  readonly by: string | null;
}
