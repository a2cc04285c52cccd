import { z } from 'zod';
import type { Asked } from './asked.ts';
import type { TargetKind } from './fields.ts';
import type { Json } from './json.ts';
import type { QueryLanguage } from './queries/template.ts';

export type Effect = 'read' | 'write';

/** How far data may travel. Flows only go downhill: a sink takes what is at or below its own level. */
export const levels = ['public', 'internal', 'confidential', 'restricted'] as const;
export type Level = (typeof levels)[number];

/** How bad a write is that should not have been made; rules may ask for more people where it is high. */
export const risks = ['low', 'medium', 'high'] as const;
export type Risk = (typeof risks)[number];

export type ToolSystem =
  | 'jira'
  | 'pagerduty'
  | 'slack'
  | 'sla'
  | 'runbooks'
  | 'errors'
  | 'azure'
  | 'splunk'
  | 'sql'
  | 'mcp'
  | 'model';

/** Arguments as words, for sentences about a step: literals as they are, references named in plain words. */
export type ArgWords = Readonly<Record<string, string>>;

export type InDoubt = 'same_key' | 'look' | 'confirm' | 'unknown';

/** A column of a table: a field of the rows, and what stands above it. */
export interface Column {
  readonly field: string;
  readonly title: string;
  /** Field of the row with the address that the value leads to. */
  readonly link?: string;
  /** An ISO 8601 time, which every reader sees in their own zone. */
  readonly as?: 'time';
}

/** How people see a result. */
export interface Shows {
  /** A list: the field with its rows, records that all have the same fields. */
  readonly table?: {
    readonly rows: string;
    /** Where each answer has columns of its own: the result field with their names, and the field of a row with its cells. */
    readonly columns: readonly Column[] | { readonly names: string; readonly cells: string };
    /** Field with the number of all there are, where the rows may be fewer: "20 of 47 shown". */
    readonly total?: string;
    /** Field that is true where there may be more than that. */
    readonly least?: string;
  };
  /** Field with sentences. What is in `lines` is set as it stands where neither a table nor prose is declared. */
  readonly prose?: string;
  /**
   * Fields with the address of what a step found or made. The link stands where the value of `names`, a field or an
   * argument, is said; where it is not said, in a line of its own with these words.
   */
  readonly links?: readonly { readonly field: string; readonly words: string; readonly names?: string }[];
}

