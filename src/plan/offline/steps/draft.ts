import type { Manifest } from '../../../core/manifest.ts';
import type { ArgValue, Step } from '../../../core/plan.ts';
import { isRef, splitRef } from '../../../core/refs.ts';

export type Operator = '>' | '>=' | '<' | '<=' | '==' | '!=';

/** What minutes are counted of: since it was made, since it was last changed, until its limit. */
export type Lasting = 'age' | 'idle' | 'left';

/** A step while the plan is put together. */
export interface DraftStep {
  tool: Manifest;
  readonly args: Map<string, DraftValue>;
  /** Clause of the request that asks for it, in its own words. */
  readonly why: string;
  when: Condition | null;
  readonly after: Set<DraftStep>;
  /** Asked for without a verb: "P1s in OPS". */
  readonly isVerbless: boolean;
  /** How many there are is asked for, and not what they are. */
  readonly counts?: boolean;
  /** What it was in the plan that is changed. */
  readonly from?: Step;
}

export interface FieldOf {
  readonly step: DraftStep;
  readonly field: string;
}
/** A literal, a result, or a text made of words and results. */
export type DraftValue = string | number | boolean | FieldOf | readonly (string | FieldOf)[];

/** A comparison of what steps give. Several on the left are added up. */
export interface Compare {
  readonly left: readonly FieldOf[];
  readonly op: Operator;
  readonly right: number | string | boolean | FieldOf;
}

export interface Condition {
  readonly any: boolean;
  readonly parts: readonly Compare[];
  /** As the plan that is changed writes it; without parts where it is no list of comparisons. */
  readonly cel?: string;
}

export const isRead = ({ tool }: Pick<DraftStep, 'tool'>): boolean => tool.effect === 'read';
export const isWrite = ({ tool }: Pick<DraftStep, 'tool'>): boolean => tool.effect === 'write';

const isSameField = (a: FieldOf | undefined, b: FieldOf | undefined): boolean =>
  a?.step === b?.step && a?.field === b?.field;

/** Whether two values of an argument are one; results by their step and field. */
export const sameValue = (a: DraftValue | undefined, b: DraftValue): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((part, at) => sameValue(part, b[at]))
    : a === b || (isField(a) && isField(b) && isSameField(a, b));

export const isField = (value: unknown): value is FieldOf =>
  typeof value === 'object' && value !== null && 'step' in value;

export const opposite: Record<Operator, Operator> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '==': '!=',
  '!=': '==',
};

/** What holds exactly when a condition does not. Nothing is below none: "not more than 0" is none at all. */
export function opposed({ any, parts }: Condition): Condition {
  const ofNone: Partial<Record<Operator, Operator>> = { '>': '==', '==': '>' };
  const turned = ({ op, right }: Compare): Operator => (right === 0 && ofNone[op]) || opposite[op];
  return { any: !any, parts: parts.map((part) => ({ ...part, op: turned(part) })) };
}

/** Both have to hold, or any of them. Null where that cannot be said as one list of comparisons. */
export function both(a: Condition, b: Condition, any: boolean): Condition | null {
  const isMixed = [a, b].some(
    ({ any: own, parts }) => parts.length === 0 || (own !== any && parts.length > 1),
  );
  return isMixed ? null : { any, parts: [...a.parts, ...b.parts] };
}

/** Whether two conditions compare in the same way; which steps they look at does not matter. */
export function sameCondition(a: Condition | null, b: Condition | null): boolean {
  const facts = (one: Condition | null): unknown => one?.parts.map(({ op, right }) => [op, right]);
  return a !== null && JSON.stringify(facts(a)) === JSON.stringify(facts(b));
}

/** More than 10 and fewer than 5, done and not done: nothing is both. */
export function contradicts({ any, parts }: Condition): boolean {
  const least = ({ op, right }: Compare): number => Number(right) + (op === '>' ? 1 : 0);
  const excludes = (one: Compare, other: Compare): boolean =>
    isSameField(one.left[0], other.left[0]) &&
    ((one.right === other.right && other.op === opposite[one.op]) ||
      (one.op.startsWith('>') && /^<|^==/u.test(other.op) && least(one) > Number(other.right)));
  return !any && parts.some((one) => parts.some((other) => excludes(one, other)));
}

