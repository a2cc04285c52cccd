import type { Of } from '../clauses/clause.ts';
import type { Frame } from '../frames/frame.ts';
import { range, saysIn, type Text } from '../words/text.ts';
import type { Condition, DraftStep, DraftValue } from './draft.ts';

/** Something that has to be asked before there is a plan. */
export interface Need {
  readonly kind:
    | 'missing'
    | 'strange'
    | 'either'
    | 'exclude'
    | 'text'
    | 'title'
    | 'condition'
    | 'conflict'
    | 'me'
    | 'limit'
    | 'change';
  /** What is missing, as the question names it: `service`, `channel`, `text` … */
  readonly missing: string;
  readonly said?: string;
  readonly options?: readonly string[];
}

/** Values that answers to questions gave, by what was asked for; several stand one under the other. */
export type Given = ReadonlyMap<string, string>;
export const listOf = (values: Iterable<string>): string => [...values].join('\n');
export const valuesOf = (list: string): string[] => list.split('\n');

/** Where a clause stands in the request. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Words that ask for nothing. */
export interface Remark extends Omit<Of<'remark'>, 'kind' | 'lead' | 'left' | 'score'> {
  /** Before anything was asked for. */
  readonly isFirst: boolean;
}

/** Whether a word of a clause is any of these. */
export const saysAt = ({ text }: Memory, { from, to }: Place, ...tags: readonly string[]): boolean =>
  saysIn(text, range(from, to), ...tags);

/** The plan so far, and what "it", "there", "otherwise" and "if over" point to. */
export interface Memory {
  readonly text: Text;
  readonly given: Given;
  readonly steps: DraftStep[];
  readonly needs: Need[];
  readonly assumptions: Set<string>;
  /** Things that were named for what follows, by kind. */
  readonly topic: Map<string, string>;
  /** What was said of them: the reason for the next order. */
  because: string;
  /** Steps that still want a text. */
  readonly waiting: Set<DraftStep>;
  /** Steps that call somebody whose service was not named, with where they were asked for. */
  readonly unaimed: { readonly step: DraftStep; readonly place: Place }[];
  reads: DraftStep[];
  /** Where the last look-up was asked for. */
  asked: Place;
  /** What is made of results, and may be made of those that follow as well. */
  summary: DraftStep | null;
  orders: DraftStep[];
  /** Tickets and incidents that were named together last, or the one that a step gives. */
  issues: readonly DraftValue[];
  incidents: readonly DraftValue[];
  service: string | null;
  person: DraftValue | null;
  /** The last comparison with a limit: what "if over" means. */
  compared: Condition | null;
  /** What holds for the orders that follow. */
  condition: Condition | null;
  /** The last condition, also one that holds no longer: what "otherwise" means. */
  lastCondition: Condition | null;
  /** The last condition was said with a "not": "is not done". */
  denied: boolean;
  /** The last condition stood before what it holds for. */
  leads: boolean;
  /** Orders of this sentence that have no condition yet. */
  open: DraftStep[];
  /** What the request rules out: a tool, a target, or a tool with a target. */
  readonly forbidden: { readonly tool?: string; readonly value?: string }[];
  /** What was said before any order that could say it. */
  readonly remarks: Remark[];
  /** A text was taken for one without a word that says so. */
  isGuess: boolean;
  /** Tokens that no step carries. */
  readonly left: number[];
  /** In a change: steps that go, and those that are done in any case. */
  readonly gone: Set<DraftStep>;
  readonly unbound: DraftStep[];
  /** Values that are to go, unless another one comes in their place. */
  readonly dropped: { readonly arg: string; readonly value: string }[];
  /** Steps of the plan that others took their facts from. */
  used: ReadonlySet<DraftStep>;
}

export function createMemory(text: Text, given: Given): Memory {
  return {
    ...{ text, given, because: '', topic: new Map(), forbidden: [], assumptions: new Set(text.corrections) },
    ...{
      steps: [],
      needs: [],
      reads: [],
      asked: { from: 0, to: 0 },
      orders: [],
      open: [],
      left: [],
      remarks: [],
      unaimed: [],
    },
    ...{ issues: [], incidents: [], service: null, person: errandOf(text), summary: null },
    ...{ waiting: new Set(), gone: new Set(), unbound: [], dropped: [], used: new Set() },
    ...{ compared: null, condition: null, lastCondition: null, denied: false, leads: false, isGuess: false },
  };
}

/** "ben asked me to …, and tell him": whoever asked for it. */
function errandOf({ words }: Text): string | null {
  const at = words.findIndex(({ tags }) => tags.has('errand'));
  return words[at - 1]?.things.find(({ kind }) => kind === 'user')?.value ?? null;
}

export function need({ needs }: Memory, kind: Need['kind'], missing: string, more: Partial<Need> = {}): void {
  if (!needs.some((other) => other.kind === kind && other.missing === missing))
    needs.push({ kind, missing, ...more });
}

/** What "it", "both" and "them" stand for from now on; nothing new leaves what it was. */
export function pointTo(
  memory: Memory,
  issues: readonly DraftValue[],
  incidents: readonly DraftValue[],
): void {
  if (issues.length > 0) memory.issues = issues;
  if (incidents.length > 0) memory.incidents = incidents;
}

/** "… unless more than 2 are breached", "if checkout was deployed, post the deploys": what was looked up already, said shorter. */
export const sameReads = ({ reads }: Memory, { tool, slots }: Frame): DraftStep[] =>
  reads.filter(
    ({ tool: known, args }) =>
      known === tool &&
      [...slots].every(([arg, [one, ...more]]) => more.length === 0 && args.get(arg) === one),
  );
