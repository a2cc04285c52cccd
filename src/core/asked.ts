/**
 * What a tool is among the others where plans in words depend on it: the one that counts what another lists, the limit
 * that a count is held against, the person who is on call, what wakes and what tells people.
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
  /** Its text has to be said: the facts of a plan will not do. */
  readonly mustSay?: true;
  /** Orders, in their plain form: "page", "wake". */
  readonly verbs: readonly string[];
  /** What it is about: "ticket", "on-call". */
  readonly nouns?: readonly string[];
  /** Words right before the value of an argument: "of customer". */
  readonly cues?: Readonly<Record<string, readonly string[]>>;
  /** Result field of an earlier step that an argument takes: the code that a log search found. */
  readonly from?: Readonly<Record<string, string>>;
  /** Requests that plan to this tool. */
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
  /** Result field that stands for the result in a message: the list, the link, the text. */
  readonly tells?: string;
}
