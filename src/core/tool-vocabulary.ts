/**
 * A tool's role in plans written in words: `count` counts the rows of `list`, `limit` is what a count is compared with,
 * `person` is on call, `page` wakes people and `message` informs them.
 */
type AskedRole =
  | 'count'
  | 'list'
  | 'show'
  | 'limit'
  | 'clock'
  | 'alarms'
  | 'alarm'
  | 'person'
  | 'page'
  | 'message'
  | 'create'
  | 'move';

/** How people ask for a tool. */
export interface Asked {
  readonly role?: AskedRole;
  /** The request must supply its text; the plan's results are not enough. */
  readonly mustSay?: true;
  /** Orders, in their plain form: "page", "wake". */
  readonly verbs: readonly string[];
  /** The things it acts on: "ticket", "on-call". */
  readonly nouns?: readonly string[];
  /** Words right before the value of an argument: "of customer". */
  readonly cues?: Readonly<Record<string, readonly string[]>>;
  /** Result field of an earlier step that an argument takes: the code that a log search found. */
  readonly from?: Readonly<Record<string, string>>;
  /** Argument with the words that are searched for. */
  readonly seeks?: string;
  /** Requests that plan to this tool. */
  readonly examples: readonly string[];
  /** Result fields that a comparison refers to, by the kind of value compared. */
  readonly compares?: {
    readonly number?: string;
    /** Whether any exist, for results where the number of items means nothing. */
    readonly any?: string;
    readonly age?: string;
    readonly idle?: string;
    readonly left?: string;
    readonly state?: string;
    readonly priority?: string;
    readonly done?: string;
    readonly assigned?: string;
  };
  /** Result field that represents the result in a message: the list, the link, the text. */
  readonly tells?: string;
}
