/** How people say one argument. What the schema tells (targets, enums) is not repeated here. */
export interface AskedArg {
  /** Words right before its value: "in", "labelled". */
  readonly cues?: readonly string[];
  /** Words right after its value: `checkout on-call`. */
  readonly after?: readonly string[];
  /** What its value looks like, where the schema does not say it. */
  readonly takes?:
    | 'duration'
    | 'time'
    | 'topic'
    | 'message'
    | 'results'
    | 'word'
    | 'phrase'
    | 'code'
    | 'query'
    | 'person';
  /** For a time: it may also be one that is to come. */
  readonly ahead?: true;
  /** It is what a request is about without a word in front that asks for it: "payments failover runbook". */
  readonly bare?: true;
  /** How a query is known that is pasted as it is: the source of a regular expression. */
  readonly form?: string;
  /** Result field of an earlier step that "it" stands for: the code that a log search found. */
  readonly from?: string;
  /** Words that are a value by themselves: `{ open: ['open', 'unresolved'] }`. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** What it is when nothing is said of it and the tool is of no use without. */
  readonly else?: string | number;
}

/**
 * What a tool is among the others where sentences depend on it: the one that counts what another lists, the limit that
 * a count is held against, the person who is on call, what wakes and what tells people.
 */
export type AskedRole =
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

/** How people ask for a tool. A new tool speaks the day this is declared. */
export interface Asked {
  readonly role?: AskedRole;
  /** Its text has to be said: the facts of a plan will not do. */
  readonly mustSay?: true;
  /** Orders, in their plain form: "page", "wake up". */
  readonly verbs: readonly string[];
  /** What it is about: "ticket", "on-call". */
  readonly nouns?: readonly string[];
  /** Arguments that call for it by themselves, or together: "P1 in OPS" asks for tickets, so does `project since`. */
  readonly calls?: readonly string[];
  /** Words that go with it and do not call for it by themselves. */
  readonly also?: readonly string[];
  readonly args?: Readonly<Record<string, AskedArg>>;
  /** Requests that plan to this tool; a test asks each of them. */
  readonly examples: readonly string[];
  /** Result fields that a comparison means, by what it is compared with. */
  readonly compares?: {
    readonly number?: string;
    /** Whether there is one at all, where how many there are is no measure of anything. */
    readonly any?: string;
    readonly age?: string;
    readonly idle?: string;
    readonly left?: string;
    readonly state?: string;
    readonly priority?: string;
    readonly done?: string;
    readonly assigned?: string;
  };
  /** It only knows how things are now: what was, or will be, has to be asked about. */
  readonly present?: true;
  /** Result field that stands for the result in a message: the list, the link, the text. */
  readonly tells?: string;
  /** Result fields that people ask for by name: `{ top_code: ['top code'] }`. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
}
