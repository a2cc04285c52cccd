import type { Catalogue } from '../core/catalogue.ts';
import { effectOf, manifestOf } from '../core/code-step.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan, Step } from '../core/plan.ts';
import { certainReply, type Planner, type ReviewDraft } from '../core/planning.ts';
import { planTitle } from '../core/title.ts';
import { nameIndex, withNames } from './everyday/names.ts';
import { type Slot, slotsOf } from './everyday/slots.ts';
import { type Token, tokenize } from './everyday/tokens.ts';

/** Words around a name that ask the same again. */
const around = /^(?:and|also|what|how|about|for|in|of|on|the|same|then|now|please|[,.?!])$/u;

const kinds = ['severity', 'service', 'project', 'user'] as const;

/** Asks the same again about another thing: "and in PAY?" below an answer. Anything else goes to `next`. */
export function sameFirst(next: Planner, review: ReviewDraft): Planner {
  return {
    plan(input) {
      const { change, catalogue } = input;
      const draft = change && sameFor(change.plan, change.words, catalogue);
      const plan = draft && review(draft, input).plan;
      if (plan === null) return next.plan(input);
      return Promise.resolve(certainReply({ kind: 'plan', plan }, 'offline'));
    },
  };
}

/** A plan that only reads, with other names; null unless the words are names that stand for one value each. */
function sameFor(plan: Plan, words: string, catalogue: Catalogue): Plan | null {
  const { manifests } = catalogue;
  if (!plan.steps.every(({ tool }) => effectOf(tool, manifests) === 'read')) return null;
  const tokens = withNames(words, tokenize(words), nameIndex(catalogue));
  const named = tokens.filter(({ low }) => !around.test(low));
  let steps: readonly Step[] = plan.steps;
  const changed = new Set<string>();
  for (const token of named) {
    const slots = kinds.filter(
      (slot) => valueFor(token, slot, catalogue) !== undefined && valuesOf(steps, slot, catalogue).size > 0,
    );
    const isClear = slots.every((slot) => !changed.has(slot) && valuesOf(steps, slot, catalogue).size === 1);
    if (slots.length === 0 || !isClear) return null;
    for (const slot of slots) {
      changed.add(slot);
      const value = valueFor(token, slot, catalogue) ?? '';
      steps = steps.map((step) => withValue(step, slot, value, catalogue));
    }
  }
  if (changed.size === 0) return null;
  // A guess for the first question may not hold for this one, and neither do the causes of another service.
  const { situation: _other, ...rest } = plan;
  return { ...rest, summary: planTitle(steps, manifests), steps: [...steps], inputs: [], assumptions: [] };
}

/** A service also stands for its project, and a project for its service. */
function valueFor(token: Token, slot: Slot, { services, projects }: Catalogue): string | undefined {
  const { names, values } = token;
  if (slot === 'severity') return values.priority;
  if (slot === 'service') return names.service ?? projects.find(({ key }) => key === names.project)?.service;
  if (slot === 'project')
    return names.project ?? services.find(({ name }) => name === names.service)?.project;
  return slot === 'user' ? names.user : undefined;
}

const argsOf = (step: Step, slot: Slot, { manifests }: Catalogue): string[] => {
  const slots = slotsOf(manifestOf(step, manifests) as Manifest);
  return Object.keys(step.args).filter((arg) => slots.get(arg) === slot);
};

const valuesOf = (steps: readonly Step[], slot: Slot, catalogue: Catalogue): Set<unknown> =>
  new Set(steps.flatMap((step) => argsOf(step, slot, catalogue).map((arg) => step.args[arg])));

const withValue = (step: Step, slot: Slot, value: string, catalogue: Catalogue): Step => ({
  ...step,
  args: { ...step.args, ...Object.fromEntries(argsOf(step, slot, catalogue).map((arg) => [arg, value])) },
});
