import { z } from 'zod';
import { cadenceSchema, worseSchema } from '../core/cadence.ts';
import type { RowReader } from '../core/damaged-row.ts';
import { jsonOf } from '../core/json.ts';
import { planSchema } from '../core/plan.ts';
import type { Watch } from '../core/watch.ts';
import type { Db, WatchRow } from './tables.ts';
import { get, type Named, type NewWatch } from './watches.ts';

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

/** Null when it is unknown or has ended. */
export async function activeWatch(db: Db, named: Named): Promise<Watch | null> {
  const row = await get(db, named);
  return row === null || row.endedAt !== null ? null : watchOf(row);
}

/** Reads watches in lists. */
export const watchReader: RowReader<WatchRow, Watch> = { kind: 'watch', idOf: ({ id }) => id, read: watchOf };

export function rowOf(
  teamId: string,
  watch: Watch,
  more: Pick<NewWatch, 'entry' | 'threadTs' | 'createdAt'>,
): NewWatch {
  const { id, owner, goal, planner, until, channel, nextAt } = watch;
  const plan = watch.plan === null ? null : jsonOf(watch.plan);
  const json = { plan, every: jsonOf(watch.every), worse: jsonOf(watch.worse), alarm: jsonOf(watch.alarm) };
  return { teamId, id, owner, goal, planner, until, channel, nextAt, ...json, ...more };
}
