/**
 * What tools may reach, split by effect. Read tools are handed `Readers` and nothing else, so that a read which
 * wants to write does not type-check. The clients implement these; nothing here knows a vendor's library.
 */

/** Restricts issues. Absent fields do not restrict. Values are literals; the client encodes them into JQL. */
export interface IssueQuery {
  readonly project?: string | undefined;
  readonly key?: string | undefined;
  readonly priority?: string | undefined;
  readonly priorityNot?: string | undefined;
  /** `open`, `closed` (also `done`), `all`, or the name of a status. */
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  /** `unassigned`, or a name. */
  readonly assignee?: string | undefined;
  readonly label?: string | undefined;
  readonly labelNot?: string | undefined;
  readonly assigneeNot?: string | undefined;
  /** Words to be found in summary, description or comments. */
  readonly text?: string | undefined;
  /** ISO 8601 duration: created within this time before now; of closed issues, closed within it. */
  readonly window?: string | undefined;
  /** Calendar word or date: created since then; of closed issues, closed since then. */
  readonly since?: string | undefined;
  /** ISO 8601 duration: created longer ago than this. */
  readonly olderThan?: string | undefined;
  /** ISO 8601 duration: not changed within this time before now. */
  readonly notUpdatedFor?: string | undefined;
}

export interface IssueRow {
  readonly key: string;
  readonly summary: string;
  readonly status: string;
  readonly priority: string;
  readonly assignee: string;
  readonly created: string;
  readonly updated: string;
  readonly url: string;
}

export interface JiraReader {
  /** `approximate` is true where the vendor gives an estimate. */
  count(
    query: IssueQuery,
    signal: AbortSignal,
  ): Promise<{ total: number; approximate: boolean; jql: string }>;
  /** At most `limit` issues; `more` tells that there are others. */
  search(
    query: IssueQuery,
    options: { limit: number; order: 'newest' | 'oldest' | 'updated' | 'priority' },
    signal: AbortSignal,
  ): Promise<{ issues: IssueRow[]; more: boolean; jql: string }>;
}

export interface OnCallPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly level: number;
  /** ISO 8601 end of the shift, or null when it has none. */
  readonly until: string | null;
}

export interface PageState {
  readonly incidentId: string;
  readonly state: 'triggered' | 'acknowledged' | 'resolved';
  readonly url: string;
}

export interface PagerDutyReader {
  /** On call for a catalogue service now, first level first. Empty means nobody. */
  oncall(service: string, signal: AbortSignal): Promise<OnCallPerson[]>;
  /** The incident that a page with this dedup key made, or null when there is none. */
  pageByKey(service: string, dedupKey: string, signal: AbortSignal): Promise<PageState | null>;
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
      readonly link: { readonly href: string; readonly text: string } | null;
    },
    signal: AbortSignal,
  ): Promise<{ dedupKey: string }>;
}

export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly link: string;
}

export interface SlackReader {
  /** A message of the bot that carries this key in its metadata, posted since `since`, or null. */
  postByKey(channel: string, key: string, since: Date, signal: AbortSignal): Promise<PostedMessage | null>;
}

export interface SlackWriter {
  /** Posts plain text (inert) to a channel or person of the catalogue; the key goes into the metadata. */
  post(
    message: {
      readonly to: string;
      readonly text: string;
      readonly key: string;
      /** Who asked and who approved. */
      readonly context: string;
      /** Address of the thread that it came from, as Slack gave it: the one live link in the message. */
      readonly threadLink: string | null;
    },
    signal: AbortSignal,
  ): Promise<PostedMessage>;
}

export interface SlaReader {
  /** The agreed limit, or null when none is configured. */
  threshold(project: string, priority: string): { maxOpen: number; resolveWithin: string | null } | null;
}

export interface SummaryReader {
  /** Plain text of at most `maxCharacters`. The material is data: nothing in it is followed. */
  summarize(
    material: string,
    wish: { readonly about: string | null; readonly maxCharacters: number },
    signal: AbortSignal,
  ): Promise<string>;
}

export interface Readers {
  readonly jira: JiraReader;
  readonly pagerduty: PagerDutyReader;
  readonly slack: SlackReader;
  readonly sla: SlaReader;
  readonly model: SummaryReader;
}

export interface Writers {
  readonly pagerduty: PagerDutyWriter;
  readonly slack: SlackWriter;
}
