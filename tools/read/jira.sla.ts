import { jiraSla as manifest } from '../../manifests/jira.sla.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import { durationMs } from '../../src/core/duration.ts';
import { CountersignError } from '../../src/core/errors.ts';
import type { ArgsOf, ResultOf } from '../../src/core/manifest.ts';
import type { Readers } from '../../src/core/ports.ts';
import { defineRead, type ReadContext } from '../../src/core/tool.ts';
import { spanWords } from './issue-words.ts';
import { fittedLines } from './lines.ts';
import { rank, type SlaClock, slaClock } from './sla-clock.ts';

type Args = ArgsOf<typeof manifest>;
type Row = ResultOf<typeof manifest>['rows'][number];
type IssueRow = Awaited<ReturnType<Readers['jira']['search']>>['issues'][number];
interface Timed {
  readonly issue: IssueRow;
  readonly clock: SlaClock;
}

/** An argument without a valid meaning. */
export class SlaArgumentError extends CountersignError {}

/** Maximum open issues whose SLA is checked: Service Management is queried for each. */
const maxChecked = 100;
const askedAtOnce = 8;

export const jiraSla = defineRead(manifest, async (args, context) => {
  const withinMs = periodOf(args.within);
  const { issues, open } = await issuesOf(args, context);
  const timed = await timedOf(issues, context);
  const at = context.now();
  const state: ResultOf<typeof manifest>['state'] =
    timed.reduce<Timed | null>(worse, null)?.clock.state ?? 'none';
  const chosen = timed
    .filter(({ clock }) => args.key !== undefined || isAskedFor(clock, args.state, withinMs, at))
    .toSorted((a, b) => a.clock.leftMs - b.clock.leftMs);
  const fits = chosen.filter(({ clock }) => isAskedFor(clock, args.state, withinMs, at));
  const [first] = chosen;
  const rows = chosen.map(rowOf);
  return {
    state,
    total: fits.length,
    ...(first === undefined ? {} : { minutes_left: Math.floor(first.clock.leftMs / 60_000) }),
    keys: fits.map(({ issue }) => issue.key),
    ...(fits[0] === undefined ? {} : { first: fits[0].issue.key }),
    ...{ open, checked: issues.length, rows },
    lines: fittedLines(rows.map(lineOf), rows.length),
  };
});

function periodOf(within: string | undefined): number | null {
  if (within === undefined) return null;
  const ms = durationMs(within);
  if (ms !== null && ms > 0) return ms;
  throw new SlaArgumentError('bad_within', 'The argument within must be a duration such as PT30M or PT4H.');
}

async function issuesOf(
  { key, project, priority }: Args,
  { readers, signal }: ReadContext,
): Promise<{ issues: readonly IssueRow[]; open: number }> {
  if (key !== undefined) return { issues: [await readers.jira.issue(key, signal)], open: 1 };
  const query = { project, priority, status: 'open' };
  const { issues, more } = await readers.jira.search(query, { limit: maxChecked, order: 'oldest' }, signal);
  const open = more ? (await readers.jira.count(query, signal)).total : issues.length;
  return { issues, open: Math.max(open, issues.length) };
}

async function timedOf(issues: readonly IssueRow[], context: ReadContext): Promise<Timed[]> {
  const { readers, now, signal } = context;
  const timed: Timed[] = [];
  for (let at = 0; at < issues.length; at += askedAtOnce) {
    const some = issues.slice(at, at + askedAtOnce);
    const clocks = await Promise.all(some.map((issue) => slaClock(issue, { readers, now: now(), signal })));
    timed.push(...some.flatMap((issue, index) => (clocks[index] ? [{ issue, clock: clocks[index] }] : [])));
  }
  return timed;
}

function worse(worst: Timed | null, one: Timed): Timed {
  return worst === null || rank(one.clock) < rank(worst.clock) ? one : worst;
}

/** With a time, at risk means a breach within it; without one, that little of the SLA's own time is left. */
function isAskedFor(
  { state, dueAt }: SlaClock,
  asked: Args['state'],
  withinMs: number | null,
  now: Date,
): boolean {
  if (asked === 'breached' || asked === 'ok') return state === asked;
  if (withinMs === null) return asked === undefined ? state !== 'ok' : state === asked;
  return state !== 'breached' && dueAt !== null && dueAt.getTime() - now.getTime() <= withinMs;
}

const stateWords = { breached: 'breached', at_risk: 'at risk', ok: 'within its SLA' } as const;

function rowOf({ issue, clock }: Timed): Row {
  const { leftMs, paused, dueAt } = clock;
  const span = spanWords(leftMs / 60_000);
  return {
    key: issue.key,
    link: issue.url,
    summary: cut(oneLine(issue.summary), 200),
    priority: cut(oneLine(issue.priority), 40),
    state: `${stateWords[clock.state]}${paused ? ', paused' : ''}`,
    left: leftMs < 0 ? `${span} over` : `${span} left`,
    due: dueAt?.toISOString() ?? '',
    sla: cut(oneLine(clock.measuredBy), 80),
  };
}

function lineOf({ key, summary, priority, state, left, sla }: Row): string {
  return `${key}  ${cut(summary, 80)}  (${[priority, state, left, sla].filter(Boolean).join(', ')})`;
}
