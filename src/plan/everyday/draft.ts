import type { RefuseReason } from '../../core/answer.ts';
import type { ArgValue } from '../../core/plan.ts';

export type Operator = '>' | '>=' | '<' | '<=' | '==' | '!=';

/** A part of a value: the result of a step, words of the request, or a word of the vocabulary. */
export type Part =
  | { readonly step: number }
  | { readonly said: string | number; readonly from: number; readonly to: number; readonly held?: ArgValue }
  | { readonly literal: string };

export interface Compare {
  readonly op: Operator;
  readonly right: Part;
  /** Steps whose results are added up. */
  readonly left: readonly number[];
}

export interface When {
  readonly any: boolean;
  readonly parts: readonly Compare[];
}

export interface DraftStep {
  readonly tool: string;
  /** `null` for a value missing from the request. */
  readonly args: ReadonlyMap<string, readonly Part[] | null>;
  readonly when: When | null;
  readonly after: readonly number[];
}

/** A step whose words are no longer in the request, with its values as they were said. */
export function literal(step: DraftStep): DraftStep {
  const args = [...step.args].map(([name, parts]): [string, readonly Part[] | null] => [
    name,
    parts?.map((part) => ('said' in part ? { literal: String(part.said) } : part)) ?? null,
  ]);
  return { ...step, args: new Map(args) };
}

/** The content of a request before it is a plan: values point into the request, steps count from 0. */
export type Draft =
  | {
      readonly kind: 'plan';
      readonly steps: readonly DraftStep[];
      readonly watch: ReadonlyMap<string, string> | null;
    }
  | { readonly kind: 'clarify'; readonly slot: string }
  | { readonly kind: 'refuse'; readonly reason: RefuseReason }
  | { readonly kind: 'none' };

export const opposites: Readonly<Record<Operator, Operator>> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '==': '!=',
  '!=': '==',
};
const isZero = (right: Part): boolean =>
  'literal' in right ? right.literal === '0' : 'said' in right && right.said === 0;

/** The condition that holds exactly when this one does not. A count cannot be negative: the opposite of "any" is `== 0`. */
export function opposite({ any, parts }: When): When {
  const turned = ({ op, right }: Compare): Operator =>
    isZero(right) && op === '>' ? '==' : isZero(right) && op === '==' ? '>' : opposites[op];
  return { any: !any, parts: parts.map((part) => ({ ...part, op: turned(part) })) };
}

/** One thing missing from a plan. */
export interface Lack {
  readonly slot: string;
  /** Id of the step, and its argument. */
  readonly id: string;
  readonly arg: string;
  /** A name unknown in the workspace. */
  readonly said?: string;
  /** The only names that fit, where not every one does. */
  readonly among?: readonly string[];
}
