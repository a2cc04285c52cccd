import type { Frame } from '../frames/frame.ts';
import type { Test } from '../frames/test.ts';
import type { Thing } from '../words/thing.ts';

interface Common {
  /** Connectors and conditions in front: "and", "then", "if", "unless" … */
  readonly lead: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
}

/** One reading of the words between two boundaries, before it is known where they stand. */
export type Draft = {
  readonly score: number;
  /** Tokens that mean something and that the clause does not explain. */
  readonly left: readonly number[];
} & (
  | { readonly kind: 'order'; readonly frame: Frame }
  | { readonly kind: 'read'; readonly frame: Frame }
  | {
      readonly kind: 'condition';
      readonly subject: Frame | null;
      readonly tests: readonly Test[];
      readonly any: boolean;
      /** In a change: only the number or limit is said; what it looks at, as the look-ups of the plan hear it. */
      readonly bare?: Thing | null;
      readonly frames?: readonly Frame[];
    }
  /** In a change: values that are put in or taken out of the steps of the plan, steps that go, orders without condition. */
  | {
      readonly kind: 'edit';
      readonly drops: boolean;
      readonly frames: readonly Frame[];
      readonly span: readonly number[];
    }
  /** Only points to what came before: "if so", "otherwise". */
  | { readonly kind: 'mark' }
  /** "list those": what was looked up, as a list. */
  | { readonly kind: 'listing' }
  | {
      readonly kind: 'forbid';
      readonly tools: readonly string[];
      readonly frame: Frame | null;
      readonly things: readonly Thing[];
    }
  /** Orders and asks nothing; `things` of one that says how they are, before anything is asked for. */
  | {
      readonly kind: 'remark';
      readonly words: string;
      readonly things: readonly Thing[];
      /** A sentence of its own that asks for nothing. */
      readonly isStated: boolean;
      /** Says something that may be passed on; otherwise it may be an order that nobody understands. */
      readonly isSaid: boolean;
      /** Somebody else wants or says it. */
      readonly isReported: boolean;
    }
  /** Names what the orders behind it are about, and may say why. */
  | { readonly kind: 'topic'; readonly things: readonly Thing[]; readonly words: string }
  | { readonly kind: 'empty' }
);

export type Clause = Common & Draft;

/** Each clause has to earn its place: a request is not cut into more orders than it has. */
export const clauseCost = 1;

export const has = ({ lead }: Pick<Clause, 'lead'>, ...words: readonly string[]): boolean =>
  words.some((word) => lead.has(word));

export type Of<Kind extends Clause['kind']> = Extract<Clause, { kind: Kind }>;

/** A clause with those around it. */
export interface Spot<Kind extends Clause['kind'] = Clause['kind']> {
  readonly clause: Of<Kind>;
  readonly before: Clause | undefined;
  readonly next: Clause | undefined;
  readonly isNew: boolean;
}
