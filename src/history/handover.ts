import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { bold, line, link, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Life } from '../core/incident-history.ts';
import type { RunOutcome } from '../core/run.ts';
import { standingSpans } from '../report/incident-words.ts';
import { linesOf } from './about.ts';
import { fittedSections, planLine, type Section } from './list.ts';
import type { Listed } from './port.ts';
import type { StoryPort } from './story-port.ts';
import { visible } from './visible.ts';
import { watchesFor, watchList } from './watch-list.ts';

/** The channel and person of a request. */
export interface Asked {
  readonly requester: string;
  readonly channel: string;
}

/** An incident opened by a run. */
export interface OpenedIncident extends Asked {
  readonly life: Life;
}

/** An open incident in PagerDuty; `asked` is null if none of our runs paged about it. */
export interface OpenIncident {
  readonly life: Life;
  readonly asked: Asked | null;
}

/** A finished plan for counting; its details are looked up when it is shown. */
export interface EndedPlan extends Asked {
  readonly requestId: string;
  readonly number: number;
  readonly outcome: RunOutcome;
  /** It only read, and needed no approval. */
  readonly isAnswer: boolean;
}

/** The newest part of a list. */
export interface Newest<T> {
  readonly all: readonly T[];
  /** There may be more. */
  readonly isCut: boolean;
}

export interface HandoverPort extends Pick<StoryPort, 'waiting' | 'running' | 'watches' | 'maySee'> {
  /** Runs that ended well since, except answers, and those that did not; at least `limit` of each outcome. */
  ended(since: Date, limit: number): Promise<Record<'done' | 'bad', Newest<EndedPlan>>>;
  /** In the same order; leaves out those no longer stored. */
  lookUp(ended: readonly EndedPlan[]): Promise<readonly Listed[]>;
  /** Incidents opened by runs since, and older unresolved ones; newest first. */
  incidents(since: Date, limit: number): Promise<Newest<OpenedIncident>>;
  /** Open incidents of the operator's services, newest first, with their total; or why PagerDuty cannot be reached. */
  open(): Promise<{ readonly total: number; readonly incidents: readonly OpenIncident[] } | Unread>;
}

interface Unread {
  readonly unread: string;
}

/** Maximum lines in one section; the rest are counted. */
const shown = 8;
/** Maximum count of each list; if there are more, the message says so. */
const counted = 100;
/** An empty user id: it may only see what everybody may read. */
const everybody = '';

/**
 * For the next shift: open incidents, pages, and what happened to plans since. It is posted, so it only contains what
 * readers of the channel may see: plans in public channels and in this one.
 */
export async function handover(channel: string, since: Date, from: HandoverPort): Promise<Message> {
  const port = {
    ...from,
    maySee: async (viewer: string, other: string) => other === channel || from.maySee(viewer, other),
  };
  const seen = async <T extends Asked>({ all, isCut }: Newest<T>) => ({
    all: await visible(everybody, all, port),
    isCut,
  });
  const [opened, now, waiting, running, watches, past] = await Promise.all([
    port.incidents(since, counted).then(seen),
    port.open(),
    port.waiting(counted).then((all) => seen(first(all))),
    port.running(counted).then((all) => seen(first(all))),
    watchesFor(everybody, port),
    port.ended(since, counted),
  ]);
  const [bad, done] = [mostUrgentFirst(await seen(past.bad)), await seen(past.done)];
  const open = 'unread' in now ? onlyOurs(now, opened) : await openList(now, opened.all, port);
  const head = rich([line(bold('Hand-over, since '), time(since.toISOString()))]);
  const sections: Section[] = [
    open.section,
    await planList('Waiting for approval', waiting),
    ...(running.all.length === 0 ? [] : [await planList('Running', running)]),
    await endedList('Failed or unknown', bad, port),
    pagedList(opened, since),
    await endedList('Done', done, port),
    ...(watches.length === 0 ? [] : [watchList(watches, shown)]),
  ];
  const counts = `${open.counted}, ${howMany(waiting)} waiting, ${howMany(bad)} failed or unknown`;
  return { text: fallbackText(`Hand-over: ${counts}`), blocks: fittedSections(sections, [head]) };
}

/** A list that was fetched up to the maximum count. */
function first<T>(all: readonly T[]): Newest<T> {
  return { all, isCut: all.length === counted };
}

function howMany({ all, isCut }: Newest<unknown>): string {
  return isCut ? `at least ${all.length}` : String(all.length);
}

/** A write in doubt needs a person, a failed write is missing, and a failed look-up can be repeated. */
function mostUrgentFirst({ all, isCut }: Newest<EndedPlan>): Newest<EndedPlan> {
  const rank = ({ outcome, isAnswer }: EndedPlan): number => (outcome === 'unknown' ? 0 : isAnswer ? 2 : 1);
  return { all: all.toSorted((a, b) => rank(a) - rank(b)), isCut };
}

async function endedList(
  title: string,
  { all, isCut }: Newest<EndedPlan>,
  { lookUp }: Pick<HandoverPort, 'lookUp'>,
): Promise<Section> {
  const section = await planList(title, { all: await lookUp(all.slice(0, shown)), isCut });
  return { ...section, count: all.length };
}

async function planList(title: string, { all, isCut }: Newest<Listed>): Promise<Section> {
  const lines = await linesOf(all.slice(0, shown));
  const items = lines.map((one) => planLine(one, { asked: true }));
  return { title, items, none: 'None.', count: all.length, isCut };
}

/** If the oldest known incident was opened before the period, no page of the period is missing. */
function pagedList({ all, isCut }: Newest<OpenedIncident>, since: Date): Section {
  const lives = all.map(({ life }) => life);
  const paged = lives.filter(({ openedAt }) => Date.parse(openedAt) >= since.getTime());
  return { ...incidentList('Paged', paged, 'Nobody.'), isCut: isCut && paged.length === lives.length };
}

/** The section of open incidents, and its count for the notification. */
interface OpenList {
  readonly section: Section;
  readonly counted: string;
}

/** Unacknowledged ones first. Pages from restricted channels do not show their text. */
async function openList(
  { total, incidents }: { readonly total: number; readonly incidents: readonly OpenIncident[] },
  opened: readonly OpenedIncident[],
  { maySee }: Pick<HandoverPort, 'maySee'>,
): Promise<OpenList> {
  const lives = await Promise.all(
    incidents.map(async ({ life, asked }) => {
      if (asked !== null && !(await maySee(everybody, asked.channel)))
        return { ...life, title: 'paged from a private conversation' };
      // The stored state also has the approver, unless something has happened since.
      const stored = opened.find((one) => one.life.id === life.id)?.life;
      return stored?.changedAt === life.changedAt ? stored : life;
    }),
  );
  const isTaken = ({ state }: Life): number => (state === 'acknowledged' ? 1 : 0);
  const list = incidentList(
    'Open incidents',
    lives.toSorted((a, b) => isTaken(a) - isTaken(b)),
    'None.',
  );
  return { section: { ...list, count: total }, counted: `${total} open` };
}

function onlyOurs({ unread }: Unread, { all, isCut }: Newest<OpenedIncident>): OpenList {
  const said = 'PagerDuty could not be asked';
  const open = all.map(({ life }) => life).filter(({ state }) => state !== 'resolved');
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
  const state = standingSpans(life) ?? [bold(kind === 'triggered' ? 'Not acknowledged' : 'Acknowledged')];
  return [...state, ' · ', url === '' ? name : link(url, name), ' · ', time(openedAt)];
}