/** A step that takes another one back. Arguments are literals. */
export interface UndoStep {
  /** Of the button: "Move it back". */
  readonly words: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A step that people may want next, as a button. Arguments are literals; a form asks for the others first. */
export interface Offer {
  /** Of the button: "Acknowledge". */
  readonly words: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
  /** Arguments that a form asks for, in this order, with what stands there first. */
  readonly asks?: readonly { readonly arg: string; readonly label: string; readonly value?: string }[];
  /** What is asked before it is done, where it cannot be taken back. */
  readonly confirm?: {
    readonly title: string;
    readonly text: string;
    readonly yes: string;
    readonly no: string;
  };
}

/** How an incident stands that a step opened. */
export interface IncidentNow {
  readonly state: 'triggered' | 'acknowledged' | 'resolved';
  readonly title: string;
}

/** Declaration of one tool: all that a planner, a reviewer and a card know of it. */
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
  /** Arguments that only people give, of their own accord or because the vendor insists: no model is told of them. */
  readonly later?: readonly string[];
  /** It takes the operator's vetted queries in this language, by an argument `named`. */
  readonly queries?: QueryLanguage;
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
    /** Attempts at a read, in all. A write has exactly one, but for what its vendor did not take and `inDoubt`. */
    readonly attempts: number;
  };
  /** What the step does as a sentence without a full stop: "Count open P1 tickets in OPS". */
  readonly sentence: (args: ArgWords) => string;
  /**
   * Result fields in plain words. What a number counts is a plural, "open P1 tickets in OPS"; any other value has its
   * article, "the SLA limit for P1 in OPS"; and what is true or false is a statement, "PAY-12 is done".
   */
  readonly nouns: Readonly<Record<string, (args: ArgWords) => string>>;
  /**
   * What came of it, in plain words for threads and the final line: "24 open P1 tickets in OPS". `targets` are the
   * labels that the card showed for a write: "pages Ana Ruiz, on call for ops".
   */
  outcome?(result: z.infer<R>, args: ArgWords, targets: readonly string[]): string;
  /** For writes: the argument with what is sent, and a title that says which result that is: "Post the summary to #ops". */
  readonly sends?: { readonly arg: string; title(args: ArgWords, what: string): string };
  /** A result field that is an agreed limit, and what people call it to be over it and within it: "breached". */
  readonly limit?: { readonly field: string; readonly over: string; readonly kept: string };
  /** For reads: what there is instead when its system fails, as `outcome` then says. Absent: the step fails. */
  readonly instead?: string;
  /** Result fields that `outcome` already says, so that the small print leaves them out. */
  readonly said?: readonly string[];
  /** How people see the result, beside the sentence that `outcome` makes of it. */
  readonly shows?: Shows;
  /** For writes: the vendor's yes only says that it was taken; whether it was done has to be looked up by its key. */
  readonly takenFirst?: true;
  /** For writes: people see its key at the vendor, and can look for it themselves. */
  readonly keyShows?: true;
  /**
   * For writes: what to do when one may or may not have happened.
   * - `same_key`: it is sent again for up to a minute, because a second time does nothing: its vendor joins what comes
   *   under one key, or it sets what is set already.
   * - `look`: the vendor is asked until some time after `limits.timeoutMs`, and what it does not have is sent again. One
   *   that is even slower does it twice.
   * - `confirm`: the vendor is asked, and what it does not show is left to people: it shows new things late.
   * - `unknown`: it is left to people. This is meant when nothing is declared.
   */
  readonly inDoubt: InDoubt;
  /** For writes: a plan has it once for each of these targets, whatever else differs. Absent: once for the same arguments. */
  readonly oncePer?: TargetKind;
  /**
   * For writes: several about one problem become one. `same`: the arguments that must be equal, with what counts where
   * one is absent. `text`: the argument whose words tell problems apart where the condition measures nothing.
   * A result with `joined: true` became part of what was there: it reached nobody, and no cap counts it.
   * `joins`: what it is joined to while that is open: "a page".
   */
  readonly about?: {
    readonly same: Readonly<Record<string, string>>;
    readonly text: string;
    readonly joins: string;
  };
  /** For writes: the vendor made it part of what was there and left out what it says; the tool then adds that. */
  lacks?(result: z.infer<R>): boolean;
  /** For reads: what it means that a field has a value, as a statement: "OPS-1 has breached its SLA"; null for no words. */
  readonly says?: Readonly<Record<string, (args: ArgWords, value: string) => string | null>>;
  /** For reads: a condition on the result says what is wrong, so that it tells problems apart: a count, a state. */
  readonly measures?: true;
  /** For writes: what to say when its condition did not hold: "nobody was paged". */
  readonly notDone?: (args: ArgWords) => string;
  /** For writes: it calls people, so one that was not made is said before all else: "paged" makes "Nobody was paged". */
  readonly calls?: string;
  /** For writes that call people: it called others than those of its target. */
  strays?(result: z.infer<R>): boolean;
  /** For writes: no count of what a person asked for stands in its way. */
  readonly urgent?: true;
  /** For writes: how bad it is when it should not have been made. Absent: medium. */
  readonly risk?: Risk;
  /** For writes: that a person can take it back, and where, or that nobody can. A statement: it is read before the yes. */
  readonly undo?: string;
  /**
   * For writes: the step that takes back what was done, and the words of the button that proposes it; null when there is
   * nothing to take back. It becomes a plan of its own, which needs its own yes.
   */
  undoBy?(result: z.infer<R>): UndoStep | null;
  /**
   * For writes: the result names an `incident` that lives on. What becomes of it is told in the thread and on the card
   * until it is resolved.
   */
  readonly livesOn?: true;
  /**
   * For writes: what people may want next, as buttons under the result. `now` is how its incident stands, or null
   * where that is not known yet. A click is a plan of one step and a yes to it, for those who may.
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

/** Declares a tool. What does not say that it reads is a write, and a write is made at most once. */
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

type Facts = { readonly [key: string]: Json };

/** A manifest never changes, and every workspace and every digest asks for the same ones. */
const known = new WeakMap<Manifest, Facts>();

/** The declaration without its functions, for digests and prompts. */
export function manifestFacts(manifest: Manifest): Facts {
  const facts = known.get(manifest) ?? factsOf(manifest);
  known.set(manifest, facts);
  return facts;
}

function factsOf(manifest: Manifest): Facts {
  return {
    name: manifest.name,
    effect: manifest.effect,
    summary: manifest.summary,
    args: z.toJSONSchema(manifest.args, { unrepresentable: 'any' }) as Json,
    result: z.toJSONSchema(manifest.result, { unrepresentable: 'any' }) as Json,
    yields: manifest.yields,
    accepts: manifest.accepts,
    limits: { ...manifest.limits },
    exactlyOne: manifest.exactlyOne.map((names) => [...names]),
    ...(manifest.anyOf === undefined ? {} : { anyOf: [...manifest.anyOf] }),
    ...(manifest.risk === undefined ? {} : { risk: manifest.risk }),
  };
}
