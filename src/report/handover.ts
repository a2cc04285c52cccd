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

/** An incident that a run opened, with where it was asked for. */
export interface OpenedIncident {
  readonly life: Life;
  readonly requester: string;
  readonly channel: string;
}

export interface HandoverPort
  extends Pick<StoryPort, 'history' | 'waiting' | 'running' | 'watches' | 'maySee' | 'catalogue'> {
  /** Incidents that runs have opened since, and older ones that are not resolved; newest first. */
  incidents(since: Date): Promise<readonly OpenedIncident[]>;
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
  const [opened, waiting, running, watches, past] = await Promise.all([
    visible(everybody, await port.incidents(since), port),
    visible(everybody, await port.waiting(lookedAt), port),
    visible(everybody, await port.running(lookedAt), port),
    watchesFor(everybody, port),
    ended(since, port),
  ]);
  const open = opened.filter(({ life }) => life.state !== 'resolved');
  const isWell = ({ standing }: Listed) => standing.kind === 'ended' && standing.outcome === 'done';
  const bad = mostUrgentFirst(
    past.filter(({ standing }) => standing.kind === 'ended' && standing.outcome !== 'done'),
    port,
  );
  const head = rich([line(bold('Hand-over, since '), time(since.toISOString()))]);
  const sections: Section[] = [
    incidentList('Open incidents', open, 'None.'),
    await planList('Waiting for approval', waiting),
    ...(running.length === 0 ? [] : [await planList('Running', running)]),
    await planList('Failed or unknown', bad),
    incidentList(
      'Paged',
      opened.filter(({ life }) => Date.parse(life.openedAt) >= since.getTime()),
      'Nobody.',
    ),
    await planList('Done', past.filter(isWell)),
    ...(watches.length === 0 ? [] : [watchList(watches, shown)]),
  ];
  const counts = `${open.length} open, ${waiting.length} waiting, ${bad.length} failed or unknown`;
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

function incidentList(title: string, all: readonly OpenedIncident[], none: string): Section {
  const items = all.slice(0, shown).map(({ life }) => line(...incidentWords(life)));
  return { title, items, none, count: all.length };
}

function incidentWords(life: Life): Span[] {
  const { number, title, url, openedAt } = life;
  const name = `#${number} ${cut(oneLine(title), 100)}`;
  const state = standingSpans(life) ?? [bold('Not acknowledged')];
  return [...state, ' · ', url === '' ? name : link(url, name), ' · ', time(openedAt)];
}
