import type { z } from 'zod';
import type { TargetKind } from './fields.ts';
import type { IncidentNow, Offer, UndoStep } from './offer.ts';
import type { QueryLanguage } from './queries/template.ts';
import type { Purpose, Reached, ReachedTarget } from './reach.ts';
import type { Shows } from './shows.ts';
import type { Asked } from './tool-vocabulary.ts';

export type Effect = 'read' | 'write';

/** How far data may travel. A sink accepts data at or below its own level. */
export const levels = ['public', 'internal', 'confidential', 'restricted'] as const;
export type Level = (typeof levels)[number];

/** How bad an unwanted write would be; rules may require more approvers where it is high. */
export const risks = ['low', 'medium', 'high'] as const;
export type Risk = (typeof risks)[number];

export type ToolSystem =
  | 'jira'
  | 'pagerduty'
  | 'slack'
  | 'sla'
  | 'confluence'
  | 'runbooks'
  | 'errors'
  | 'azure'
  | 'splunk'
  | 'prometheus'
  | 'sql'
  | 'queries'
  | 'numbers'
  | 'mcp'
  | 'model'
  | 'code'
  | 'actions';

/** Arguments as words, for sentences about a step: literals as they are, references named in plain words. */
export type ArgWords = Readonly<Record<string, string>>;

export type InDoubt = 'same_key' | 'joins' | 'look' | 'confirm' | 'unknown';

/** When a write took effect, as read after it: "OPS-3 is in Done". */
export type Success<R extends z.ZodObject> =
  | {
      readonly words: (args: ArgWords) => string;
      /** In CEL, over `made`, its own result, and `after`, what was read. */
      readonly holds: string;
      /** The read. Absent: its own result is what its vendor shows of it afterwards. */
      readonly read?: { readonly tool: string; args(result: z.infer<R>): StepArgs };
      /** A second one changes nothing that is there, so it may be proposed again where the condition does not hold. */
      readonly repeatable?: true;
    }
  /** Why no tool can read it. A sentence. */
  | { readonly unread: string };

type StepArgs = Readonly<Record<string, string | number>>;

