import type { CaseCompare, CaseStep } from './cases.ts';

const done = /^(done|closed|resolved)$/i;
const minutesOf: Readonly<Record<string, number>> = { W: 10_080, D: 1_440, H: 60, M: 1 };

/** An ISO 8601 duration in minutes, so that `P1D` and `PT24H` are the same. Null for anything else. */
function minutes(text: string): number | null {
  if (!/^P(\d+W)?(\d+D)?(T(\d+H)?(\d+M)?)?$/.test(text) || text.length < 3) return null;
  return [...text.matchAll(/(\d+)([WDHM])/g)].reduce(
    (sum, [, count, unit = 'M']) => sum + Number(count) * (minutesOf[unit] ?? 0),
    0,
  );
}

/** A value normalised for comparison: no case, no `#` or `@`, one unit for durations. */
export function canonical(value: string | number | boolean): string {
  const text = String(value).replace(/\s+/g, ' ').trim();
  const duration = minutes(text);
  if (duration !== null) return `${duration} min`;
  return text.replace(/^[#@]/, '').toLowerCase();
}

/** An operator with its right-hand side; `>= 6` and `> 5` are equal, as counts are whole numbers. */
export function comparison(op: CaseCompare['op'], right: CaseCompare['right']): string {
  const state = String(right);
  if (/^open$/i.test(state) && op !== '>') return `${op === '!=' ? '==' : '!='} done`;
  if (done.test(state)) return `${op === '!=' ? '!=' : '=='} done`;
  if (op === 'is' || op === '==') return right === 0 ? '< 1' : `== ${canonical(right)}`;
  if (!Number.isInteger(right)) return `${op} ${canonical(right)}`;
  if (op === '!=' && right === 0) return '>= 1';
  if (op === '>') return `>= ${Number(right) + 1}`;
  if (op === '<=') return `< ${Number(right) + 1}`;
  return `${op} ${right}`;
}

/** Normalised arguments: defaults are left out, and synonyms become one word. */
export function plainArguments(step: CaseStep): CaseStep['args'] {
  const { status_not: statusNot, during, ...args } = step.args;
  // A day is represented by its start.
  if (during !== undefined) args.since = during;
  if (step.tool === 'pagerduty.page' && canonical(String(args.urgency)) === 'high') delete args.urgency;
  if (!/^jira\.(count|search)$/.test(step.tool)) return args;
  if (done.test(String(statusNot))) args.status = 'open';
  else if (statusNot !== undefined) args.status_not = statusNot;
  if (done.test(String(args.status))) args.status = 'closed';
  if (args.status === 'all') delete args.status;
  return args;
}
