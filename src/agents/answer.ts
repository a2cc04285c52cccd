import { z } from 'zod';
import { type Agent, AgentError, agentRequester, forbiddenIn } from '../core/agent.ts';
import { type JsonObject, jsonOf } from '../core/json.ts';
import { planLimits } from '../core/plan.ts';
import { takeAnswer } from '../store/agents.ts';
import type { AgentContext, AgentEvent } from './context.ts';
import { readPlan } from './given-plan.ts';
import { proposeArgs, visible, type Worker, workedOn } from './propose.ts';
import { own, statusOf } from './status.ts';

export const answerArgs = z.strictObject({
  id: z.string().max(100).describe('the id that propose returned'),
  key: proposeArgs.shape.key.describe('your own id of this answer: the same key is the same answer'),
  answer: visible(planLimits.text).describe('the answer to the question in its message'),
});

/** A planner's questions to an agent about one goal; after that it knows too little. */
const maxAnswers = 5;

/** Takes an agent's answer to the question about one of its proposals, and goes on with that. */
export function answerer(
  agent: Agent,
  context: AgentContext,
  worker: Worker,
): (args: z.infer<typeof answerArgs>) => Promise<JsonObject> {
  const { db, teamId, conversation, now } = context;
  const by = agentRequester(agent.name);
  const isKnown = async (id: string, key: string): Promise<boolean> => {
    const { question } = await own(agent, id, context);
    return conversation.read(question).answers.some((one) => one.key === key);
  };
  return async ({ id, key: given, answer }) => {
    const key = `${by}:${id}:${given}`;
    const request = await own(agent, id, context);
    const { answers, open } = conversation.read(request.question);
    if (answers.some((one) => one.key === key)) return statusOf(agent, { id }, context);
    if (answer === '') throw new AgentError('empty', 'Give an answer in words.');
    if (open !== null && answers.length >= maxAnswers) {
      const message = `You have answered ${maxAnswers} times. Propose again, with a goal that says it all.`;
      throw new AgentError('too_many_answers', message);
    }
    // A planner takes notation as it is, in an answer too.
    const plan = readPlan({ goal: answer }, context);
    const forbidden = plan && forbiddenIn(agent, plan, request.agent?.tools);
    if (forbidden !== null) throw forbidden;
    const at = now();
    const question = conversation.answer(request.question, { answer, by, at: at.toISOString(), key });
    const event: AgentEvent = { type: 'agent', key, agent: agent.name, request: id, plan: null };
    const entry = { teamId, key, event: jsonOf(event), executor: worker.executor, at };
    if (question !== null && (await takeAnswer(db, { request, question, entry })))
      await workedOn(event, worker);
    else if (!(await isKnown(id, key))) {
      const message = 'Nothing is asked about that proposal. Its status says where it stands.';
      throw new AgentError('no_question', message);
    }
    return statusOf(agent, { id }, context);
  };
}
