import { z } from 'zod';

/** How often a watch checks: every so many minutes, or on a cron schedule in a time zone. */
export const cadenceSchema = z.union([
  z.strictObject({ minutes: z.int().min(1).max(44_640) }),
  z.strictObject({
    cron: z
      .string()
      .regex(/^\S+(?: \S+){4}$/, 'must have five fields')
      .max(100),
    timezone: z.string().regex(/^[\w+/-]{1,60}$/, 'must be a time zone such as Europe/Berlin'),
  }),
]);
export type Cadence = z.infer<typeof cadenceSchema>;

/** How much worse a value must get before it is reported again. */
export const worseSchema = z.strictObject({
  by: z.number().positive().max(1_000_000_000),
  unit: z.enum(['number', 'percent']),
});
export type Worse = z.infer<typeof worseSchema>;

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/;

/** A plan's schedule for repeated checks. */
export const watchSchema = z.strictObject({
  every: cadenceSchema,
  /** ISO 8601 UTC to the minute. Absent: the workspace's default. */
  until: z
    .string()
    .refine((iso) => moment.test(iso) && momentText(new Date(iso)) === iso, 'must be like 2026-11-27T17:00Z')
    .optional(),
  worse: worseSchema.optional(),
});
export type WatchTimes = z.infer<typeof watchSchema>;

/** The form plans use: `2026-11-27T17:00Z`. */
export function momentText(at: Date): string {
  return Number.isNaN(at.getTime()) ? '' : `${at.toISOString().slice(0, 16)}Z`;
}

const units = [
  ['d', 'day', 1_440],
  ['h', 'hour', 60],
  ['m', 'minute', 1],
] as const;

/** `10m`, `2h`, `1d`. */
export function minutesText(minutes: number): string {
  const [short, , size] = units.find(([, , one]) => minutes % one === 0) ?? units[2];
  return `${minutes / size}${short}`;
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** "every 10 minutes", "every day at 09:00 (Europe/Berlin)". */
export function cadenceWords(every: Cadence): string {
  if ('minutes' in every) {
    const [, word, size] = units.find(([, , one]) => every.minutes % one === 0) ?? units[2];
    const count = every.minutes / size;
    return count === 1 ? `every ${word}` : `every ${count} ${word}s`;
  }
  const { cron, timezone } = every;
  const often = intervalWords(every);
  if (often !== null) return often;
  const [, past] = /^(\d{1,2}) \* \* \* \*$/.exec(cron) ?? [];
  if (past !== undefined) return `every hour at :${past.padStart(2, '0')}`;
  const daily = /^(\d{1,2}) (\d{1,2}(?:,\d{1,2})*) \* \* (\*|1-5|[0-6](?:,[0-6])*)$/.exec(cron);
  if (daily === null) return `by the cron line ${cron} (${timezone})`;
  const [, minute = '', hour = '', week = ''] = daily;
  const on = week === '*' ? 'day' : daysWords(week);
  const clock = hour.split(',').map((one) => `${one.padStart(2, '0')}:${minute.padStart(2, '0')}`);
  return `every ${on} at ${list(clock)} (${timezone})`;
}

/** "every 10 minutes", "every 10 minutes from 09:00 to 17:00 on weekdays (UTC)". */
function intervalWords({ cron, timezone }: Extract<Cadence, { cron: string }>): string | null {
  const line =
    /^(?:\*(?:\/([1-9]\d?))?|0) (?:\*|(\d{1,2})-(\d{1,2}))(?:\/(\d{1,2}))? \* \* (\*|[0-6](?:[,-][0-6])*)$/.exec(
      cron,
    );
  if (line === null) return null;
  const [, minutes, from, to, hours, week = '*'] = line;
  if ((hours === undefined) === cron.startsWith('0')) return null;
  // A step that does not divide the hour restarts every hour.
  const step = Number(minutes ?? hours ?? 1);
  if ((hours === undefined ? 60 : 24) % step !== 0) return null;
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  const within = from === undefined ? '' : ` from ${clock(Number(from))} to ${clock(Number(to) + 1)}`;
  const on = week === '*' ? '' : ` on ${daysWords(week)}s`;
  const zone = within + on === '' ? '' : ` (${timezone})`;
  return `${cadenceWords({ minutes: hours === undefined ? step : step * 60 })}${within}${on}${zone}`;
}

const daysWords = (week: string): string =>
  week === '1-5' ? 'weekday' : week === '0,6' ? 'weekend' : list(week.split(',').map(dayName));

function dayName(number: string): string {
  return days[Number(number)] ?? number;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** "10", "20 %". */
export function worseWords({ by, unit }: Worse): string {
  return unit === 'percent' ? `${by} %` : String(by);
}
