import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { bold, line, link, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/inert.ts';
import type { Life } from '../core/life.ts';
import { linesOf } from './about.ts';
import type { Listed } from './about-port.ts';
import { standingSpans } from './life-words.ts';
import { fittedSections, planLine, type Section } from './listing.ts';
import type { StoryPort } from './story-port.ts';
import { visible } from './visible.ts';
import { watchesFor, watchList } from './watch-list.ts';

/** Where something was asked for, and by whom. */
interface Asked {
  readonly requester: string;
  readonly channel: string;
}

/** An incident that a run opened. */
export interface OpenedIncident extends Asked {
  readonly life: Life;
}

/** An incident that PagerDuty shows as open; `asked` is null where no run of ours paged about it. */
export interface OpenIncident {
  readonly life: Life;
  readonly asked: Asked | null;
}

export interface HandoverPort
  extends Pick<StoryPort, 'history' | 'waiting' | 'running' | 'watches' | 'maySee' | 'catalogue'> {
  /** Incidents that runs have opened since, and older ones that are not resolved; newest first. */
  incidents(since: Date): Promise<readonly OpenedIncident[]>;
  /** What is open for the operator's services, newest first, with how many that are; or why PagerDuty cannot be asked. */
  open(): Promise<{ readonly total: number; readonly incidents: readonly OpenIncident[] } | Unread>;
}

interface Unread {
  readonly unread: string;
}

/** Lines of one section; the rest is counted. */
const shown = 8;
/** Plans that are looked at for those of a shift. */
const lookedAt = 100;
/** Nobody's id: only what stands where everybody may read is seen by it. */
const everybody = '';

/**
 * For the next shift: what is open, what was paged, and what became of plans since. It is posted, so it tells what whoever
 * reads the channel may see: what stands in public channels and in this one.
 */
export async function handover(channel: string, since: Date, from: HandoverPort): Promise<Message> {
  const port = {
    ...from,
    maySee: async (viewer: string, other: string) => other === channel || from.maySee(viewer, other),
  };
  const [opened, now, waiting, running, watches, past] = await Promise.all([
    visible(everybody, await port.incidents(since), port),
    port.open(),
    visible(everybody, await port.waiting(lookedAt), port),
    visible(everybody, await port.running(lookedAt), port),
    watchesFor(everybody, port),
    ended(since, port),
  ]);
  const open = 'unread' in now ? onlyOurs(now, opened) : await openList(now, opened, port);
  const isWell = ({ standing }: Listed) => standing.kind === 'ended' && standing.outcome === 'done';
  const bad = mostUrgentFirst(
    past.filter(({ standing }) => standing.kind === 'ended' && standing.outcome !== 'done'),
    port,
  );
  const head = rich([line(bold('Hand-over, since '), time(since.toISOString()))]);
  const sections: Section[] = [
    open.section,
    await planList('Waiting for approval', waiting),
    ...(running.length === 0 ? [] : [await planList('Running', running)]),
    await planList('Failed or unknown', bad),
    incidentList(
      'Paged',
      opened.map(({ life }) => life).filter(({ openedAt }) => Date.parse(openedAt) >= since.getTime()),
      'Nobody.',
    ),
    await planList('Done', past.filter(isWell)),
    ...(watches.length === 0 ? [] : [watchList(watches, shown)]),
  ];
  const counts = `${open.counted}, ${waiting.length} waiting, ${bad.length} failed or unknown`;
  return { text: fallbackText(`Hand-over: ${counts}`), blocks: fittedSections(sections, [head]) };
}

/** Plans with a write, or whose run did not end well, that ended since; an answer is no news for the next shift. */
async function ended(since: Date, port: HandoverPort): Promise<readonly Listed[]> {
  const { plans } = await port.history({ kind: 'all' }, new Date(8_640_000_000_000_000), lookedAt);
  const recent = plans.filter(
    ({ standing, isAnswer }) =>
      standing.kind === 'ended' &&
      Date.parse(standing.at) >= since.getTime() &&
      (!isAnswer || standing.outcome !== 'done'),
  );
  return visible(everybody, recent, port);
}

/** A write in doubt needs a person to look, a write that failed is missing, and a look-up can be asked for again. */
function mostUrgentFirst(
  plans: readonly Listed[],
  { catalogue: { manifests } }: Pick<HandoverPort, 'catalogue'>,
): readonly Listed[] {
  const rank = ({ standing, revision: { sealed } }: Listed): number => {
    if (standing.kind === 'ended' && standing.outcome === 'unknown') return 0;
    return sealed.plan.steps.some(({ tool }) => manifests.get(tool)?.effect !== 'read') ? 1 : 2;
  };
  return plans.toSorted((a, b) => rank(a) - rank(b));
}

async function planList(title: string, all: readonly Listed[]): Promise<Section> {
  const lines = await linesOf(all.slice(0, shown));
  const items = lines.map((one) => planLine(one, { asked: true }));
  return { title, items, none: 'None.', count: all.length };
}

/** The section of what is open, and how the notification counts it. */
interface OpenList {
  readonly section: Section;
  readonly counted: string;
}

/** Those that nobody has taken come first. What was paged from where not everybody reads keeps its words to itself. */
async function openList(
  { total, incidents }: { readonly total: number; readonly incidents: readonly OpenIncident[] },
  opened: readonly OpenedIncident[],
  { maySee }: Pick<HandoverPort, 'maySee'>,
): Promise<OpenList> {
  const lives = await Promise.all(
    incidents.map(async ({ life, asked }) => {
      if (asked !== null && !(await maySee(everybody, asked.channel)))
        return { ...life, title: 'paged from a private conversation' };
      // What is stored also knows whose approval it was, unless something has happened since.
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

function onlyOurs({ unread }: Unread, opened: readonly OpenedIncident[]): OpenList {
  const said = 'PagerDuty could not be asked';
  const open = opened.map(({ life }) => life).filter(({ state }) => state !== 'resolved');
  const so =
    open.length === 0 ? 'I can’t say what is open' : 'these are only the ones that Countersign opened';
  const why = line(bold(said), `, so ${so}: ${oneLine(unread)}`);
  const { items, count, ...list } = incidentList('Open incidents', open, '');
  return { section: { ...list, items: [why, ...items], count: count + 1 }, counted: said };
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
