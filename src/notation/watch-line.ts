import { cadenceSchema, minutesText, momentText, type WatchTimes, watchSchema } from '../core/cadence.ts';
import { type Cursor, type Line, take } from './cursor.ts';
import { inCode, type Problems } from './problems.ts';

/** `watch: every 10m until 2026-11-27T17:00Z worse by 20%`, `watch: at "0 9 * * 1-5" Europe/Berlin`. */
export function watchText({ every, until, worse }: WatchTimes): string {
  const often =
    'minutes' in every ? `every ${minutesText(every.minutes)}` : `at "${every.cron}" ${every.timezone}`;
  const end = until === undefined ? '' : ` until ${until}`;
  const step = worse === undefined ? '' : ` worse by ${worse.by}${worse.unit === 'percent' ? '%' : ''}`;
  return `${often}${end}${step}`;
}

const sizes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };
const form = 'every 10m until 2026-11-27 worse by 20%, or at "0 9 * * 1-5" Europe/Berlin';

/** The rest of a `watch:` line; null when it cannot be read, and `problems` then says why. */
export function readWatch({ text, at }: Line, problems: Problems): WatchTimes | null {
  const cursor: Cursor = { text, at: 0 };
  const read = watchSchema.safeParse(takeWatch(cursor));
  take(cursor, /\s*/y);
  if (read.success && cursor.at === text.length) return read.data;
  const rest = text.slice(cursor.at).trim() || text;
  problems.add('syntax', { text: rest, at: at + text.indexOf(rest) }, `${inCode('watch:')} reads ${form}.`);
  return null;
}

function takeWatch(cursor: Cursor): unknown {
  const every = takeCadence(cursor);
  if (every === null) return null;
  const until = take(
    cursor,
    /\s+until\s+(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z)?(?!\S)/iy,
  );
  const worse = take(cursor, /\s+worse\s+by\s+(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(%?)(?!\S)/iy);
  const [, day, clock = '23:59'] = until ?? [];
  const unit = worse?.[2] === '%' ? 'percent' : 'number';
  return {
    every,
    ...(day === undefined ? {} : { until: momentText(new Date(`${day}T${clock}Z`)) }),
    ...(worse === null ? {} : { worse: { by: Number(worse[1]), unit } }),
  };
}

function takeCadence(cursor: Cursor): unknown {
  const minutes = take(cursor, /every\s+(\d{1,6})\s*([mhd])(?:in(?:ute)?s?|ours?|ays?)?(?!\S)/iy);
  if (minutes !== null)
    return { minutes: Number(minutes[1]) * (sizes[minutes[2]?.toLowerCase() ?? ''] ?? 0) };
  const cron = take(cursor, /at\s+["“]([^"“”]*)["”](?:\s+(?!until\b|worse\b)(\S+))?(?!\S)/iy);
  if (cron === null) return null;
  const given = { cron: (cron[1] ?? '').trim().replaceAll(/\s+/g, ' '), timezone: cron[2] ?? 'UTC' };
  return cadenceSchema.safeParse(given).data ?? null;
}
