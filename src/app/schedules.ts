import { buildPolicy } from '../config/build-catalogue.ts';
import type { Complaint, Path } from '../config/complaint.ts';
import type { Env } from '../config/env.ts';
import type { OperatorConfig, ScheduleConfig } from '../config/schema.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { findingLine } from '../core/finding.ts';
import { own } from '../core/own-property.ts';
import type { Planner } from '../core/planning.ts';
import type { Policy } from '../core/policy.ts';
import { calledIn } from '../plan/playbooks/by-name.ts';
import type { Playbook } from '../plan/playbooks/playbook.ts';
import { readSubcommand } from '../request/subcommand.ts';
import { reviewDraft } from '../review/review.ts';
import { installedCatalogue } from './installed-tools.ts';
import { composedPlanner, offlinePlanner } from './planner.ts';
import { goalOf } from './watch-rows.ts';

interface Served {
  readonly path: Path;
  readonly config: OperatorConfig;
}

interface Planning {
  readonly planner: Planner;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
}

/** Why a schedule leads to no plan, in words; null if it does. */
type Doubt = (schedule: ScheduleConfig) => Promise<string | null>;

/** Schedules that lead to no plan, given all playbooks: reported at the start. */
export function doubtsAbout({ path, config }: Served, planning: Planning): Promise<Complaint[]> {
  return doubtsIn({ path, config }, (schedule) => doubtIn(schedule, config, planning));
}

/** Like `doubtsAbout`, without the database, which has the playbooks people saved. */
export function doubtsWithoutSaved(
  { path, config }: Served,
  { env, playbooks }: { readonly env: Env; readonly playbooks: readonly Playbook[] },
): Promise<Complaint[]> {
  const planners = offlinePlanner(playbooks);
  const budget = { spentToday: () => Promise.resolve(0) };
  const planner = composedPlanner(env, planners, budget, { tell: () => undefined });
  const planning = { planner, catalogue: installedCatalogue(env, config), policy: buildPolicy(config) };
  return doubtsIn({ path, config }, async (schedule) => {
    const doubt = await doubtIn(schedule, config, planning);
    const name = calledIn(goalOf(schedule));
    if (doubt === null || name === null || playbooks.some((one) => one.name === name)) return doubt;
    return `comes to a plan only if somebody has saved “${name}”: no playbook of this installation is called so`;
  });
}

async function doubtsIn({ path, config: { schedules } }: Served, doubt: Doubt): Promise<Complaint[]> {
  const doubts = await Promise.all(schedules.map(doubt));
  return doubts.flatMap((message, index) => {
    const field = schedules[index]?.goal === undefined ? 'playbook' : 'goal';
    return message === null ? [] : [{ path: [...path, 'schedules', index, field], message }];
  });
}

async function doubtIn(
  schedule: ScheduleConfig,
  config: OperatorConfig,
  { planner, catalogue, policy }: Planning,
): Promise<string | null> {
  const goal = goalOf(schedule);
  if (readSubcommand(goal)?.kind === 'handover') return null;
  const nothingYet = { quoted: null, answers: [], change: null, replan: null };
  const { answer } = await planner.plan({ goal, catalogue, policy, ...nothingYet, now: new Date() });
  if (answer.kind === 'refuse') return `cannot be planned: ${answer.explanation}`;
  if (answer.kind === 'clarify') return `cannot be planned as it stands. It would ask: ${answer.question}`;
  const home = own(config.channels, schedule.channel)?.id ?? null;
  const [first] = reviewDraft(answer.plan, { catalogue, policy, home }).findings;
  return first === undefined ? null : `cannot be planned: ${findingLine(first)}`;
}
