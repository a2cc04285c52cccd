import { duration } from '../blocks/card-frame.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, link, person, type Span } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { type Life, type LifeEvent, type LifeKind, mergedWords } from '../core/incident-history.ts';

/** All wording about the history of an incident, in threads and on cards. */

const maxName = 80;

/** "Acknowledged by Ana Ruiz after 2 min". */
export function eventSpans(event: LifeEvent, { openedAt }: Pick<Life, 'openedAt'>): Span[] {
  if (event.into !== undefined) return mergedSpans(event.into);
  const after = Math.max(0, Date.parse(event.at) - Date.parse(openedAt));
  return [...whatSpans(event), after < 1_000 ? ' at once' : ` after ${duration(after)}`];
}

/** "Merged into #41, which is open". */
function mergedSpans(into: NonNullable<LifeEvent['into']>): Span[] {
  const name = `#${into.number}`;
  return [
    bold('Merged into '),
    into.url === '' ? bold(name) : link(into.url, name),
    mergedWords(into).slice(name.length),
  ];
}

function whatSpans({ kind, by, to, approver }: LifeEvent): Span[] {
  const who: Span[] =
    approver !== undefined ? [' by ', person(approver)] : by === null ? [] : [` by ${named(by)}`];
  const whom = to.length === 0 ? 'somebody else' : to.map(named).join(' and ');
  const words: Record<LifeKind, Span[]> = {
    acknowledged: [bold('Acknowledged'), ...who],
    unacknowledged: [bold('No longer acknowledged'), ...(who.length === 0 ? [': it timed out'] : who)],
    escalated: [bold(`Escalated to ${whom}`), ...who],
    reassigned: [bold(`Reassigned to ${whom}`), ...who],
    resolved: [bold('Resolved'), ...who],
    reopened: [bold('Opened again'), ...who],
    merged: [bold('Merged into another incident'), ...who],
  };
  return words[kind];
}

function named(name: string): string {
  return cut(oneLine(name), maxName);
}

/** Current state for the head of a card; null if nothing has happened since the page. */
export function incidentStateSpans(life: Life): Span[] | null {
  const last = life.events.at(-1);
  return last === undefined ? null : eventSpans(last, life);
}

/** One line in the thread: the event, the time since the start, and the incident. */
export function eventMessage(event: LifeEvent, life: Life): Message {
  return note([...eventSpans(event, life), ': incident ', incidentSpan(life), '.']);
}

function incidentSpan({ number, url }: Life): Span {
  return url === '' ? `#${number}` : link(url, `#${number}`);
}

/** It has been open for so long that it is no longer followed. */
export function followedNoMore(life: Life | null, id: string, hours: number): Message {
  const what: Span[] = life === null ? [`incident ${id}`] : ['incident ', incidentSpan(life)];
  const state = life === null ? '' : ` It was ${life.state} when I looked last.`;
  return note([
    bold('No longer followed: '),
    ...what,
    ` has been open for ${hours} hours.${state} Ask me in this thread how it stands.`,
  ]);
}

/** PagerDuty does not report its state; we keep asking. */
export function cannotBeRead(life: Life | null, id: string, why: string): Message {
  const what: Span[] = life === null ? [`incident ${id}`] : ['incident ', incidentSpan(life)];
  return note([
    bold('I cannot follow '),
    ...what,
    `: ${oneLine(why)} I keep trying; check PagerDuty meanwhile.`,
  ]);
}

/** It was deleted, or merged into another one. */
export function goneFromPagerDuty(id: string): Message {
  return note([
    bold('PagerDuty no longer has this incident: '),
    `${id}. It may have been merged into another one.`,
  ]);
}
