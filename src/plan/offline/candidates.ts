import { cut, oneLine } from '../../core/inert.ts';
import type { Manifest } from '../../core/manifest.ts';
import { type Plan, planLimits, planSchema, type Step } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { vocabularyOf } from '../../core/words.ts';
import { type Composed, compose } from './compose.ts';
import { argOf, celOf, type DraftStep, type Ids, opposed, sourcesOf } from './draft.ts';
import { madeText, toldWith } from './facts.ts';
import type { Given } from './memory.ts';
import { readingsOf } from './search.ts';
import { argsThatTake } from './takes.ts';
import type { Text } from './text.ts';

/** Reads first, each step behind those it takes facts from, with their ids. */
function ordered(steps: readonly DraftStep[]): Ids {
  const ids = new Map<DraftStep, string>();
  const seen = new Set<DraftStep>();
  const taken = new Map<string, number>();
  const visit = (step: DraftStep): void => {
    if (seen.has(step)) return;
    seen.add(step);
    for (const source of [...sourcesOf(step), ...step.after]) visit(source);
    const base = step.tool.name.replace(/^.*\./u, '');
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    ids.set(step, count === 1 ? base : `${base}_${count}`);
  };
  for (const step of steps) if (step.tool.effect === 'read') visit(step);
  for (const step of steps) visit(step);
  return ids;
}

function stepOf(draft: DraftStep, ids: Ids): Step {
  const { tool, why, when, args, after } = draft;
  return {
    ...{ id: ids.get(draft) ?? '', tool: tool.name, why: cut(oneLine(why), 300) },
    args: Object.fromEntries([...args].map(([name, value]) => [name, argOf(value, ids)])),
    needs: [...new Set([...sourcesOf(draft), ...after].map((step) => ids.get(step) ?? ''))],
    ...{ onError: 'stop', onSkip: 'skip' },
    ...(when === null ? {} : { when: celOf(when, ids) }),
  };
}

const named = /^(?:project|priority|service|channel|user|key|incident|status|severity)$/u;
const spelled = new Set(['priority', 'severity', 'status']);

function inputsOf(steps: readonly Step[], goal: string): Plan['inputs'] {
  const seen = new Map<string, Plan['inputs'][number]>();
  for (const [name, value] of steps.flatMap(({ args }) => Object.entries(args))) {
    if (typeof value !== 'string' || value.length > 80 || !named.test(name)) continue;
    const isSaid = goal.toLowerCase().includes(value.replace(/^[#@]/u, '').toLowerCase());
    const source = isSaid || spelled.has(name) ? 'text' : 'default';
    seen.set(`${name} ${value}`, { name, value, source });
  }
  return [...seen.values()].slice(0, 20);
}

/** The steps of a composed request, reads first. */
function stepsOf({ wordless }: Composed, ids: Ids, manifests: ReadonlyMap<string, Manifest>): Step[] {
  const bare = [...ids.keys()].map((draft) => stepOf(draft, ids));
  const words = vocabularyOf(bare, manifests);
  return [...ids.keys()].map((draft, index) => {
    const step = bare[index] as Step;
    const [arg = wordless.get(draft)] = argsThatTake(draft.tool, 'message', 'results');
    const said = arg === undefined ? undefined : step.args[arg];
    if (arg === undefined || (said === undefined && !wordless.has(draft))) return step;
    const isUnsaid = wordless.has(draft) || said === undefined;
    const told = isUnsaid ? madeText(step, words) : toldWith(said, words);
    return { ...step, args: { ...step.args, [arg]: told } };
  });
}

/** Steps as a plan with its title. */
function planOf(text: Text, steps: readonly Step[], { assumptions, alarm }: Composed, ids: Ids): Plan {
  const { goal, lexicon } = text;
  const summary = planTitle(steps, lexicon.tools) || cut(oneLine(goal), planLimits.summary);
  return planSchema.parse({
    goal: cut(goal, planLimits.goal),
    summary: cut(summary, planLimits.summary),
    inputs: inputsOf(steps, goal),
    assumptions: assumptions.slice(0, 10).map((one) => cut(one, 300)),
    steps,
    success: alarm === null ? [] : [celOf(opposed(alarm), ids)],
  });
}

/** One plan that a request may mean. */
export interface Candidate {
  readonly composed: Composed;
  /** Put into words only when it is looked at. */
  readonly plan: Plan;
  /** Every word is carried by a step or carries nothing, and nothing has to be asked. */
  readonly whole: boolean;
}

/** What steps were asked for with, for a request that goes on with it. */
export const saidFor = (steps: readonly Step[]): string =>
  [...new Set(steps.map(({ why }) => why))].join(' and ');

/** The plans that a request may mean, the likeliest first. */
export function candidatesFor(text: Text, given: Given): Candidate[] {
  const composed = readingsOf(text)
    .map((reading) => compose(text, given, reading))
    .filter(({ steps }) => steps.length > 0)
    .sort((a, b) => b.score - a.score);
  const seen = new Map<string, Candidate>();
  for (const one of composed) {
    const ids = ordered(one.steps);
    const steps = stepsOf(one, ids, text.lexicon.tools);
    const key = JSON.stringify(steps.map(({ tool, args, when }) => [tool, args, when]));
    const whole = one.left.length === 0 && one.needs.length === 0 && !one.loose && !one.isGuess;
    let plan: Plan | null = null;
    if (!seen.has(key))
      seen.set(key, {
        ...{ composed: one, whole },
        get plan() {
          plan ??= planOf(text, steps, one, ids);
          return plan;
        },
      });
  }
  return [...seen.values()];
}
