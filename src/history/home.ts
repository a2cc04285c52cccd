import { divider, header } from '../blocks/layout.ts';
import type { Block, Home } from '../blocks/message.ts';
import { bullets, code, line, rich } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Watch } from '../core/watch.ts';
import { type Line, planLine } from './list.ts';
import { watchBlocks } from './watch-list.ts';

/** All wording of the App Home. */

export interface HomeList {
  readonly lines: readonly Line[];
  /** Number of further entries. */
  readonly more: number;
}

export interface HomeFacts {
  /** Plans this person may approve, soonest to expire first. */
  readonly waiting: HomeList;
  /** This person's requests, newest first. */
  readonly mine: HomeList;
  readonly running: HomeList;
  readonly recent: HomeList;
  readonly watches: readonly Watch[];
  /** Actions of the write tools this person may approve: "Page the engineer who is on call." Empty: none. */
  readonly mayApprove: readonly string[];
  /** Goals that work here, as typed after /plan. */
  readonly examples: readonly string[];
}

/** What is waiting and what ran, how to ask, and what this person may approve; short, for a phone. */
export function renderHome(facts: HomeFacts): Home {
  const blocks: Block[] = [
    ...listBlocks('Waiting for you', facts.waiting, 'Nothing waits for your approval.', true),
    ...listBlocks('Your plans', facts.mine, 'You have not asked for a plan yet.', false),
    ...listBlocks('Running', facts.running, 'Nothing is running.', true),
    ...listBlocks('Recent runs', facts.recent, 'Nothing has run yet.', true),
    header('Watches'),
    ...(facts.watches.length === 0 ? [rich([line('Nothing is watched.')])] : watchBlocks(facts.watches)),
    divider(),
    header('How to ask'),
    rich([
      line('Type ', code('/plan'), ' and what you want to know or have done:'),
      ...examples(facts.examples),
      line('You see the whole plan first. Nothing is written without approval, and each approval runs once.'),
    ]),
    header('What you may approve'),
    ...approveBlocks(facts.mayApprove),
  ];
  return { type: 'home', blocks };
}

function listBlocks(title: string, { lines, more }: HomeList, none: string, asked: boolean): Block[] {
  const items = lines.map((one) => planLine(one, { asked }));
  return itemBlocks(title, items, more, none);
}

function itemBlocks(
  title: string,
  items: readonly ReturnType<typeof line>[],
  more: number,
  none: string,
): Block[] {
  const rest = more > 0 ? [rich([line(`and ${more} more`)])] : [];
  return [header(title), rich([items.length === 0 ? line(none) : bullets(items)]), ...rest];
}

function examples(goals: readonly string[]): ReturnType<typeof bullets>[] {
  if (goals.length === 0) return [];
  return [bullets(goals.slice(0, 5).map((goal) => line(code(`/plan ${goal}`))))];
}

function approveBlocks(mayApprove: readonly string[]): Block[] {
  const reads = line('Plans that only read: any full member, including whoever asked.');
  if (mayApprove.length === 0) return [rich([bullets([line('Plans that write: none.'), reads])])];
  const writes = mayApprove.map((words) => line(cut(oneLine(words), 120)));
  return [rich([line('Plans that write:'), bullets(writes), reads])];
}
