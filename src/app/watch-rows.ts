import { z } from 'zod';
import type { OperatorConfig, ScheduleConfig } from '../config/schema.ts';
import { cadenceSchema, worseSchema } from '../core/cadence.ts';
import { digestOf } from '../core/canonical.ts';
import type { RowReader } from '../core/damaged-row.ts';
import { jsonOf } from '../core/json.ts';
import { own } from '../core/own-property.ts';
import { planSchema } from '../core/plan.ts';
import type { Watch, WatchLimits } from '../core/watch.ts';
import { quiet } from '../core/watch-state.ts';
import type { WatchRow } from '../store/tables.ts';
import type { NewWatch } from '../store/watches.ts';
import { firstTick } from '../watches/next-tick.ts';

/** Converts watches between their rows and the stages' types. */

const alarmSchema = z.object({
  on: z.object({ since: z.string(), said: z.number().nullable() }).nullable(),
  failures: z.int(),
});
const plannerSchema = z.enum(['offline', 'model', 'playbook', 'person']);

export function watchOf(row: WatchRow): Watch {
  return {
    ...row,
    plan: row.plan === null ? null : planSchema.parse(row.plan),
    planner: plannerSchema.parse(row.planner),
    every: cadenceSchema.parse(row.every),
    worse: worseSchema.parse(row.worse),
    alarm: alarmSchema.parse(row.alarm),
  };
}

/** Reads watches in lists. */
export const watchReader: RowReader<WatchRow, Watch> = { kind: 'watch', idOf: ({ id }) => id, read: watchOf };

export function newRow(
  teamId: string,
  watch: Watch,
  more: Pick<NewWatch, 'entry' | 'threadTs' | 'createdAt'>,
): NewWatch {
  const { id, owner, goal, planner, until, channel, nextAt } = watch;
  const plan = watch.plan === null ? null : jsonOf(watch.plan);
  const json = { plan, every: jsonOf(watch.every), worse: jsonOf(watch.worse), alarm: jsonOf(watch.alarm) };
  return { teamId, id, owner, goal, planner, until, channel, nextAt, ...json, ...more };
}

export function limitsOf({ watches }: Pick<OperatorConfig, 'watches'>): WatchLimits {
  const { per_person: perPerson, in_all: inAll, min_minutes: minutes, days, max_days: maxDays } = watches;
  return { perPerson, inAll, minutes, days, maxDays, worse: watches.worse_by, failures: watches.failures };
}

/** A schedule's request, as if a person had typed it after `/plan`. */
export function goalOf(schedule: ScheduleConfig): string {
  if (schedule.goal !== undefined) return schedule.goal;
  const inputs = Object.entries(schedule.inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return ['run', schedule.playbook, ...inputs].join(' ');
}

/**
 * The schedules of the operator's file as watches. `standsOn` covers everything other than the entry that their plans
 * are made from: when it changes, the goal is planned again.
 */
export function fileWatches(
  { schedules, channels, watches }: Pick<OperatorConfig, 'schedules' | 'channels' | 'watches'>,
  { teamId, standsOn, now }: { teamId: string; standsOn: string; now: Date },
): NewWatch[] {
  return schedules.map((schedule) => {
    const { name, cron, timezone, channel, worse_by: worse = watches.worse_by } = schedule;
    const every = { cron: cron.trim().replaceAll(/\s+/g, ' '), timezone };
    const watch: Watch = {
      ...{ id: name, owner: `schedule:${name}`, goal: goalOf(schedule), plan: null, planner: 'offline' },
      ...{ every, until: null, worse, channel: own(channels, channel)?.id ?? '' },
      ...{ nextAt: firstTick(every, now), endedAt: null, lookedAt: null, lookKey: null, askedKey: null },
      ...{ found: null, alarm: quiet, problem: null },
    };
    const entry = digestOf([jsonOf(schedule), watch.channel, jsonOf(worse), standsOn]);
    return newRow(teamId, watch, { entry, threadTs: null, createdAt: now });
  });
}
