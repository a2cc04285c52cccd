import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, type AgentTask, type AgentTasks, agentRequester } from '../core/agent.ts';
import { proposalsOf } from '../store/agents.ts';
import * as runs from '../store/runs.ts';
import type { RequestRow } from '../store/tables.ts';
import type { AgentContext } from './context.ts';
import type { Pace } from './pace.ts';
import { own, statusOf } from './status.ts';

/** Milliseconds between checks of a followed proposal, the number of checks at that pace, and the later pause: people take longer. */
const lookMs = 1_000;
const soonLooks = 60;
const laterMs = 3_000;

/** States that a proposal leaves without its agent. */
const underWay = ['planning', 'waiting', 'approved', 'running'];

/** An agent's proposals as tasks. They are rows of Postgres and nothing else: any process answers, after a restart too. */
export function tasksOf(agent: Agent, context: AgentContext, pace: Pace): AgentTasks {
  const { db, teamId } = context;
  const requester = agentRequester(agent.name);
  const taskOf = async (request: RequestRow): Promise<AgentTask> => {
    const { id, goal, question, agentGroup } = request;
    const status = await statusOf(agent, { id }, context);
    const answers = context.conversation
      .read(question)
      .answers.map(({ question: asked, answer }) => ({ question: asked, answer }));
    return { id, group: agentGroup ?? id, goal, answers, status: await settled(request, status, context) };
  };
  return {
    get: (id) => pace.call(async () => taskOf(await own(agent, id, context))),
    list: (of) =>
      pace.call(async () => {
        const { rows, total } = await proposalsOf(db, { teamId, requester, ...of, limit: of.limit + 1 });
        const tasks = await Promise.all(rows.slice(0, of.limit).map(taskOf));
        return { tasks, total, next: rows.length > of.limit ? (tasks.at(-1)?.id ?? null) : null };
      }),
    async *follow(id, isHeard) {
      const leave = await pace.enter();
      try {
        let before = '';
        for (let looks = 0; isHeard(); looks += 1) {
          const task = await taskOf(await own(agent, id, context));
          const now = JSON.stringify(task.status);
          if (now !== before) yield task;
          before = now;
          if (!underWay.includes(String(task.status.state))) return;
          await sleep(looks < soonLooks ? lookMs : laterMs, undefined, { ref: false });
        }
      } finally {
        leave();
      }
    },
  };
}

/** After a run that did not succeed people may be shown another plan; the task has ended all the same. */
async function settled(
  { id }: RequestRow,
  status: AgentTask['status'],
  { db, teamId }: AgentContext,
): Promise<AgentTask['status']> {
  const all = await runs.listOf(db, teamId, id);
  const ended = all.find(({ mode, outcome }) => mode === 'run' && outcome !== null);
  if (ended === undefined || ended.outcome === null || ended.outcome === status.state) return status;
  return { ...status, state: ended.outcome, next: status.state ?? null };
}
