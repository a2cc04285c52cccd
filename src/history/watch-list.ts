import { endWatchButton } from '../blocks/end-watch.ts';
import { fallbackText } from '../blocks/escape.ts';
import type { Block, Message } from '../blocks/message.ts';
import { bold, code, line, lines, person, rich, type Span, time } from '../blocks/rich.ts';
import { cadenceWords } from '../core/cadence.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { scheduleName, type Watch } from '../core/watch.ts';
import type { Section } from './list.ts';
import { type Viewing, visible } from './plans.ts';

/** Wording of watch lists. */

const shown = 10;

export interface WatchListDeps extends Viewing {
  /** Active watches. */
  watches(): Promise<readonly Watch[]>;
}

/** Watches a person may see: their own, and those in channels they can read. */
export async function watchesFor(viewer: string, deps: WatchListDeps): Promise<Watch[]> {
  const all = await deps.watches();
  return visible(
    viewer,
    all.map((watch) => ({ ...watch, requester: watch.owner })),
    deps,
  );
}

/** `/plan watches`: each with an End button. */
export async function listWatches(viewer: string, deps: WatchListDeps): Promise<Message> {
  const all = await watchesFor(viewer, deps);
  const none = line('There are no watches you can see. To start one: ', code(example));
  return {
    text: fallbackText(all.length === 1 ? '1 watch' : `${all.length} watches`),
    blocks: all.length === 0 ? [rich([none])] : watchBlocks(all),
  };
}

/** Each on separate lines, with an End button. */
export function watchBlocks(all: readonly Watch[]): Block[] {
  const blocks = all
    .slice(0, shown)
    .flatMap((watch) => [rich([lines(watchRows(watch))]), endWatchButton(watch.id)]);
  return all.length > shown ? [...blocks, rich([line(`and ${all.length - shown} more`)])] : blocks;
}

const example = '/plan watch OPS P1 every 10 minutes and page ops over 30, until Friday';

/** Its subject, owner, schedule, last finding, and end. */
function watchRows(watch: Watch): Span[][] {
  const { owner, every, until, lookedAt, found, nextAt, alarm } = watch;
  const name = scheduleName(owner);
  const whose: Span[] = name === null ? ['by ', person(owner)] : [`the schedule “${name}”`];
  const last: Span[] =
    lookedAt === null
      ? ['not checked yet']
      : ['looked ', time(lookedAt.toISOString()), found ? `: ${cut(oneLine(found), 160)}` : ''];
  const end: Span[] = until === null ? [] : [' · until ', time(until.toISOString())];
  const state = alarm.on === null ? [] : [bold('On since '), time(alarm.on.since), ' · '];
  return [
    [bold(cut(oneLine(watch.plan?.summary ?? watch.goal), 120)), ' · ', ...whose],
    [cadenceWords(every), ' · next ', time(nextAt.toISOString()), ...end],
    [...state, ...last],
  ];
}

/** One line for each of the first watches, for lists of several kinds. */
export function watchList(all: readonly Watch[], max: number): Section {
  const none = 'Nothing is watched.';
  return { title: 'Watches', items: all.slice(0, max).map(watchLine), none, count: all.length };
}

function watchLine(watch: Watch): ReturnType<typeof line> {
  const [title = [], times = [], last = []] = watchRows(watch);
  return line(...title, ' · ', ...times, ' · ', ...last);
}