/** Declaration of one tool: everything a planner, a reviewer and a card know about it. */
export interface Manifest<A extends z.ZodObject = z.ZodObject, R extends z.ZodObject = z.ZodObject> {
  /** `system.verb`, also the base name of the manifest's and the tool's file. */
  readonly name: string;
  readonly effect: Effect;
  /** One sentence for the planner: what the tool does and when to use it. */
  readonly summary: string;
  /** Words an engineer may use for it; they feed the shortlist search. */
  readonly keywords: readonly string[];
  /** How people ask for it; the planner without a model reads nothing else. */
  readonly asked?: Asked;
  readonly args: A;
  readonly result: R;
  /** Arguments of which exactly one must be given: `[['channel', 'user']]`. */
  readonly exactlyOne: readonly (readonly string[])[];
  /** Arguments of which at least one must be given. */
  readonly anyOf?: readonly string[];
  /** Arguments that only people give, unprompted or because the vendor insists; models never see them. */
  readonly later?: readonly string[];
  /** Accepts the operator's vetted queries in this language, through an argument `named`. */
  readonly queries?: QueryLanguage;
  /**
   * For reads: the argument with a query that a model may write. It stands on the card in full, and its plan waits for
   * approval unless the policy lets it run.
   */
  readonly written?: string;
  /** Units of the numbers of vetted queries, by their names. */
  readonly units?: Readonly<Record<string, string>>;
  /** For reads: the arguments that say how a service is doing; null where that service has none of it. */
  readonly situation?: (service: { readonly name: string; readonly project?: string }) => StepArgs | null;
  /** Result field meant when only the step is named ("if there are more than 5"). Absent: no main result. */
  readonly main?: string;
  /** The vendor or source it touches; it must be configured for the tool to be in the catalogue. */
  readonly system: ToolSystem;
  /** Level of the data it returns. */
  readonly yields: Level;
  /** Highest level of data that may be put into its text arguments. */
  readonly accepts: Level;
  readonly limits: {
    /** Milliseconds for one attempt. */
    readonly timeoutMs: number;
    /** Total attempts at a read. A write gets one, except where the vendor did not accept it and as `inDoubt` allows. */
    readonly attempts: number;
  };
  /** The step as a sentence without a full stop: "Count open P1 tickets in OPS". */
  readonly sentence: (args: ArgWords) => string;
  /**
   * Result fields in plain words. A count is a plural, "open P1 tickets in OPS"; any other value has its article, "the
   * SLA limit for P1 in OPS"; a boolean is a statement, "PAY-12 is done".
   */
  readonly nouns: Readonly<Record<string, (args: ArgWords) => string>>;
  /**
   * The outcome in plain words, for threads and the final line: "24 open P1 tickets in OPS". `targets` are the labels
   * that the card showed for a write: "pages Ana Ruiz, on call for ops".
   */
  outcome?(result: z.infer<R>, args: ArgWords, targets: readonly string[]): string;
  /** For writes: the argument that is sent, and a title that names the result in it: "Post the summary to #ops". */
  readonly sends?: { readonly arg: string; title(args: ArgWords, what: string): string };
  /** A result field that is an agreed limit, and the words for being over it and within it: "breached". */
  readonly limit?: { readonly field: string; readonly over: string; readonly kept: string };
  /** For reads: the fallback when its system fails, which `outcome` then describes. Absent: the step fails. */
  readonly instead?: string;
  /** Result fields that `outcome` already covers, so the small print omits them. */
  readonly said?: readonly string[];
  /** How people see the result, in addition to the `outcome` sentence. */
  readonly shows?: Shows;
  /** For writes: the vendor only confirms receipt; whether the write was made must be looked up by its key. */
  readonly takenFirst?: true;
  /** For writes: its key is visible at the vendor, so people can search for it themselves. */
  readonly keyShows?: true;
  /**
   * For writes: what to do when one may or may not have happened.
   * - `same_key`: send it again for up to a minute; a repeat has no effect, because the vendor deduplicates by key or
   *   the write sets a value that is already set.
   * - `joins`: ask the vendor once before each repeat, and send what it does not have, or cannot be asked about, again for
   *   up to a minute; the vendor joins a repeat to the first by its key, but only while that is open.
   * - `look`: ask the vendor until some time after `limits.timeoutMs`, then send what it does not have. A write that
   *   arrives even later is made twice.
   * - `confirm`: ask the vendor, and leave what it does not show to people: new things appear there with a delay.
   * - `unknown`: leave it to people. This is the default.
   */
  readonly inDoubt: InDoubt;
  /** For writes: a plan may have only one per target of this kind, whatever else differs. Absent: one per set of arguments. */
  readonly oncePer?: TargetKind;
  /**
   * For writes: several about one problem become one. `same`: the arguments that must be equal, with the value assumed
   * where one is absent. `text`: the argument whose words identify the problem when the condition measures nothing. A
   * result with `joined: true` was added to an existing one: it reached nobody, and no cap counts it. `joins`: the
   * thing it joins while that is open: "a page".
   */
  readonly about?: {
    readonly same: Readonly<Record<string, string>>;
    readonly text: string;
    readonly joins: string;
  };
  /** For writes: the vendor joined it to an existing one and dropped its text, which the tool then adds. */
  lacks?(result: z.infer<R>): boolean;
  /** For reads: a field's value as a statement: "OPS-1 has breached its SLA"; null for no words. */
  readonly says?: Readonly<Record<string, (args: ArgWords, value: string) => string | null>>;
  /** For reads: a condition on the result describes the problem (a count, a state), so it identifies the problem. */
  readonly measures?: true;
  /** For writes: the words for a condition that did not hold: "nobody was paged". */
  readonly notDone?: (args: ArgWords) => string;
  /** For writes: it alerts people, so a failure to do so is reported first: "paged" makes "Nobody was paged". */
  readonly calls?: string;
  readonly purpose?: Purpose;
  /** For writes: whom it reaches beside the thread, and how; null for nobody. */
  readonly reaches?: (args: ArgWords, targets: readonly ReachedTarget[]) => Reached | null;
  /** For writes that call people: it called others than those of its target. */
  strays?(result: z.infer<R>): boolean;
  /** For writes: no count of what a person asked for stands in its way. */
  readonly urgent?: true;
  /**
   * For writes that call people: other ways to reach them, as buttons, when it did not go out or nobody knows. `handle`:
   * of a person it calls, in Slack. `backup`: the service to call instead.
   */
  otherwise?(args: ArgWords, of: { readonly handle?: string; readonly backup?: string }): readonly Offer[];
  /** For writes: asked for in words that say nothing else, it is made at once for who may approve it, as by its button. */
  readonly atOnce?: true;
  /** For writes: whether it took effect. An outcome of the step, unlike `verify`, which says whether it helped. */
  readonly success?: Success<R>;
  /** For writes: how bad it is when it should not have been made. Absent: medium. */
  readonly risk?: Risk;
  /** For writes: whether a person can undo it, and where. A statement, read before approving. */
  readonly undo?: string;
  /**
   * For writes: the step that undoes it, with the label of the button that proposes it; null when there is nothing to
   * undo. It becomes a plan of its own, which needs its own approval.
   */
  undoBy?(result: z.infer<R>): UndoStep | null;
  /**
   * For writes: how it is looked up afterwards whether it helped, in plan notation; `{name}` is an argument of the write.
   * The step `after` is read after the write until what it expects holds, for at most `within` seconds; the others are
   * read before the write.
   */
  readonly verify?: { readonly within: number; readonly plan: string };
  /**
   * For writes: the result names an `incident` that lives on. Its changes are reported in the thread and on the card
   * until it is resolved.
   */
  readonly livesOn?: true;
  /**
   * For writes: likely next steps, as buttons under the result. `now` is the state of its incident, or null while
   * unknown. A click makes a plan of one step and approves it, for people who may.
   */
  offers?(result: z.infer<R>, now: IncidentNow | null): readonly Offer[];
}

