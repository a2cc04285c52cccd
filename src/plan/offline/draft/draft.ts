import type { Step } from '../../../core/plan.ts';

/** A field of the result of another draft step. */
export interface FromStep {
  readonly step: DraftStep;
  readonly field: string;
}

/** A few words on what a result is, said once defaults have been filled in: "open P1 tickets in OPS: ". */
export interface LabelOf {
  readonly labelOf: DraftStep;
  /** What stands before the words. */
  readonly lead: string;
}

export type DraftPart = string | FromStep | LabelOf;
export type DraftValue = string | number | FromStep | readonly DraftPart[];
export type Args = Record<string, DraftValue>;

export type Operator = '>' | '>=' | '<' | '<=' | '==' | '!=';

/** One comparison: the sum of `left` against a literal or another result, `factor` times. */
export interface Compare {
  readonly left: readonly FromStep[];
  readonly op: Operator;
  readonly right: string | number | boolean | FromStep;
  readonly factor?: number;
}

export type DraftCondition =
  | Compare
  | { readonly all: readonly DraftCondition[] }
  | { readonly any: readonly DraftCondition[] };

/** A step while the plan is being put together: it points to other steps themselves, not to their ids. */
export interface DraftStep {
  tool: string;
  args: Record<string, DraftValue>;
  needs: Set<DraftStep>;
  when: DraftCondition | null;
  /** Kept from a plan that is being changed: its id, and its condition as it was written. */
  kept?: { readonly id: string; readonly when: string | null; readonly step: Step };
  why: string;
  /** A search by words that ask neither for a number nor for a list. */
  open?: boolean;
}

export function isFromStep(value: unknown): value is FromStep {
  return typeof value === 'object' && value !== null && 'step' in value && 'field' in value;
}

export function isCompare(condition: DraftCondition): condition is Compare {
  return 'left' in condition;
}

const opposite: Record<Operator, Operator> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '==': '!=',
  '!=': '==',
};

export function negate(condition: DraftCondition): DraftCondition {
  if (isCompare(condition)) {
    // "There are any" and "there are none" are each other's opposite: counts are never below zero.
    if (condition.right === 0 && condition.op === '>') return { ...condition, op: '==' };
    if (condition.right === 0 && condition.op === '==') return { ...condition, op: '>' };
    return { ...condition, op: opposite[condition.op] };
  }
  if ('all' in condition) return { any: condition.all.map(negate) };
  return { all: condition.any.map(negate) };
}

/** The steps a condition reads. */
export function readsOf(condition: DraftCondition): DraftStep[] {
  if (!isCompare(condition)) {
    return ('all' in condition ? condition.all : condition.any).flatMap(readsOf);
  }
  const right = isFromStep(condition.right) ? [condition.right.step] : [];
  return [...condition.left.map((part) => part.step), ...right];
}

/** The steps that the arguments of a step take values from. */
export function sourcesOf(step: DraftStep): DraftStep[] {
  return Object.values(step.args).flatMap((value) => {
    if (isFromStep(value)) return [value.step];
    return Array.isArray(value) ? value.filter(isFromStep).map((part) => part.step) : [];
  });
}

/** The result field that is meant when only the step is named: in a text, and in a comparison of numbers. */
const saidFields: Readonly<Record<string, string>> = {
  'jira.count': 'total',
  'jira.search': 'lines',
  'jira.get': 'lines',
  'jira.sla': 'lines',
  'sla.threshold': 'max_open',
  'pagerduty.oncall': 'lines',
  'pagerduty.incidents': 'lines',
  'runbook.search': 'lines',
  'errors.lookup': 'meaning',
  'logs.kql': 'lines',
  'logs.spl': 'lines',
  'sql.query': 'lines',
  'llm.summarize': 'text',
  'jira.create': 'link',
  'jira.transition': 'status',
};

export function said(step: DraftStep): FromStep {
  return { step, field: saidFields[step.tool] ?? 'total' };
}

const numberFields: Readonly<Record<string, string>> = {
  'sla.threshold': 'max_open',
  'pagerduty.oncall': 'count',
};

export function numberOf(step: DraftStep): FromStep {
  return { step, field: numberFields[step.tool] ?? 'total' };
}

/** Every one of them holds; of two upper or two lower bounds of one number, the tighter is kept. */
export function allOf(conditions: readonly DraftCondition[]): DraftCondition {
  const kept = conditions.filter(
    (one, index) =>
      !conditions.some(
        (other, at) => at !== index && implies(other, one) && (at < index || !implies(one, other)),
      ),
  );
  const [first] = kept;
  return kept.length === 1 && first ? first : { all: kept };
}

/** True when `one` can only hold where `other` holds: "at most 5" and "at most 10". */
function implies(one: DraftCondition, other: DraftCondition): boolean {
  if (!isCompare(one) || !isCompare(other) || one.op !== other.op) return false;
  const [left, second] = one.left;
  const same =
    left !== undefined &&
    second === undefined &&
    other.left.length === 1 &&
    other.left[0]?.step === left.step &&
    other.left[0]?.field === left.field;
  if (!same || typeof one.right !== 'number' || typeof other.right !== 'number') return false;
  if (/^</.test(one.op)) return one.right <= other.right;
  return /^>/.test(one.op) && one.right >= other.right;
}
