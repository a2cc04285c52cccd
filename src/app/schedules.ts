import { buildPolicy } from '../config/build.ts';
import type { Env } from '../config/env.ts';
import type { Complaint, Path } from '../config/problem.ts';
import type { OperatorConfig, ScheduleConfig } from '../config/schema.ts';
import { findingLine } from '../core/finding.ts';
import { own } from '../core/own.ts';
import type { Planner } from '../core/planning.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { readSubcommand } from '../request/subcommand.ts';
import { reviewDraft } from '../review/review.ts';
import { installedCatalogue } from './installed.ts';
import { offlinePlanner } from './offline.ts';
import { composedPlanner } from './planner.ts';
import { goalOf } from './watch-rows.ts';

/** Schedules that come to no plan without a model. */
export async function doubtsAbout(
  { path, config }: { readonly path: Path; readonly config: OperatorConfig },
  { env, playbooks }: { readonly env: Env; readonly playbooks: readonly Playbook[] },
): Promise<Complaint[]> {
  const { planner: offline, examples } = offlinePlanner(playbooks);
  const budget = { spentToday: () => Promise.resolve(0) };
  const planner = composedPlanner(env, offline, examples, budget, { tell: () => undefined });
  const doubts = await Promise.all(config.schedules.map((each) => doubtIn(each, config, env, planner)));
  return doubts.flatMap((message, index) => {
    const field = config.schedules[index]?.goal === undefined ? 'playbook' : 'goal';
    return message === null ? [] : [{ path: [...path, 'schedules', index, field], message }];
  });
}

/** Why a schedule comes to no plan, in words; null where it does. */
async function doubtIn(
  schedule: ScheduleConfig,
  config: OperatorConfig,
  env: Env,
  planner: Planner,
): Promise<string | null> {
  const goal = goalOf(schedule);
  if (readSubcommand(goal)?.kind === 'handover') return null;
  const [catalogue, policy] = [installedCatalogue(env, config), buildPolicy(config)];
  const nothingYet = { quoted: null, answers: [], change: null, replan: null };
  const { answer } = await planner.plan({ goal, catalogue, policy, ...nothingYet, now: new Date() });
  if (answer.kind === 'refuse') return `cannot be planned: ${answer.explanation}`;
  if (answer.kind === 'clarify') return `cannot be planned as it stands. It would ask: ${answer.question}`;
  const home = own(config.channels, schedule.channel)?.id ?? null;
  const [first] = reviewDraft(answer.plan, { catalogue, policy, home }).findings;
  return first === undefined ? null : `cannot be planned: ${findingLine(first)}`;
}
