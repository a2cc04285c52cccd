import { badRequest } from '../errors.ts';

const units: Readonly<Record<string, number>> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000 };
type Span = 'Day' | 'Week' | 'Month' | 'Year';

/** A moment from a JQL literal such as `-2d`, `4w 2d` or `2026-03-01 09:00` (UTC), as epoch milliseconds. */
export function dateLiteral(text: string, field: string, now: Date): number {
  const relative = period(text);
  if (relative !== undefined) return now.getTime() + relative;
  const parts = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2}))?$/.exec(text.trim());
  if (parts === null) throw invalidDate(text, field);
  const [year, month, day, hour, minute] = parts.slice(1).map((part) => Number(part ?? 0));
  const moment = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute);
  const back = new Date(moment);
  if (back.getUTCMonth() + 1 !== month || back.getUTCDate() !== day) throw invalidDate(text, field);
  return moment;
}

/** The value of a date function, or undefined for an unknown name. Days and weeks are in UTC. */
export function dateFunction(name: string, args: readonly string[], now: Date): number | undefined {
  if (name.toLowerCase() === 'now') return now.getTime();
  const edge = /^(start|end)of(day|week|month|year)$/i.exec(name);
  if (edge?.[1] === undefined || edge[2] === undefined) return undefined;
  const span = (edge[2].charAt(0).toUpperCase() + edge[2].slice(1).toLowerCase()) as Span;
  const { whole, extra } = shift(args[0], span, name);
  const start = startOf(span, now, whole);
  return (edge[1].toLowerCase() === 'start' ? start : startOf(span, now, whole + 1) - 1) + extra;
}

/** `startOfDay(-1)` counts in the function's own unit; `startOfDay("-1h")` in the unit given. */
function shift(argument: string | undefined, span: Span, name: string): { whole: number; extra: number } {
  if (argument === undefined) return { whole: 0, extra: 0 };
  if (/^[+-]?\d+$/.test(argument)) return { whole: Number(argument), extra: 0 };
  const months = /^([+-]?\d+)M$/.exec(argument);
  if (months !== null && span === 'Month') return { whole: Number(months[1]), extra: 0 };
  const extra = period(argument);
  if (extra === undefined) {
    throw badRequest(
      `Duration for function '${name}' should have the format (+/-)n(yMwdhm), e.g -1M for 1 month earlier.`,
    );
  }
  return { whole: 0, extra };
}

function period(text: string): number | undefined {
  const sign = text.trim().startsWith('-') ? -1 : 1;
  const parts = text.trim().replace(/^[+-]/, '').split(/\s+/);
  let total = 0;
  for (const part of parts) {
    const match = /^(\d+)([wdhm])$/.exec(part);
    const unit = match?.[2] === undefined ? undefined : units[match[2]];
    if (match === null || unit === undefined) return undefined;
    total += Number(match[1]) * unit;
  }
  return sign * total;
}

function startOf(span: Span, now: Date, offset: number): number {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  switch (span) {
    case 'Day':
      return Date.UTC(year, month, day + offset);
    case 'Week':
      return Date.UTC(year, month, day - now.getUTCDay() + 7 * offset);
    case 'Month':
      return Date.UTC(year, month + offset);
    case 'Year':
      return Date.UTC(year + offset, 0);
  }
}

function invalidDate(text: string, field: string): Error {
  return badRequest(
    `Date value '${text}' for field '${field}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', ` +
      "'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.",
  );
}
