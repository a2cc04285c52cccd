/** Tools' port for Jira. */

/** Restricts issues. Absent fields do not restrict. Values are literals; the client encodes them into JQL. */
export interface IssueQuery {
  readonly project?: string | undefined;
  readonly key?: string | undefined;
  readonly priority?: string | undefined;
  readonly priorityNot?: string | undefined;
  /** `open`, `closed` (also `done`), `all`, or the name of a status. */
  readonly status?: string | undefined;
  /** Like `status`, except `all`. */
  readonly statusNot?: string | undefined;
  readonly type?: string | undefined;
  readonly typeNot?: string | undefined;
  readonly component?: string | undefined;
  /** `unassigned`, `me`, a handle, or a name. */
  readonly assignee?: string | undefined;
  readonly assigneeNot?: string | undefined;
  /** Slack user id of the requester: the person `me` refers to. */
  readonly asker?: string | undefined;
  readonly label?: string | undefined;
  readonly labelNot?: string | undefined;
  /** Words to find in summary, description or comments. */
  readonly text?: string | undefined;
  /** ISO 8601 duration: created within this time before now; for closed issues, closed within it. */
  readonly window?: string | undefined;
  /** Calendar word or date: created since then; for closed issues, closed since then. */
  readonly since?: string | undefined;
  /** Calendar word or date: created before then; for closed issues, closed before then. */
  readonly until?: string | undefined;
  /** Calendar words or date: created in that day, week or month; for closed issues, closed in it. */
  readonly during?: string | undefined;
  /** ISO 8601 duration: created longer ago than this. */
  readonly olderThan?: string | undefined;
  /** ISO 8601 duration, or calendar word or date: changed within this time, or since then. */
  readonly updatedWithin?: string | undefined;
  readonly updatedSince?: string | undefined;
  /** ISO 8601 duration: not changed within this time before now. */
  readonly notUpdatedFor?: string | undefined;
}

export interface IssueRow {
  readonly key: string;
  readonly summary: string;
  readonly status: string;
  /** Counts as done, whatever its status is called. */
  readonly done: boolean;
  /** P1 to P5 where the operator's file maps it, else its own name; empty if it has none. */
  readonly priority: string;
  /** Empty when nobody is assigned. */
  readonly assignee: string;
  /** Its project belongs to Jira Service Management, which may have its own SLA for it. */
  readonly isRequest: boolean;
  readonly created: Date;
  readonly updated: Date;
  /** Null while it is open. */
  readonly resolved: Date | null;
  readonly url: string;
}

/** One issue with the details people ask about. */
export interface Issue extends IssueRow {
  readonly type: string;
  readonly reporter: string;
  readonly labels: readonly string[];
  readonly components: readonly string[];
  /** Plain text, empty if there is none. */
  readonly description: string;
  readonly comments: { readonly total: number; readonly latest: IssueComment | null };
}

export interface IssueComment {
  readonly author: string;
  readonly created: Date;
  readonly text: string;
}

/** One SLA of Jira Service Management on one issue: its running clock, else the last one that ended. */
export interface IssueSla {
  /** `Time to resolution`. */
  readonly name: string;
  readonly running: boolean;
  readonly paused: boolean;
  readonly breached: boolean;
  readonly goalMs: number;
  /** Negative when it is exceeded. */
  readonly leftMs: number;
  /** Time of the breach, past or future; null while it is paused. */
  readonly breachAt: Date | null;
}

/** A query, and the address where people see its results. */
export interface ShownQuery {
  readonly jql: string;
  readonly url: string;
}

