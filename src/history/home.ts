import { divider, header } from '../blocks/layout.ts';
import type { Block, Home } from '../blocks/message.ts';
import { askableList, bullets, code, line, rich } from '../blocks/rich.ts';
import { type Askable, askableIn } from '../core/askable.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import type { Who } from '../core/person.ts';
import type { Watch } from '../core/watch.ts';
import { type Line, type Listed, linesOf, planLine } from './list.ts';
import { shown } from './pages.ts';
import { only, recent, running, visible } from './plans.ts';
import { askedBy, type HistoryDeps, maxSearched, waitingFor } from './status.ts';
import { watchBlocks, watchesFor } from './watch-list.ts';

/** The App Home. */

interface HomeList {
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
  /** Requests that work here. */
  readonly askable: readonly Askable[];
}

/** Plans that wait and plans that ran, how to ask, and what this person may approve; short, for a phone. */
export function renderHome(facts: HomeFacts): Home {
  const blocks: Block[] = [
    ...listBlocks('Waiting for you', facts.waiting, 'Nothing waits for your approval.', true),
    ...listBlocks('Your plans', facts.mine, 'You have not asked for a plan yet.', false),
    ...listBlocks('Running', facts.running, 'Nothing is running.', true),
    ...listBlocks('Recent runs', facts.recent, 'Nothing has run yet.', true),
    header('Watches'),
    ...(facts.watches.length === 0 ? [rich([line('Nothing is watched.')])] : watchBlocks(facts.watches)),
    divider(),
    header('What you can ask'),
    rich([
      line('Type ', code('/plan'), ' and what you want to know or have done:'),
      ...askableList(facts.askable),
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

function approveBlocks(mayApprove: readonly string[]): Block[] {
  const reads = line('Plans that only read: any full member, including whoever asked.');
  if (mayApprove.length === 0) return [rich([bullets([line('Plans that write: none.'), reads])])];
  const writes = mayApprove.map((words) => line(cut(oneLine(words), 120)));
  return [rich([line('Plans that write:'), bullets(writes), reads])];
}

export interface HomeDeps extends HistoryDeps {
  isFullMember(who: Who): Promise<boolean>;
  /** Whether the policy names the person for a write tool. */
  mayApproveTool(userId: string, tool: string): Promise<boolean>;
  /** Whether the policy lets anybody approve a write tool. */
  mayBeApproved(tool: string): boolean;
  publish(userId: string, home: Home): Promise<void>;
  /** Suggests up to four requests in a direct conversation. */
  suggest(channel: string, prompts: readonly Prompt[]): Promise<void>;
}

interface Prompt {
  readonly title: string;
  readonly message: string;
}

const maxPrompts = 4;
const maxPromptTitle = 75;

/** Suggests requests that work here in a direct conversation: one of each system, then others; none to guests. */
export async function suggestRequests(who: Who, channel: string, deps: HomeDeps): Promise<void> {
  if (!(await deps.isFullMember(who))) return;
  const goals = askableIn(deps.catalogue, deps.mayBeApproved).map((one) => one.goals);
  const most = Math.max(0, ...goals.map(({ length }) => length));
  const inTurn = Array.from({ length: most }, (_, nth) => goals.flatMap((ones) => ones[nth] ?? []));
  const shown = [...new Set(inTurn.flat())].slice(0, maxPrompts);
  await deps.suggest(
    channel,
    shown.map((message) => ({ title: cut(message, maxPromptTitle), message })),
  );
}

/**
 * Shows the App Home: plans waiting for this person, their requests, running and finished plans, how to ask, and what
 * they may approve. Plans from private channels appear only for their members; guests see nothing.
 */
export async function showHome(who: Who, deps: HomeDeps): Promise<void> {
  if (!(await deps.isFullMember(who))) return;
  const { userId } = who;
  const [waiting, mine, active, ran, watches] = await Promise.all([
    waitingFor(userId, deps),
    askedBy(userId, deps),
    running(deps, maxSearched).then((all) => visible(userId, all, deps)),
    recent(deps, maxSearched).then((all) => visible(userId, all, deps)),
    watchesFor(userId, deps),
  ]);
  const home = renderHome({
    waiting: await listOf(waiting),
    mine: await listOf(mine),
    running: await listOf(active),
    recent: await listOf(ran.filter(({ state }) => state.kind !== 'running')),
    watches,
    mayApprove: await approvable(userId, deps),
    askable: askableIn(deps.catalogue, deps.mayBeApproved),
  });
  await deps.publish(userId, home);
}

async function listOf(all: readonly Listed[]): Promise<HomeList> {
  const lines = await linesOf(all.slice(0, shown));
  return { lines, more: all.length - lines.length };
}

/** Actions of the write tools this person may approve, as far as that can be decided now. */
async function approvable(userId: string, { catalogue, mayApproveTool }: HomeDeps): Promise<string[]> {
  const writes = [...catalogue.manifests.values()].filter(({ effect }) => effect === 'write');
  const may = await only(writes, ({ name }) => mayApproveTool(userId, name));
  return may.map(({ summary }) => firstSentence(summary));
}

function firstSentence(text: string): string {
  return /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
}
