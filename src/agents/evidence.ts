import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Agent, AgentError, agentRequester, forbiddenIn, readsWait } from '../core/agent.ts';
import { digestOf } from '../core/canonical.ts';
import { effectOf } from '../core/code-step.ts';
import { type JsonObject, jsonOf } from '../core/json.ts';
import { takeEvidence } from '../store/agents.ts';
import type { AgentContext } from './context.ts';
import { givenPlan, readPlan } from './given-plan.ts';
import { tellFlood } from './propose.ts';

export const evidenceArgs = z.strictObject({
  plan: givenPlan.describe('a plan that only reads, in plan notation or as steps in JSON'),
});

/** Characters of all results together. */
const maxResults = 100_000;

/** Runs a plan that only reads, where the operator lets the agent have what it finds. */
export async function evidence(
  agent: Agent,
  args: z.infer<typeof evidenceArgs>,
  context: AgentContext,
): Promise<JsonObject> {
  const { catalogue, policy, db, teamId, now } = context;
  const given = readPlan(args, context);
  const forbidden = given && forbiddenIn(agent, given);
  if (forbidden !== null) throw forbidden;
  const write = given?.steps.find(({ tool }) => effectOf(tool, catalogue.manifests) !== 'read');
  if (write !== undefined)
    throw new AgentError('not_a_read', `${write.tool} writes. Use propose: a person decides about it.`);
  if (readsWait(given ?? { steps: [] }, agent, { policy, manifests: catalogue.manifests }))
    throw new AgentError(
      'reads_need_approval',
      'Your reads need an approval. Use propose, and people will see the result.',
    );
  // The data may go where its channel may have it.
  const channel = agent.channels[0]?.id ?? '';
  const { plan, findings } = context.review(given ?? { goal: '', summary: '', steps: [] }, channel);
  if (plan === null)
    throw new AgentError(findings[0]?.rule ?? 'bad_plan', findings.map(({ message }) => message).join(' '));
  const { name, owner, reads, caps } = agent;
  const about = {
    teamId,
    id: randomUUID().slice(0, 13),
    goal: plan.goal,
    via: 'agent',
    requester: agentRequester(name),
  } as const;
  const request = {
    ...{ ...about, channel, threadTs: null, quoted: null, createdAt: now() },
    agent: { name, owner, reads, why: '', evidence: [] },
  };
  if (!(await takeEvidence(db, { request, caps, digest: digestOf(jsonOf(plan)) }))) {
    await tellFlood(agent, context);
    throw new AgentError(
      'over_hourly_cap',
      `You have used your ${caps.perHour} proposals and evidence of this hour.`,
    );
  }
  const { results } = await context.read({ requestId: request.id, requester: request.requester, plan });
  const found = results.map(({ stepId, tool, status, result, reason }) =>
    jsonOf({ step: stepId, tool, status, result: result ?? null, reason: reason?.message ?? null }),
  );
  if (JSON.stringify(found).length > maxResults)
    throw new AgentError(
      'too_large',
      'The results are too large. Ask for less: a shorter time, fewer fields, a count.',
    );
  return { at: now().toISOString(), results: found };
}
