import { z } from 'zod';
import { type Agent, type AgentDesk, type AgentSkill, mayName } from '../core/agent.ts';
import { type JsonObject, jsonOf } from '../core/json.ts';
import { answerArgs, answerer } from './answer.ts';
import type { AgentContext } from './context.ts';
import { evidence, evidenceArgs } from './evidence.ts';
import { optimise, optimiseArgs } from './optimise.ts';
import { paceOf } from './pace.ts';
import { pagesOf } from './pages.ts';
import { proposeArgs, proposer, type Worker } from './propose.ts';
import { plans, proof, statusOf } from './status.ts';
import { tasksOf } from './tasks.ts';

const ofPlan = z.strictObject({ id: z.string().max(100).describe('the id that propose returned') });
const nothing = z.strictObject({});

/** All that an agent may do. There is no way from here to a decision, to a card that waits, or to a cap. */
export function deskFor(agent: Agent, context: AgentContext, worker: Worker): AgentDesk {
  const pace = paceOf(agent, context);
  const skill = <A extends z.ZodObject>(
    of: Pick<AgentSkill, 'name' | 'about' | 'isReadOnly'> & { readonly args: A },
    run: (args: z.infer<A>) => Promise<JsonObject>,
  ): AgentSkill => ({
    ...of,
    run: (args) => pace.call(() => run(of.args.parse(args))),
  });
  const read = { isReadOnly: true } as const;
  const skills = [
    skill(
      { name: 'propose', about: aboutPropose, args: proposeArgs, isReadOnly: false },
      proposer(agent, context, worker),
    ),
    skill(
      { name: 'answer', about: aboutAnswer, args: answerArgs, isReadOnly: false },
      answerer(agent, context, worker),
    ),
    skill({ ...read, name: 'optimize_plan', about: aboutOptimise, args: optimiseArgs }, (args) =>
      optimise(agent, args, context),
    ),
    skill({ ...read, name: 'status', about: 'The state of one of your proposals.', args: ofPlan }, (args) =>
      statusOf(agent, args, context),
    ),
    skill({ ...read, name: 'proof', about: aboutProof, args: ofPlan }, (args) => proof(agent, args, context)),
    skill({ ...read, name: 'plans', about: 'Your latest proposals, newest first.', args: nothing }, () =>
      plans(agent, context),
    ),
    skill({ ...read, name: 'playbooks', about: aboutPlaybooks, args: nothing }, async () => ({
      playbooks: (await context.playbooks())
        .filter(({ tools }) => tools.every((tool) => mayName(agent, tool)))
        .map(({ name, summary, inputs }) => ({ name, summary, inputs: jsonOf(inputs) })),
    })),
    skill({ ...read, name: 'evidence', about: aboutEvidence, args: evidenceArgs }, (args) =>
      evidence(agent, args, context),
    ),
  ];
  return { agent: agent.name, skills, pages: pagesOf(agent, context), tasks: tasksOf(agent, context, pace) };
}

const aboutPropose =
  'Proposes a plan: people see it as a card in Slack and approve or reject it; nothing that writes runs before. Returns its id and state. In the state asking, its message is a question: use answer. A problem comes back as code and message; then propose again with a new key.';
const aboutAnswer = 'Answers the question about one of your proposals, as long as its state is asking.';
const aboutOptimise =
  'The same plan with equal reads shared, in the order in which its steps can run, with groups that run at once and an estimate. It runs nothing and proposes nothing.';
const aboutProof = 'What the signed audit log says about one of your proposals: who decided what and when.';
const aboutPlaybooks = 'Vetted plans. To propose one, give as goal: run <name> <input>=<value> …';
const aboutEvidence =
  'Runs a plan that only reads and returns what it found, where the operator allows that. Otherwise use propose.';
