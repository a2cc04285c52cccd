import { isTime } from '../../manifests/group-words.ts';
import { pagerdutyIncidents as manifest } from '../../manifests/pagerduty.incidents.ts';
import { type Back, periodOf, windowMs } from '../../src/core/calendar/period.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import type { ArgsOf } from '../../src/core/manifest.ts';
import { defineRead } from '../../src/core/tool.ts';
import { grouped } from '../grouped.ts';
import type { Incident } from '../incident.ts';
import { ageWords } from '../shift-words.ts';

/** Default number of incidents in a list. */
const usualLimit = 20;
/** Maximum incidents that are read to group them. */
const maxGrouped = 1_000;
/** Maximum incidents in a list. */
const maxListed = 50;
/** The longest period PagerDuty searches. */
const maxBackMs = 180 * 86_400_000;
/** Maximum characters of the list. */
const maxLines = 8_000;
/** Maximum characters of a title in a line; 50 lines then fit. */
const maxTitle = 90;

const states = {
  open: ['triggered', 'acknowledged'],
  triggered: ['triggered'],
  acknowledged: ['acknowledged'],
  resolved: ['resolved'],
  all: ['triggered', 'acknowledged', 'resolved'],
} as const;

export const pagerdutyIncidents = defineRead(manifest, async (args, { readers, now, signal }) => {
  const { service, urgency, order = 'newest', by } = args;
  const limit = args.limit ?? (by === undefined ? usualLimit : maxGrouped);
  const isTimed = [args.window, args.since, args.during].some((time) => time !== undefined);
  const { status = isTimed ? 'all' : 'open' } = args;
  const filter = {
    ...(service === undefined ? {} : { services: [service] as const }),
    urgency,
    states: states[status],
    ...timesOf(args, { now: now(), ...readers.calendar }),
    order,
    limit,
  };
  const { total, incidents: all } = await readers.pagerduty.incidents(filter, signal);
  const incidents = all.slice(0, maxListed);
  const [first] = incidents;
  const lines = incidents.map((incident) => lineOf(incident, now()));
  const shown = lines.length < total ? [...lines, `${lines.length} of ${total} shown`] : lines;
  return {
    total,
    ...(first === undefined
      ? {}
      : { first: first.id, first_age_minutes: minutesSince(first.createdAt, now()) }),
    ids: incidents.map(({ id }) => id),
    rows: incidents.map((incident) => ({
      name: `#${incident.number}`,
      link: incident.url,
      title: cut(oneLine(incident.title), 500),
      state: incident.state,
      urgency: incident.urgency,
      service: cut(oneLine(incident.serviceName), 200),
      created: incident.createdAt,
    })),
    lines: cut(shown.join('\n'), maxLines),
    ...(by === undefined ? {} : groupsOf(all, { by, total, zone: readers.calendar.zone })),
  };
});

function groupsOf(
  all: readonly Incident[],
  { by, total, zone }: { readonly by: string; readonly total: number; readonly zone: string },
) {
  const counted = all.map((incident) => ({ of: groupOf(incident, by), count: 1 }));
  const part = all.length < total ? { counted: all.length } : {};
  return { ...part, ...grouped(counted, { by, zone, what: 'incidents' }) };
}

/** By time each counts when it was opened. */
function groupOf(incident: Incident, by: string): string | Date {
  if (isTime(by)) return new Date(incident.createdAt);
  if (by === 'service') return incident.service ?? incident.serviceName;
  return by === 'urgency' ? incident.urgency : incident.state;
}

function timesOf(args: ArgsOf<typeof manifest>, here: Back): { since?: Date; until?: Date } {
  const { from, to } = periodOf(args, here);
  const age = args.older_than === undefined ? 0 : windowMs(args.older_than);
  const until = new Date(Math.min((to ?? here.now).getTime(), here.now.getTime() - age));
  // PagerDuty looks back one month by default, and half a year at most.
  const since = from ?? (age > 0 ? new Date(here.now.getTime() - maxBackMs) : null);
  return { ...(since ? { since } : {}), ...(until < here.now ? { until } : {}) };
}

function minutesSince(moment: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / 60_000));
}

function lineOf({ number, title, state, urgency, serviceName, createdAt }: Incident, now: Date): string {
  const facts = [state, `${urgency} urgency`, oneLine(serviceName), ageWords(createdAt, now)];
  return `#${number}  ${cut(oneLine(title), maxTitle)}  (${facts.join(', ')})`;
}
