import { momentAfter, workedMs } from '../../src/core/business-hours.ts';
import type { Readers } from '../../src/core/ports.ts';

type IssueRow = Awaited<ReturnType<Readers['jira']['search']>>['issues'][number];

/** The state of an issue under one SLA. */
export interface SlaClock {
  /** Who measures it: the SLA's name in Jira, or the operator's file. */
  readonly measuredBy: string;
  readonly state: 'breached' | 'at_risk' | 'ok';
  readonly paused: boolean;
  /** Negative when it is exceeded. In business hours if the SLA counts those. */
  readonly leftMs: number;
  /** Time of the breach, past or future; null while its clock is stopped. */
  readonly dueAt: Date | null;
}

/** An SLA is at risk when less than this fraction of its time is left. */
const riskyPart = 0.25;

/**
 * The SLA of an issue with the least time left, or null when none is agreed. Jira Service Management is queried for its
 * own projects; everywhere else the age of the issue is compared with `resolve_within`.
 */
export async function slaClock(
  issue: IssueRow,
  {
    readers,
    now,
    signal,
  }: { readonly readers: Pick<Readers, 'jira' | 'sla'>; readonly now: Date; readonly signal: AbortSignal },
): Promise<SlaClock | null> {
  const slas = issue.isRequest ? await readers.jira.slas(issue.key, signal) : null;
  if (slas === null || slas.length === 0) return computed(issue, readers.sla, now);
  // Running clocks matter more than completed ones.
  const running = slas.filter(({ running: runs }) => runs);
  const clocks = (running.length > 0 ? running : slas).map(
    ({ name, breached, paused, goalMs, leftMs, breachAt }): SlaClock => ({
      measuredBy: name,
      state: stateOf(breached, leftMs, running.length > 0 ? goalMs : 0),
      ...{ paused, leftMs, dueAt: breachAt },
    }),
  );
  return clocks.toSorted((a, b) => rank(a) - rank(b) || a.leftMs - b.leftMs)[0] ?? null;
}

function computed(issue: IssueRow, sla: Readers['sla'], now: Date): SlaClock | null {
  const agreed = sla.resolution(issue.key.replace(/-\d+$/, ''), issue.priority);
  if (agreed === null) return null;
  const { ms, hours } = agreed;
  const end = issue.resolved ?? now;
  const spent =
    hours === null ? end.getTime() - issue.created.getTime() : workedMs(issue.created, end, hours);
  const leftMs = ms - spent;
  const dueAt =
    hours === null ? new Date(issue.created.getTime() + ms) : momentAfter(issue.created, ms, hours);
  return {
    measuredBy: 'resolve_within',
    state: stateOf(leftMs < 0, leftMs, issue.resolved === null ? ms : 0),
    ...{ paused: false, leftMs, dueAt },
  };
}

/** `goalMs` 0: the clock has stopped, so nothing is at risk any more. */
function stateOf(breached: boolean, leftMs: number, goalMs: number): SlaClock['state'] {
  if (breached) return 'breached';
  return leftMs < goalMs * riskyPart ? 'at_risk' : 'ok';
}

const ranks = { breached: 0, at_risk: 1, ok: 2 } as const;

export function rank({ state }: Pick<SlaClock, 'state'>): number {
  return ranks[state];
}
