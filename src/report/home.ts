import { divider, header } from '../blocks/layout.ts';
import type { Block, Home } from '../blocks/message.ts';
import { bold, bullets, code, line, link, person, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/inert.ts';
import type { RunOutcome } from '../core/run.ts';
import { outcomeTitles } from './progress.ts';

/** All words of the App Home. */

export interface WaitingCard {
  readonly summary: string;
  readonly requester: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Address of the card as Slack gave it, when there is one. */
  readonly link: string | null;
}

export interface RecentRun {
  readonly summary: string;
  /** Null while it runs. */
  readonly outcome: RunOutcome | null;
  /** ISO 8601: when it ended, or when it began while it runs. */
  readonly at: string;
  readonly link: string | null;
}

export interface HomeFacts {
  /** Those that expire first. */
  readonly waiting: readonly WaitingCard[];
  readonly waitingInAll: number;
  readonly recent: readonly RecentRun[];
  /** What write tools do whose plans this person may approve: "Page the engineer who is on call." Empty: none. */
  readonly mayApprove: readonly string[];
  /** Goals that work here, as one would type them after /plan. */
  readonly examples: readonly string[];
}

/** What waits, what ran, how to ask and what this person may approve; short, for a phone. */
export function renderHome(facts: HomeFacts): Home {
  const blocks: Block[] = [
    header('Waiting for approval'),
    listOrNone(facts.waiting.map(waitingLine), 'No plans are waiting.'),
    ...others(facts.waitingInAll - facts.waiting.length),
    header('Recent runs'),
    listOrNone(facts.recent.map(runLine), 'Nothing has run yet.'),
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

function examples(goals: readonly string[]): ReturnType<typeof bullets>[] {
  if (goals.length === 0) return [];
  return [bullets(goals.slice(0, 5).map((goal) => line(code(`/plan ${goal}`))))];
}

function listOrNone(items: readonly ReturnType<typeof line>[], none: string): Block {
  return items.length === 0 ? rich([line(none)]) : rich([bullets(items)]);
}

function others(count: number): Block[] {
  return count > 0 ? [rich([line(`and ${count} more`)])] : [];
}

function titleOf(summary: string, address: string | null): Span {
  const title = cut(oneLine(summary), 120);
  return address === null ? title : link(address, title);
}

function waitingLine(card: WaitingCard): ReturnType<typeof line> {
  const until: Span[] = ['until ', time(card.expiresAt)];
  return line(titleOf(card.summary, card.link), ' · asked by ', person(card.requester), ' · ', ...until);
}

function runLine(run: RecentRun): ReturnType<typeof line> {
  const state = run.outcome === null ? 'Running' : outcomeTitles[run.outcome];
  return line(bold(state), ' · ', titleOf(run.summary, run.link), ' · ', time(run.at));
}

function approveBlocks(mayApprove: readonly string[]): Block[] {
  const reads = line('Plans that only read: any full member, including whoever asked.');
  if (mayApprove.length === 0) return [rich([bullets([line('Plans that write: none.'), reads])])];
  const writes = mayApprove.map((words) => line(cut(oneLine(words), 120)));
  return [rich([line('Plans that write:'), bullets(writes), reads])];
}