export interface JiraReader {
  /** Our comment on an issue with this mark, made since `since`, or null. */
  commentByMark(
    of: { readonly key: string; readonly mark: string; readonly since: Date },
    signal: AbortSignal,
  ): Promise<JiraComment | null>;
  /** The result of a move if made now. Throws an ArgumentError that says what is possible instead. */
  plannedMove(asked: MoveAsked, signal: AbortSignal): Promise<JiraMove & { readonly summary: string }>;
  /** Our move of an issue with this mark, or null. */
  moveByMark(
    of: { readonly key: string; readonly mark: string },
    signal: AbortSignal,
  ): Promise<JiraMove | null>;
  /** A new issue as it would be created. Throws an ArgumentError that says what the project needs. */
  plannedIssue(
    asked: IssueAsked,
    signal: AbortSignal,
  ): Promise<{ readonly type: string; readonly assignee: string | null }>;
  /** Our issue with this mark, created since `since`; null when the search does not show it (yet). */
  issueByMark(
    of: { readonly project: string; readonly mark: string; readonly since: Date },
    signal: AbortSignal,
  ): Promise<CreatedIssue | null>;
  issue(key: string, signal: AbortSignal): Promise<Issue>;
  /** SLAs of Jira Service Management; null for issues that are not requests there. */
  slas(key: string, signal: AbortSignal): Promise<IssueSla[] | null>;
  /** `approximate` is true when there are too many issues to count one by one: then it is Jira's estimate. */
  count(
    query: IssueQuery,
    signal: AbortSignal,
  ): Promise<{ total: number; approximate: boolean } & ShownQuery>;
  /** At most `limit` issues; `more` tells that there are others, `odd` are those that could not be read. */
  search(
    query: IssueQuery,
    options: { limit: number; order: 'newest' | 'oldest' | 'updated' | 'priority' },
    signal: AbortSignal,
  ): Promise<{ issues: IssueRow[]; odd?: readonly UnreadIssue[]; more: boolean } & ShownQuery>;
}

/** An issue that lacks some field; without a key where Jira gave none. */
export interface UnreadIssue {
  readonly key: string;
  readonly url: string;
}

/** A move of an issue to a status, by name. */
export interface MoveAsked {
  readonly key: string;
  readonly status: string;
  /** If the move's screen has one. */
  readonly resolution?: string | undefined;
  /** Other fields of that screen, one per line: `Root cause: deploy`. */
  readonly fields?: string | undefined;
  /** Slack user id of the requester: the person `me` refers to. */
  readonly asker?: string | undefined;
}

/** A move, made or planned; `from` equals `to` when there was nothing to do. */
export interface JiraMove {
  readonly from: string;
  readonly to: string;
  readonly url: string;
}

/** A new issue, in words; names are looked up in the project. */
export interface IssueAsked {
  readonly project: string;
  readonly summary: string;
  /** Plain text of the description. */
  readonly text: string;
  readonly type?: string | undefined;
  readonly priority?: string | undefined;
  readonly label?: string | undefined;
  readonly component?: string | undefined;
  /** `me`, a handle, or a name. */
  readonly assignee?: string | undefined;
  /** Slack user id of the requester: the person `me` refers to. */
  readonly asker?: string | undefined;
  /** Fields of the create screen without an argument of their own, one per line: `Root cause: deploy`. */
  readonly fields?: string | undefined;
  /** Key of the issue it follows, to be linked. */
  readonly follows?: string | undefined;
}

export interface CreatedIssue {
  readonly key: string;
  readonly url: string;
  /** True when it is linked to the issue it follows. */
  readonly linked: boolean;
  /** Why it is not; only known to the call that tried. */
  readonly apart?: string;
}

/** One of our comments. */
export interface JiraComment {
  readonly id: string;
  readonly url: string;
}

export interface JiraWriter {
  /** Adds a plain text comment; `mark` is stored with it, invisible to people. */
  comment(
    comment: { readonly key: string; readonly text: string; readonly mark: string },
    signal: AbortSignal,
  ): Promise<JiraComment>;
  /** Moves an issue through its workflow, with our mark. */
  move(asked: MoveAsked & { readonly mark: string }, signal: AbortSignal): Promise<JiraMove>;
  /** Creates an issue with our mark. */
  create(asked: IssueAsked & { readonly mark: string }, signal: AbortSignal): Promise<CreatedIssue>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly jira: JiraReader;
  }
  interface Writers {
    readonly jira: JiraWriter;
  }
}
