import { z } from 'zod';
import { AgentError } from '../core/agent.ts';
import { visibleText } from '../core/clean-text.ts';
import { codeTool } from '../core/code.ts';
import { sentenceOf } from '../core/condition.ts';
import { type Plan, planLimits, planSchema, stepSchema } from '../core/plan.ts';
import { vocabularyOf } from '../core/step-words.ts';
import { suggest } from '../core/suggest.ts';
import { planTitle } from '../core/title.ts';
import { defaultWhy } from '../notation/defaults.ts';
import { looksLikeNotation } from '../notation/looks.ts';
import { parse } from '../notation/parse.ts';
import { goalOf, printBody } from '../notation/print.ts';
import { problemLine } from '../notation/problems.ts';
import type { AgentContext } from './context.ts';

/** A plan without words: title and reasons of steps are computed, and an agent's own reasons have their place. */
const jsonPlan = z.strictObject({
  steps: z
    .array(stepSchema.omit({ why: true }))
    .min(1)
    .max(planLimits.steps),
  success: planSchema.shape.success,
});
export const givenPlan = z.union([z.string().max(planLimits.bytes), jsonPlan]);
type GivenPlan = z.infer<typeof givenPlan>;

/** The plan that an agent gives, in notation or as JSON; null for a goal in words. Throws an AgentError. */
export function readPlan(
  { goal = '', plan }: { readonly goal?: string | undefined; readonly plan?: GivenPlan | undefined },
  { catalogue }: Pick<AgentContext, 'catalogue'>,
): Plan | null {
  const given = plan ?? (looksLikeNotation(goal, catalogue) ? goal : null);
  if (given === null) return null;
  const read =
    typeof given === 'string' ? fromNotation(visibleText(given), catalogue) : fromJson(given, catalogue);
  if (read.steps.some((step) => step.code !== undefined)) {
    const message =
      'Code of an agent does not run here. Propose a plan without it, or a playbook that has it.';
    throw new AgentError('code_not_allowed', message);
  }
  const criteria = [...read.success, ...read.steps.flatMap(({ success = [] }) => success)];
  if (criteria.some((criterion) => sentenceOf(criterion) !== null)) throw ownWords('criterion in words');
  const { manifests } = catalogue;
  const body = { ...read, summary: planTitle(read.steps, manifests) };
  return {
    ...body,
    goal: (plan === undefined ? '' : goal) || goalOf(printBody(body, manifests)),
  };
}

type Bare = Omit<Plan, 'goal' | 'summary'>;
type Tools = AgentContext['catalogue'];

function fromNotation(text: string, { manifests }: Tools): Bare {
  const { plan, problems } = parse(text, manifests);
  if (plan === null) {
    const said = problems.slice(0, 6).map((problem) => problemLine(problem, text));
    throw new AgentError(problems[0]?.code ?? 'bad_plan', said.join(' '));
  }
  const words = vocabularyOf(plan.steps, manifests);
  const isPlain = plan.steps.every((step) => step.why === defaultWhy(step, words));
  const others = plan.assumptions.length + plan.inputs.length;
  if (isPlain && others === 0 && plan.omitted === undefined && plan.situation === undefined) return plan;
  throw ownWords('why, assuming, omitted, input or cause');
}

function ownWords(what: string): AgentError {
  const message = `A plan of an agent has no ${what} of its own. Put your reasons into the argument why.`;
  return new AgentError('own_words', message);
}

function fromJson({ steps, success }: z.infer<typeof jsonPlan>, { manifests }: Tools): Bare {
  const tool = steps.find((step) => step.tool !== codeTool && !manifests.has(step.tool))?.tool;
  if (tool !== undefined) {
    const meant = suggest(tool, [...manifests.keys()]);
    const advice =
      meant === null ? 'The resource countersign://catalogue lists them.' : `Did you mean ${meant}?`;
    throw new AgentError('unknown_tool', `There is no tool ${tool}. ${advice}`);
  }
  const unsaid = steps.map((step) => ({ ...step, why: '' }));
  const words = vocabularyOf(unsaid, manifests);
  return {
    ...{ inputs: [], assumptions: [], success },
    steps: unsaid.map((step) => ({ ...step, why: defaultWhy(step, words) })),
  };
}
