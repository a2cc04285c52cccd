import type { PlannerAnswer } from '../../src/core/answer.ts';
import { dependenciesOf } from '../../src/core/graph.ts';
import type { ArgValue, Plan, Step } from '../../src/core/plan.ts';
import { isRef, refsIn, splitRef } from '../../src/core/refs.ts';
import type { AnswerClass, CaseCondition, CaseStep } from './cases.ts';
import { conditionFrom, opposite } from './conditions.ts';

/** A planner's answer in the vocabulary of evaluation cases. */
export interface Prediction {
  readonly id: string;
  /** `none`: there was no answer. */
  readonly class: AnswerClass | 'none';
  readonly steps: readonly CaseStep[];
  /** The review would reject this plan, or the watch looks at other times than the case says. */
  readonly isRejected?: true;
  /** For a question: the plan behind each button; without steps if there is none. */
  readonly offers?: readonly (readonly CaseStep[])[];
}

type CaseValue = CaseStep['args'][string];

/** Words of the goal in a text otherwise made of results: the part that a person dictated. */
function saidByPerson(value: readonly (string | { ref: string })[], goal: string): string | null {
  const said = value
    .filter((part) => typeof part === 'string')
    .filter((part) => !part.endsWith(': '))
    .map((part) => part.replace(/\s*\($/, '').trim())
    .filter((part) => part.length > 2 && goal.toLowerCase().includes(part.toLowerCase()));
  return said.length > 0 ? said.join(' ') : null;
}

/** `{ ref: "count.total" }` becomes `$s1`; a text made of results becomes a list of them. */
function caseValue(value: ArgValue, ids: ReadonlyMap<string, string>, goal: string): CaseValue {
  const dollar = (ref: string): string => `$${ids.get(splitRef(ref).step) ?? splitRef(ref).step}`;
  if (isRef(value)) return dollar(value.ref);
  if (!Array.isArray(value)) return value;
  const refs = [...new Set(refsIn(value).map(dollar))];
  const said = saidByPerson(value, goal);
  if (said !== null) return [said, ...refs].join(' ');
  if (refs.length === 0) return value.filter((part) => typeof part === 'string').join('');
  return refs.length === 1 ? (refs[0] ?? '') : refs;
}

/** In cases a day is represented by its start, and hours by their start and end. */
function sinceAndUntil(during: string): CaseStep['args'] {
  const [, since, until] = /^(\d\d:\d\d) to (\d\d:\d\d)$/.exec(during) ?? [];
  return since && until ? { since, until } : { since: during };
}

function caseArgs(step: Step, ids: ReadonlyMap<string, string>, goal: string): CaseStep['args'] {
  const args: CaseStep['args'] = {};
  for (const [name, value] of Object.entries(step.args)) {
    const mapped = caseValue(value, ids, goal);
    const number = name === 'incident' && typeof mapped === 'string' && /^\d{1,15}$/.test(mapped);
    if (name === 'during') Object.assign(args, sinceAndUntil(String(mapped)));
    else args[name] = number ? Number(mapped) : mapped;
  }
  return withoutLevel(args);
}

/** Logs of level error are logs about errors. */
function withoutLevel(args: CaseStep['args']): CaseStep['args'] {
  const { level, ...others } = args;
  return level === undefined || 'about' in args ? args : { ...others, about: `${level}s` };
}

/** Anything the vocabulary cannot express is kept as it is, so that no conditional step looks unconditional. */
function caseCondition(cel: string, ids: ReadonlyMap<string, string>, goal: string): CaseCondition {
  return conditionFrom(cel, ids, goal) ?? { left: cel, op: 'is', right: true };
}

function caseStep(step: Step, ids: ReadonlyMap<string, string>, plan: Plan): CaseStep {
  const needs = dependenciesOf(step).map((id) => ids.get(id) ?? id);
  return {
    id: ids.get(step.id) ?? step.id,
    tool: step.tool,
    args: caseArgs(step, ids, plan.goal),
    needs,
    ...(step.when === undefined ? {} : { when: caseCondition(step.when, ids, plan.goal) }),
  };
}

function caseSteps(plan: Plan): CaseStep[] {
  const ids = new Map(plan.steps.map((step, index) => [step.id, `s${index + 1}`]));
  const steps = plan.steps.map((step) => caseStep(step, ids, plan));
  return plan.watch === undefined ? steps : [...steps, ...plan.success.map((calm) => tells(calm, ids, plan))];
}

/** A watch without a write tells its owner when what it expects no longer holds. */
function tells(calm: string, ids: ReadonlyMap<string, string>, { goal, steps }: Plan): CaseStep {
  const when = opposite(caseCondition(calm, ids, goal));
  const needs = steps.filter(({ id }) => calm.includes(`${id}.`)).map(({ id }) => ids.get(id) ?? id);
  return { id: 'tell', tool: 'tell', args: {}, needs, when };
}

/** An answer as a prediction. Steps are numbered `s1`, `s2` … in plan order. */
export function predictionOf(id: string, answer: PlannerAnswer): Prediction {
  if (answer.kind === 'plan') return { id, class: 'plan', steps: caseSteps(answer.plan) };
  if (answer.kind === 'refuse') return { id, class: 'refuse', steps: [] };
  const plans = answer.options.map((option) => answer.offers?.find((offer) => offer.option === option)?.plan);
  const offers = plans.map((plan) => (plan ? caseSteps(plan) : []));
  return { id, class: 'clarify', steps: [], ...(plans.some(Boolean) ? { offers } : {}) };
}
