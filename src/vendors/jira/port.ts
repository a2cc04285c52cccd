/** What tools may ask of Jira. */

/** Restricts issues. Absent fields do not restrict. Values are literals; the client encodes them into JQL. */
export interface IssueQuery {
  readonly project?: string | undefined;
  readonly key?: string | undefined;
  readonly priority?: string | undefined;
  readonly priorityNot?: string | undefined;
  /** `open`, `closed` (also `done`), `all`, or the name of a status. */
  readonly status?: string | undefined;
  /** A name as for `status`, but for `all`. */
  readonly statusNot?: string | undefined;
  readonly type?: string | undefined;
  readonly typeNot?: string | undefined;
  readonly component?: string | undefined;
  /** `unassigned`, `me`, a handle, or a name. */
  readonly assignee?: string | undefined;
  readonly assigneeNot?: string | undefined;
  /** Slack user id of who asks: whom `me` means. */
  readonly asker?: string | undefined;
  readonly label?: string | undefined;
  readonly labelNot?: string | undefined;
  /** Words to be found in summary, description or comments. */
  readonly text?: string | undefined;
  /** ISO 8601 duration: created within this time before now; of closed issues, closed within it. */
  readonly window?: string | undefined;
  /** Calendar word or date: created since then; of closed issues, closed since then. */
  readonly since?: string | undefined;
  /** Calendar word or date: created before then; of closed issues, closed before then. */
  readonly until?: string | undefined;
  /** Calendar words or date: created in that day, week or month; of closed issues, closed in it. */
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
  /** Whatever its status is called, it counts as done. */
  readonly done: boolean;
  /** P1 to P5 where the operator's file names it so, else its own name; empty without one. */
  readonly priority: string;
  /** Empty when nobody is assigned. */
  readonly assignee: string;
  /** Its project is one of Jira Service Management, which may have an SLA of its own for it. */
  readonly isRequest: boolean;
  readonly created: Date;
  readonly updated: Date;
  /** Null while it is open. */
  readonly resolved: Date | null;
  readonly url: string;
}

/** One issue with what people ask about it. */
export interface Issue extends IssueRow {
  readonly type: string;
  readonly reporter: string;
  readonly labels: readonly string[];
  readonly components: readonly string[];
  /** Plain text, empty without one. */
  readonly description: string;
  readonly comments: { readonly total: number; readonly latest: IssueComment | null };
}

export interface IssueComment {
  readonly author: string;
  readonly created: Date;
  readonly text: string;
}

/** One SLA of Jira Service Management on one issue: its clock that runs, else the last one that ended. */
export interface IssueSla {
  /** `Time to resolution`. */
  readonly name: string;
  readonly running: boolean;
  readonly paused: boolean;
  readonly breached: boolean;
  readonly goalMs: number;
  /** Negative when it is over. */
  readonly leftMs: number;
  /** When it is or was breached; null while it is paused. */
  readonly breachAt: Date | null;
}

/** A query as it was asked, and where people see what it finds. */
export interface ShownQuery {
  readonly jql: string;
  readonly url: string;
}

export interface JiraReader {
  /** The comment of ours on an issue with this mark, made since `since`, or null. */
  commentByMark(
    of: { readonly key: string; readonly mark: string; readonly since: Date },
    signal: AbortSignal,
  ): Promise<JiraComment | null>;
  /** What a move would come to now. Throws an ArgumentError that says what is possible instead. */
  plannedMove(asked: MoveAsked, signal: AbortSignal): Promise<JiraMove & { readonly summary: string }>;
  /** Our move of an issue with this mark, or null. */
  moveByMark(
    of: { readonly key: string; readonly mark: string },
    signal: AbortSignal,
  ): Promise<JiraMove | null>;
  /** What a new issue would be. Throws an ArgumentError that says what the project needs. */
  plannedIssue(
    asked: IssueAsked,
    signal: AbortSignal,
  ): Promise<{ readonly type: string; readonly assignee: string | null }>;
  /** The issue of ours with this mark, made since `since`; null when the search does not show it (yet). */
  issueByMark(
    of: { readonly project: string; readonly mark: string; readonly since: Date },
    signal: AbortSignal,
  ): Promise<CreatedIssue | null>;
  issue(key: string, signal: AbortSignal): Promise<Issue>;
  /** SLAs of Jira Service Management; null for what is no request there. */
  slas(key: string, signal: AbortSignal): Promise<IssueSla[] | null>;
  /** `approximate` is true for more issues than are counted one by one: then Jira's estimate is given. */
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

/** A status to move an issue to, by its name. */
export interface MoveAsked {
  readonly key: string;
  readonly status: string;
  /** Where the screen of the move has one. */
  readonly resolution?: string | undefined;
  /** Other fields of that screen, one on each line: `Root cause: deploy`. */
  readonly fields?: string | undefined;
  /** Slack user id of who asks: whom `me` means. */
  readonly asker?: string | undefined;
}

/** A move as it was or would be made; `from` is `to` when there was nothing to do. */
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
  /** Slack user id of who asks: whom `me` means. */
  readonly asker?: string | undefined;
  /** Fields of the create screen that have no argument of their own, one on each line: `Root cause: deploy`. */
  readonly fields?: string | undefined;
  /** Key of the issue that it follows, to be linked. */
  readonly follows?: string | undefined;
}

export interface CreatedIssue {
  readonly key: string;
  readonly url: string;
  /** True when it is linked to the issue that it follows. */
  readonly linked: boolean;
  /** Why it is not; only known to whoever tried. */
  readonly apart?: string;
}

/** A comment of ours. */
export interface JiraComment {
  readonly id: string;
  readonly url: string;
}

export interface JiraWriter {
  /** Adds a comment of plain text; `mark` is stored with it, where people do not see it. */
  comment(
    comment: { readonly key: string; readonly text: string; readonly mark: string },
    signal: AbortSignal,
  ): Promise<JiraComment>;
  /** Moves an issue through its workflow, under our mark. */
  move(asked: MoveAsked & { readonly mark: string }, signal: AbortSignal): Promise<JiraMove>;
  /** Creates an issue under our mark. */
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