type Declared<A extends z.ZodObject, R extends z.ZodObject> = Omit<
  Manifest<A, R>,
  'effect' | 'keywords' | 'accepts' | 'limits' | 'nouns' | 'exactlyOne' | 'inDoubt'
> &
  Partial<
    Pick<Manifest<A, R>, 'effect' | 'keywords' | 'accepts' | 'limits' | 'nouns' | 'exactlyOne' | 'inDoubt'>
  >;

/** Declares a tool. A tool is a write unless it declares that it reads, and a write is made at most once. */
export function defineManifest<A extends z.ZodObject, R extends z.ZodObject>(
  declared: Declared<A, R>,
): Manifest<A, R> {
  const effect = declared.effect ?? 'write';
  const limits = declared.limits ?? { timeoutMs: 10_000, attempts: effect === 'read' ? 3 : 1 };
  if (!/^[a-z]+\.[a-z_]+$/.test(declared.name)) throw new TypeError(`bad tool name ${declared.name}`);
  if (effect === 'write' && limits.attempts !== 1) {
    throw new TypeError(`${declared.name} is a write and may be attempted only once`);
  }
  return {
    keywords: [],
    accepts: 'internal',
    nouns: {},
    exactlyOne: [],
    inDoubt: 'unknown',
    ...declared,
    effect,
    limits,
    args: declared.args.strict() as A,
    result: declared.result.strict() as R,
  };
}

export type ArgsOf<M extends Manifest> = z.infer<M['args']>;
export type ResultOf<M extends Manifest> = z.infer<M['result']>;
