import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { bold, line, link, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Life } from '../core/incident-history.ts';
import type { Watch } from '../core/watch.ts';
import { incidentStateSpans } from '../report/incident-words.ts';
import { fittedSections, type Listed, planSection, type Section } from './list.ts';
import { watchList } from './watch-list.ts';

/** All wording of a handover. */

/** The newest part of a list. */
export interface Newest<T> {
  /** Those that may be shown. */
  readonly all: readonly T[];
  readonly count: number;
  /** There may be more than were counted. */
  readonly isCut: boolean;
}

/** Open incidents, newest first, with their total; or why PagerDuty cannot be reached. */
export type OpenNow =
  | { readonly total: number; readonly incidents: readonly Life[] }
  | { readonly unread: string };

/** The events since a moment, and the state of things now. */
export interface Shift {
  readonly since: Date;
  readonly open: OpenNow;
  /** Incidents opened by runs since, and older unresolved ones. */
  readonly opened: Newest<Life>;
  readonly waiting: Newest<Listed>;
  readonly running: Newest<Listed>;
  /** Most urgent first. */
  readonly bad: Newest<Listed>;
  readonly done: Newest<Listed>;
  readonly watches: readonly Watch[];
}

/** Maximum lines in one section; the rest are counted. */
export const shown = 8;

export async function shiftMessage(shift: Shift): Promise<Message> {
  const { since, opened, waiting, running, bad, done, watches } = shift;
  const open =
    'unread' in shift.open ? onlyOurs(shift.open.unread, opened) : openList(shift.open, opened.all);
  const sections: Section[] = [
    open.section,
    await planList('Waiting for approval', waiting),
    ...(running.count === 0 ? [] : [await planList('Running', running)]),
    await planList('Failed or unknown', bad),
    pagedList(opened, since),
    await planList('Done', done),
    ...(watches.length === 0 ? [] : [watchList(watches, shown)]),
  ];
  const head = rich([line(bold('Hand-over, since '), time(since.toISOString()))]);
  const counts = `${open.counted}, ${howMany(waiting)} waiting, ${howMany(bad)} failed or unknown`;
  return { text: fallbackText(`Hand-over: ${counts}`), blocks: fittedSections(sections, { head: [head] }) };
}

function howMany({ count, isCut }: Newest<unknown>): string {
  return isCut ? `at least ${count}` : String(count);
}

async function planList(title: string, { all, count, isCut }: Newest<Listed>): Promise<Section> {
  return { ...(await planSection(title, all, { none: 'None.', max: shown })), count, isCut };
}

/** If the oldest known incident was opened before the period, no page of the period is missing. */
function pagedList({ all, isCut }: Newest<Life>, since: Date): Section {
  const paged = all.filter(({ openedAt }) => Date.parse(openedAt) >= since.getTime());
  return { ...incidentList('Paged', paged, 'Nobody.'), isCut: isCut && paged.length === all.length };
}

/** The section of open incidents, and its count for the notification. */
interface OpenList {
  readonly section: Section;
  readonly counted: string;
}

/** Unacknowledged ones first. */
function openList(
  { total, incidents }: Exclude<OpenNow, { unread: string }>,
  opened: readonly Life[],
): OpenList {
  // The stored state also has the approver, unless something has happened since.
  const lives = incidents.map((life) => {
    const stored = opened.find(({ id }) => id === life.id);
    return stored?.changedAt === life.changedAt ? stored : life;
  });
  const isTaken = ({ state }: Life): number => (state === 'acknowledged' ? 1 : 0);
  const list = incidentList(
    'Open incidents',
    lives.toSorted((a, b) => isTaken(a) - isTaken(b)),
    'None.',
  );
  return { section: { ...list, count: total }, counted: `${total} open` };
}

function onlyOurs(unread: string, { all, isCut }: Newest<Life>): OpenList {
  const said = 'PagerDuty could not be asked';
  const open = all.filter(({ state }) => state !== 'resolved');
  const so =
    open.length === 0 ? 'I can’t say what is open' : 'these are only the ones that Countersign opened';
  const why = line(bold(said), `, so ${so}: ${oneLine(unread)}`);
  const { items, count, ...list } = incidentList('Open incidents', open, '');
  return { section: { ...list, items: [why, ...items], count: count + 1, isCut }, counted: said };
}

function incidentList(title: string, all: readonly Life[], none: string): Section {
  const items = all.slice(0, shown).map((life) => line(...incidentWords(life)));
  return { title, items, none, count: all.length };
}

function incidentWords(life: Life): Span[] {
  const { number, title, url, openedAt, state: kind } = life;
  const name = `#${number} ${cut(oneLine(title), 100)}`;
  const state = incidentStateSpans(life) ?? [
    bold(kind === 'triggered' ? 'Not acknowledged' : 'Acknowledged'),
  ];
  return [...state, ' · ', url === '' ? name : link(url, name), ' · ', time(openedAt)];
}
