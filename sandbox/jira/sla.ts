import type { JiraIssue } from './model.ts';
import { jiraTime, type Site } from './render.ts';

const hour = 3_600_000;
/** Time to resolution by priority, on an around-the-clock calendar. */
const goals: Readonly<Record<JiraIssue['priority'], number>> = {
  P1: 4 * hour,
  P2: 8 * hour,
  P3: 24 * hour,
  P4: 72 * hour,
  P5: 120 * hour,
};

/** The SLA page of a service request; only OPS is a service project, so other issues have none. */
export function slaJson({ base, store }: Site, issue: JiraIssue): Record<string, unknown> {
  const self = `${base}/rest/servicedeskapi/request/${issue.id}/sla`;
  const stop = issue.resolved ?? store.now();
  const goal = goals[issue.priority];
  const elapsed = stop.getTime() - issue.created.getTime();
  const cycle = {
    startTime: dateJson(issue.created),
    breachTime: dateJson(new Date(issue.created.getTime() + goal)),
    breached: elapsed > goal,
    goalDuration: durationJson(goal),
    elapsedTime: durationJson(elapsed),
    remainingTime: durationJson(goal - elapsed),
  };
  const resolution = {
    id: '1',
    name: 'Time to resolution',
    _links: { self: `${self}/1` },
    slaDisplayFormat: 'NEW_SLA_FORMAT',
    ...(issue.resolved === null
      ? { completedCycles: [], ongoingCycle: { ...cycle, paused: false, withinCalendarHours: true } }
      : { completedCycles: [{ ...cycle, stopTime: dateJson(issue.resolved) }] }),
  };
  return {
    _expands: [],
    size: 1,
    start: 0,
    limit: 50,
    isLastPage: true,
    _links: { base: `${base}/rest/servicedeskapi`, context: '', self },
    values: [resolution],
  };
}

function dateJson(date: Date): Record<string, unknown> {
  const iso = date.toISOString();
  return {
    iso8601: `${iso.slice(0, 19)}+0000`,
    jira: jiraTime(date),
    friendly: iso.slice(0, 16).replace('T', ' '),
    epochMillis: date.getTime(),
  };
}

function durationJson(millis: number): Record<string, unknown> {
  const sign = millis < 0 ? '-' : '';
  const minutes = Math.floor(Math.abs(millis) / 60_000);
  return { millis, friendly: `${sign}${Math.floor(minutes / 60)}h ${minutes % 60}m` };
}
