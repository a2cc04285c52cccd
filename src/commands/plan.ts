import { parseArgs } from 'node:util';
import { loadPlaybooks } from '../app/installed.ts';
import { composedPlanner, offlinePlanner } from '../app/planner.ts';
import { readModelEnv } from '../config/env.ts';
import type { PlannerAnswer } from '../core/answer.ts';
import { findingLine } from '../core/finding.ts';
import type { Manifest } from '../core/manifest.ts';
import { print } from '../notation/print.ts';
import { reviewDraft } from '../review/review.ts';
import { type Command, UsageError } from './command.ts';
import { offlineWorld } from './offline-world.ts';

/** `plan --json "<goal>"`: a planner's answer, with the review's findings. Nothing is stored or run. */
export const plan: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const goal = positionals.join(' ').trim();
  if (goal === '') throw new UsageError();
  const { catalogue, policy, config } = offlineWorld(context);
  const playbooks = loadPlaybooks(config);
  const planners = offlinePlanner(playbooks);
  const budget = { spentToday: () => Promise.resolve(0) };
  const tell = ({ message }: { message: string }) => context.error(`the model gave no plan: ${message}`);
  const planner = composedPlanner(readModelEnv(context.variables), planners, budget, { tell });
  const input = {
    goal,
    quoted: null,
    catalogue,
    policy,
    answers: [],
    change: null,
    replan: null,
    now: new Date(),
  };
  const reply = await planner.plan(input);
  const findings =
    reply.answer.kind === 'plan' ? reviewDraft(reply.answer.plan, { catalogue, policy }).findings : [];
  if (values.json) context.out(JSON.stringify({ ...reply, findings }, null, 2));
  else
    for (const line of [summary(reply.answer, catalogue.manifests), ...findings.map(findingLine)])
      context.out(line);
  return findings.length > 0 ? 1 : 0;
};

function summary(answer: PlannerAnswer, manifests: ReadonlyMap<string, Manifest>): string {
  if (answer.kind === 'clarify')
    return [`question: ${answer.question}`, ...answer.options.map((option) => `- ${option}`)].join('\n');
  if (answer.kind === 'refuse') return `refused (${answer.reason}): ${answer.explanation}`;
  return [answer.plan.summary, '', print(answer.plan, manifests)].join('\n');
}
