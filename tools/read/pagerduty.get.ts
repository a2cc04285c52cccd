import { pagerdutyGet as manifest } from '../../manifests/pagerduty.get.ts';
import { cut, oneLine } from '../../src/core/clean-text.ts';
import { type LifeEvent, type LifeKind, mergedWords } from '../../src/core/incident-history.ts';
import { defineRead } from '../../src/core/tool.ts';
import { incidentMeant } from '../incident.ts';
import { ageWords } from '../shift-words.ts';
import { minutesSince } from './issue-words.ts';

/** Maximum changes listed; the newest are kept. */
const maxEvents = 20;

export const pagerdutyGet = defineRead(manifest, async ({ incident }, { readers, now, signal }) => {
  const found = await incidentMeant(readers, incident, signal);
  const events = (await readers.pagerduty.life(found.id, signal))?.events ?? [];
  const { id, number, state, urgency, url: link, createdAt } = found;
  const title = cut(oneLine(found.title), 500);
  const service = found.service ?? '';
  const into = events.findLast((event) => event.into !== undefined)?.into;
  const by = events.findLast(({ kind }) => kind === 'acknowledged')?.by ?? '';
  return {
    ...{ id, name: `#${number}`, title, state, urgency, service, link },
    acknowledged_by: cut(oneLine(by), 200),
    age_minutes: minutesSince(new Date(createdAt), now()),
    lines: [
      `#${number}  ${title}`,
      `${into === undefined ? state : 'merged'}, ${urgency} urgency, ${service}`,
      `Opened ${ageWords(createdAt, now())}`,
      ...events.slice(-maxEvents).map((event) => eventLine(event, now())),
    ].join('\n'),
  };
});

const done: Record<LifeKind, string> = {
  acknowledged: 'Acknowledged',
  unacknowledged: 'No longer acknowledged',
  escalated: 'Escalated',
  reassigned: 'Reassigned',
  resolved: 'Resolved',
  reopened: 'Opened again',
  merged: 'Merged into another incident',
};

/** "Escalated to Ben Okafor by Ana Ruiz 5 min ago". */
function eventLine({ kind, at, by, to, into }: LifeEvent, now: Date): string {
  if (into !== undefined) return `Merged into ${mergedWords(into)}`;
  const whom =
    (kind === 'escalated' || kind === 'reassigned') && to.length > 0 ? ` to ${to.join(' and ')}` : '';
  return cut(oneLine(`${done[kind]}${whom}${by === null ? '' : ` by ${by}`} ${ageWords(at, now)}`), 300);
}