/** "over 10", then "over 5": a lower bound of the same number. */
export function isNextStep({ parts: [one, ...more] }: Condition, before: Condition | null): boolean {
  const [last, ...others] = before?.parts ?? [];
  if (!one || !last || more.length + others.length > 0 || !isSameField(one.left[0], last.left[0]))
    return false;
  return one.op.startsWith('>') && last.op.startsWith('>') && Number(one.right) < Number(last.right);
}

/** One comparison for each look-up; null where one of them has nothing that could be compared. */
export function each(
  steps: readonly DraftStep[],
  any: boolean,
  part: (step: DraftStep) => Compare | null,
): Condition | null {
  const parts = steps.flatMap((step) => part(step) ?? []);
  return parts.length === 0 || parts.length < steps.length ? null : { any, parts };
}

/** A comparison of what a manifest says that its tool is compared by; null where that is nothing. */
export function compare(
  step: DraftStep,
  by: 'number' | 'any' | Lasting | 'state' | 'priority' | 'assigned' | 'done',
  op: Operator,
  right: Compare['right'],
): Compare | null {
  const field = step.tool.asked?.compares?.[by];
  return field === undefined ? null : { left: [{ step, field }], op, right };
}

/** The same comparisons with another operator. */
export const withOp = (condition: Condition, op: Operator): Condition => ({
  ...condition,
  parts: condition.parts.map((part) => ({ ...part, op })),
});

/** What a condition looks at. */
export const fieldsOf = (when: Condition | null): FieldOf[] =>
  when?.parts.flatMap(({ left, right }) => [...left, ...(isField(right) ? [right] : [])]) ?? [];

/** Steps that a step takes its facts from; a condition that is no list of comparisons may look at all that it needs. */
export const sourcesOf = ({ args, when, after }: DraftStep): DraftStep[] => [
  ...[...[...args.values()].flat().filter(isField), ...fieldsOf(when)].map(({ step }) => step),
  ...(when?.parts.length === 0 ? after : []),
];

/** Steps by the ids that a plan gives them. */
export type Ids = ReadonlyMap<DraftStep, string>;

export const refOf = ({ step, field }: FieldOf, ids: Ids): string => `${ids.get(step)}.${field}`;

/** A condition as CEL. */
export function celOf({ any, parts, cel }: Condition, ids: Ids): string {
  if (cel !== undefined) return cel;
  const one = (value: Compare['right']): string =>
    isField(value) ? refOf(value, ids) : JSON.stringify(value);
  return parts
    .map(({ left, op, right }) => `${left.map(one).join(' + ')} ${op} ${one(right)}`)
    .join(any ? ' || ' : ' && ');
}

/** A value as plans store it. */
export function argOf(value: DraftValue, ids: Ids): ArgValue {
  if (isField(value)) return { ref: refOf(value, ids) };
  return typeof value !== 'object'
    ? value
    : value.map((part) => (isField(part) ? { ref: refOf(part, ids) } : part));
}

/** Steps by the ids that a plan gave them. */
export type ById = ReadonlyMap<string, DraftStep>;

const comparison =
  /^([a-z]\w*(?:\.\w+)+(?:\s*\+\s*[a-z]\w*(?:\.\w+)+)*)\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?|"[^"]*"|true|false|[a-z]\w*(?:\.\w+)+)$/u;

function fieldAt(ref: string, steps: ById): FieldOf | null {
  const { step: id, path } = splitRef(ref.trim());
  const step = steps.get(id);
  return step ? { step, field: path.join('.') } : null;
}

function compareIn(said: string, steps: ById): Compare | null {
  const [, sum = '', op, value = ''] = comparison.exec(said.trim()) ?? [];
  const left = sum.split('+').flatMap((ref) => fieldAt(ref, steps) ?? []);
  if (op === undefined || left.length === 0) return null;
  const right = fieldAt(value, steps) ?? (JSON.parse(value) as string | number | boolean);
  return { left, op: op as Operator, right };
}

/** A condition as a list of comparisons; one that is none stays as it was written, without parts. */
export function conditionIn(cel: string, steps: ById): Condition {
  const any = cel.includes('||');
  const parts = cel.split(any ? '||' : '&&').map((said) => compareIn(said, steps));
  const known = parts.filter((part) => part !== null);
  return { any, parts: known.length === parts.length ? known : [], cel };
}

export function draftValue(value: ArgValue, steps: ById): DraftValue {
  if (isRef(value)) return fieldAt(value.ref, steps) ?? '';
  return Array.isArray(value) ? value.map((part) => draftValue(part, steps) as string | FieldOf) : value;
}
