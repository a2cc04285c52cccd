import { pagerdutyIncidents as manifest } from '../../manifests/pagerduty.incidents.ts';
import { cut, oneLine } from '../../src/core/inert.ts';
import { defineRead } from '../../src/core/tool.ts';
import type { Incident } from '../incident.ts';
import { ageWords } from '../shift-words.ts';
import { spanOf, WhenError } from '../when.ts';

/** Incidents in a list when the plan does not say. */
const usualLimit = 20;
/** Characters of the list. */
const maxLines = 8_000;
/** Characters of a title in a line; 50 lines then fit. */
const maxTitle = 90;

const states = {
  open: ['triggered', 'acknowledged'],
  triggered: ['triggered'],
  acknowledged: ['acknowledged'],
  resolved: ['resolved'],
  all: ['triggered', 'acknowledged', 'resolved'],
} as const;

export const pagerdutyIncidents = defineRead(manifest, async (args, { readers, now, signal }) => {
  const { service, urgency, status = 'open', order = 'newest', limit = usualLimit } = args;
  const filter = { service, urgency, states: states[status], since: startOf(args, now()), order, limit };
  const { total, incidents } = await readers.pagerduty.incidents(filter, signal);
  const [first] = incidents;
  const lines = incidents.map((incident) => lineOf(incident, now()));
  const shown = lines.length < total ? [...lines, `${lines.length} of ${total} shown`] : lines;
  return {
    total,
    ...(first === undefined
      ? {}
      : { first: first.id, first_age_minutes: minutesSince(first.createdAt, now()) }),
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
  };
});

/** The later of the two, when both are said. */
function startOf({ window, since }: { window?: string | undefined; since?: string | undefined }, now: Date) {
  const starts = [
    ...(window === undefined ? [] : [new Date(now.getTime() - millisecondsOf(window))]),
    ...(since === undefined ? [] : [spanOf(since, 'UTC', now).since]),
  ];
  return starts.toSorted((a, b) => b.getTime() - a.getTime())[0];
}

function millisecondsOf(window: string): number {
  try {
    return Temporal.Duration.from(window).total({
      unit: 'milliseconds',
      relativeTo: Temporal.Now.plainDateISO('UTC'),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WhenError(
      'bad_window',
      `The window ${window} is not an ISO 8601 duration such as PT24H or P7D.`,
    );
  }
}

function minutesSince(moment: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / 60_000));
}

function lineOf({ number, title, state, urgency, serviceName, createdAt }: Incident, now: Date): string {
  const facts = [state, `${urgency} urgency`, oneLine(serviceName), ageWords(createdAt, now)];
  return `#${number}  ${cut(oneLine(title), maxTitle)}  (${facts.join(', ')})`;
}
