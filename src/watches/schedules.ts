import type { Worse } from '../core/cadence.ts';
import { digestOf } from '../core/canonical.ts';
import type { Catalogue } from '../core/catalogue.ts';
import { type Finding, findingLine } from '../core/finding.ts';
import { type Json, jsonOf } from '../core/json.ts';
import { own } from '../core/own-property.ts';
import type { Plan, PlanDraft } from '../core/plan.ts';
import type { Planner } from '../core/planning.ts';
import type { Policy } from '../core/policy.ts';
import { scheduleName, type Watch } from '../core/watch.ts';
import { readSubcommand, type Subcommand } from '../request/subcommand.ts';
import { syncFile } from '../store/file-watches.ts';
import type { TeamDb } from '../store/tables.ts';
import { rowOf } from '../store/watch-rows.ts';
import type { NewWatch } from '../store/watches.ts';
import { quiet } from './alarm.ts';
import { firstTick } from './next-tick.ts';

/** A schedule of the operator's file. */
export interface Schedule {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly goal?: string | undefined;
  readonly playbook?: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
  /** Name of a channel. */
  readonly channel: string;
  readonly worse_by?: Worse | undefined;
}

interface Schedules {
  readonly schedules: readonly Schedule[];
  readonly channels: Readonly<Record<string, { readonly id: string }>>;
}

/** The request of a schedule, as if a person had typed it after `/plan`. */
function goalOf({ goal, playbook, inputs }: Schedule): string {
  if (goal !== undefined) return goal;
  const given = Object.entries(inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return ['run', playbook, ...given].join(' ');
}

/** The bot's own word that a schedule has for its goal, such as a report; null for a plan. */
export function commandOf({ owner, goal }: Pick<Watch, 'owner' | 'goal'>): Subcommand | null {
  return scheduleName(owner) === null ? null : readSubcommand(goal);
}

/**
 * Synchronises the watches with the schedules of the operator's file. `standsOn` covers everything other than the entry
 * that their plans are made from: when it changes, the goal is planned again.
 */
export function syncSchedules(
  { db, teamId }: TeamDb,
  file: Schedules & { readonly watches: { readonly worse_by: Worse } },
  standsOn: string,
  now: Date,
): Promise<void> {
  const entries = file.schedules.map((schedule): NewWatch => {
    const { name, cron, timezone, channel, worse_by: worse = file.watches.worse_by } = schedule;
    const every = { cron: cron.trim().replaceAll(/\s+/g, ' '), timezone };
    const watch: Watch = {
      ...{ id: name, owner: `schedule:${name}`, goal: goalOf(schedule), plan: null, planner: 'offline' },
      ...{ every, until: null, worse, channel: own(file.channels, channel)?.id ?? '' },
      ...{ nextAt: firstTick(every, now), endedAt: null, lookedAt: null, lookKey: null, askedKey: null },
      ...{ found: null, alarm: quiet, problem: null },
    };
    const sources: Json[] = [jsonOf(schedule), watch.channel, jsonOf(worse), standsOn];
    return rowOf(teamId, watch, { entry: digestOf(sources), threadTs: null, createdAt: now });
  });
  return syncFile(db, teamId, entries, now);
}

/** How a schedule is planned and reviewed. */
export interface SchedulePlanning {
  readonly planner: Planner;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  review(
    draft: Plan | PlanDraft,
    about: { readonly catalogue: Catalogue; readonly policy: Policy; readonly home: string | null },
  ): { readonly findings: readonly Finding[] };
  /** A playbook that people may have saved, if the goal runs one; the database, which has those, is not open. */
  savedPlaybook?(goal: string): string | null;
}

/** A schedule that leads to no plan, with the reason. */
export interface Doubt {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Schedules that lead to no plan: reported at the start. `path`: the workspace's place in the file. */
export async function doubtsAbout(
  { schedules, channels }: Schedules,
  path: readonly PropertyKey[],
  planning: SchedulePlanning,
): Promise<Doubt[]> {
  const doubts = await Promise.all(schedules.map((schedule) => doubtAbout(schedule, channels, planning)));
  return doubts.flatMap((message, index) => {
    const field = schedules[index]?.goal === undefined ? 'playbook' : 'goal';
    return message === null ? [] : [{ path: [...path, 'schedules', index, field], message }];
  });
}

async function doubtAbout(
  schedule: Schedule,
  channels: Schedules['channels'],
  planning: SchedulePlanning,
): Promise<string | null> {
  const goal = goalOf(schedule);
  const problem = await problemWith(goal, own(channels, schedule.channel)?.id ?? null, planning);
  const name = problem === null ? null : (planning.savedPlaybook?.(goal) ?? null);
  return name === null
    ? problem
    : `comes to a plan only if somebody has saved “${name}”: no playbook of this installation is called so`;
}

async function problemWith(
  goal: string,
  home: string | null,
  { planner, catalogue, policy, review }: SchedulePlanning,
): Promise<string | null> {
  if (['handover', 'report'].includes(readSubcommand(goal)?.kind ?? '')) return null;
  const nothingYet = { quoted: null, answers: [], change: null, replan: null };
  const { answer } = await planner.plan({ goal, catalogue, policy, ...nothingYet, now: new Date() });
  if (answer.kind === 'refuse') return `cannot be planned: ${answer.explanation}`;
  if (answer.kind === 'clarify') return `cannot be planned as it stands. It would ask: ${answer.question}`;
  const [first] = review(answer.plan, { catalogue, policy, home }).findings;
  return first === undefined ? null : `cannot be planned: ${findingLine(first)}`;
}
