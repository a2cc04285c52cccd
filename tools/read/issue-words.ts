import { cut, oneLine } from '../../src/core/clean-text.ts';
import type { Readers } from '../../src/core/ports.ts';

type IssueRow = Awaited<ReturnType<Readers['jira']['search']>>['issues'][number];

/** Maximum characters of a summary in a line; usually 50 lines then fit. */
const maxSummary = 80;
const maxWord = 24;

/** `OPS-12  Disk almost full  (To Do, P1, Ana Ruiz)`. */
export function issueLine(
  issue: Pick<IssueRow, 'key' | 'summary' | 'status' | 'priority' | 'assignee'>,
): string {
  const facts = [issue.status, issue.priority, issue.assignee || 'unassigned'];
  const known = facts.filter((fact) => fact !== '').map((fact) => cut(oneLine(fact), maxWord));
  return `${issue.key}  ${cut(oneLine(issue.summary), maxSummary)}  (${known.join(', ')})`;
}

/** Whole minutes, never negative: Jira's clock may be ahead of ours. */
export function minutesSince(moment: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - moment.getTime()) / 60_000));
}

/** Minutes in readable form, in the two largest units: "2 days 4 hours", "35 minutes". */
export function spanWords(minutes: number): string {
  const whole = Math.abs(Math.round(minutes));
  const units = [
    [Math.floor(whole / 1_440), 'day'],
    [Math.floor((whole % 1_440) / 60), 'hour'],
    [whole % 60, 'minute'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = first === -1 ? units.slice(2) : units.slice(first, first + 2);
  return shown
    .filter(([count], index) => count > 0 || (index === 0 && shown.length === 1))
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}
