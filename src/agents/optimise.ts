import { z } from 'zod';
import { type Agent, AgentError, forbiddenIn } from '../core/agent.ts';
import { graphOf, waves } from '../core/graph.ts';
import { type JsonObject, jsonOf } from '../core/json.ts';
import { planTitle } from '../core/title.ts';
import { printBody } from '../notation/print.ts';
import { history } from '../store/steps.ts';
import type { AgentContext } from './context.ts';
import { givenPlan, readPlan } from './given-plan.ts';

export const optimiseArgs = z.strictObject({
  plan: givenPlan.describe('a plan in plan notation, or as steps in JSON'),
});

/** Reviews an agent's plan as a proposal is reviewed; what comes out can be proposed. Nothing is stored or run. */
export async function optimise(
  agent: Agent,
  args: z.infer<typeof optimiseArgs>,
  context: AgentContext,
): Promise<JsonObject> {
  const { db, teamId, catalogue } = context;
  const { manifests } = catalogue;
  const given = readPlan(args, context);
  const forbidden = given && forbiddenIn(agent, given);
  if (given === null || forbidden !== null) throw forbidden ?? new AgentError('empty', 'Give a plan.');
  const { plan, findings } = context.review(given, agent.channels[0]?.id ?? '');
  if (plan === null)
    throw new AgentError(findings[0]?.rule ?? 'bad_plan', findings.map(({ message }) => message).join(' '));
  const { steps, success } = plan;
  const times = await history(db, teamId, [...new Set(steps.map(({ tool }) => tool))]);
  const { p50Ms, p95Ms } = context.estimate(plan, times);
  const kept = new Set(steps.map(({ id }) => id));
  return {
    notation: printBody({ ...plan, summary: planTitle(steps, manifests) }, manifests),
    plan: jsonOf({ steps: steps.map(({ why: _computed, ...step }) => step), success }),
    shared: given.steps.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
    groups: waves(graphOf(steps)).waves,
    estimate: { p50_ms: p50Ms, p95_ms: p95Ms },
  };
}
