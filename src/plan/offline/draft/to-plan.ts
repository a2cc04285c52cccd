import { type Plan, planSchema, type Step } from '../../../core/plan.ts';
import {
  type DraftCondition,
  type DraftStep,
  type DraftValue,
  type FromStep,
  isCompare,
  isFromStep,
  type LabelOf,
  readsOf,
  sourcesOf,
} from './draft.ts';
import { labelFor } from './labels.ts';
import { whyOf } from './plan-words.ts';

const shortNames: Readonly<Record<string, string>> = {
  'jira.count': 'count',
  'jira.search': 'tickets',
  'jira.get': 'ticket',
  'jira.sla': 'sla_state',
  'jira.comment': 'comment',
  'jira.transition': 'move',
  'jira.create': 'create',
  'sla.threshold': 'sla',
  'pagerduty.oncall': 'oncall',
  'pagerduty.incidents': 'incidents',
  'pagerduty.page': 'page',
  'pagerduty.note': 'note',
  'pagerduty.ack': 'ack',
  'pagerduty.resolve': 'resolve',
  'runbook.search': 'runbooks',
  'errors.lookup': 'error',
  'logs.kql': 'logs',
  'logs.spl': 'logs',
  'sql.query': 'rows',
  'llm.summarize': 'summary',
  'slack.post': 'post',
}; // Not `list`, `map` or `int`: CEL knows these names as types.

type Ids = ReadonlyMap<DraftStep, string>;

function idsFor(steps: readonly DraftStep[]): Ids {
  const ids = new Map<DraftStep, string>();
  const taken = new Map<string, number>();
  for (const step of steps) {
    if (step.kept) ids.set(step, step.kept.id);
  }
  const used = new Set(ids.values());
  for (const step of steps) {
    if (step.kept) continue;
    const name = shortNames[step.tool] ?? 'step';
    let number = (taken.get(name) ?? 0) + 1;
    while (used.has(number === 1 ? name : `${name}_${number}`)) number += 1;
    taken.set(name, number);
    ids.set(step, number === 1 ? name : `${name}_${number}`);
  }
  return ids;
}

function refOf(from: FromStep, ids: Ids): string {
  return `${ids.get(from.step) ?? 'missing'}.${from.field}`;
}

function operand(value: string | number | boolean | FromStep, ids: Ids): string {
  if (isFromStep(value)) return refOf(value, ids);
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}

/** A draft condition as CEL. */
export function celOf(condition: DraftCondition, ids: Ids): string {
  if (!isCompare(condition)) {
    const [word, parts] =
      'all' in condition ? (['&&', condition.all] as const) : (['||', condition.any] as const);
    return parts
      .map((part) => (isCompare(part) ? celOf(part, ids) : `(${celOf(part, ids)})`))
      .join(` ${word} `);
  }
  const left = condition.left.map((part) => refOf(part, ids)).join(' + ');
  const right = operand(condition.right, ids);
  return `${left} ${condition.op} ${condition.factor === undefined ? right : `${condition.factor} * ${right}`}`;
}

function isLabel(part: unknown): part is LabelOf {
  return typeof part === 'object' && part !== null && 'labelOf' in part;
}

/** Neighbouring literal parts as one, empty ones left out. */
function joined(parts: readonly (string | { ref: string })[]): (string | { ref: string })[] {
  const out: (string | { ref: string })[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part;
    else if (part !== '') out.push(part);
  }
  return out;
}

function argOf(value: DraftValue, ids: Ids): Step['args'][string] {
  if (isFromStep(value)) return { ref: refOf(value, ids) };
  if (!Array.isArray(value)) return value as string | number;
  const parts = joined(
    value.map((part) =>
      isFromStep(part)
        ? { ref: refOf(part, ids) }
        : isLabel(part)
          ? part.lead + labelFor(part.labelOf)
          : part,
    ),
  );
  const only = parts[0];
  return parts.length === 1 && only !== undefined ? only : parts;
}

function stepOf(step: DraftStep, ids: Ids, order: readonly DraftStep[]): Step {
  if (step.kept) return step.kept.step;
  const before = new Set([...step.needs, ...sourcesOf(step), ...(step.when ? readsOf(step.when) : [])]);
  const needs = order
    .filter((other) => before.has(other) && other !== step)
    .map((other) => ids.get(other) ?? '');
  return {
    id: ids.get(step) ?? 'step',
    tool: step.tool,
    why: whyOf(step, order),
    args: Object.fromEntries(Object.entries(step.args).map(([name, value]) => [name, argOf(value, ids)])),
    needs,
    ...(step.when ? { when: celOf(step.when, ids) } : {}),
    onError: 'stop',
    onSkip: 'skip',
  };
}

/** Reads before what needs them, otherwise in the order of the goal. */
function sorted(steps: readonly DraftStep[]): DraftStep[] {
  const done: DraftStep[] = [];
  const visit = (step: DraftStep): void => {
    if (done.includes(step)) return;
    for (const need of [...step.needs, ...sourcesOf(step), ...(step.when ? readsOf(step.when) : [])])
      visit(need);
    if (!done.includes(step)) done.push(step);
  };
  for (const step of steps) visit(step);
  return done;
}

/** The finished plan. Throws a ZodError when it breaks a bound of plans. */
export function planFrom(
  goal: string,
  steps: readonly DraftStep[],
  about: Pick<Plan, 'summary' | 'inputs' | 'assumptions'>,
): Plan {
  const order = sorted(steps);
  const ids = idsFor(order);
  return planSchema.parse({
    goal,
    ...about,
    steps: order.map((step) => stepOf(step, ids, order)),
    success: [],
  });
}
