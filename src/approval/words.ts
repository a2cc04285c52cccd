import type { Message } from '../blocks/message.ts';
import { note, titled } from '../blocks/note.ts';
import { bold, link, type Span } from '../blocks/rich.ts';
import { cut } from '../core/clean-text.ts';
import { progressRows } from './approver-words.ts';
import type { ApprovalProgress } from './required-approvals.ts';

/** Visible only to the person who clicked or edited. */

export function tooLate(): Message {
  const advice = ' That plan has since been decided or replaced. Use the newest card.';
  return note([bold('Nothing was changed.'), advice]);
}

/** After an approval that is not the last one needed. */
export function moreNeeded(progress: ApprovalProgress): Message {
  return note([bold('Your approval counts. Nothing runs yet.')], ...progressRows(progress));
}

export function alreadyOver(): Message {
  return titled('Nothing to stop.', ['That is over already; its card shows how it ended.']);
}

export function stoppedInTime(): Message {
  return titled('Stopped before anything was written.', ['Its card is closed.']);
}

export function enoughDryRuns(max: number): Message {
  return titled('Dry-run limit reached.', [
    `Each request gets at most ${max} dry runs. The thread has their results.`,
  ]);
}

export function enoughRevisions(max: number): Message {
  return titled('Revision limit reached.', [
    `Each request gets at most ${max} revisions. Approve or reject the newest card, or ask again.`,
  ]);
}

export function stopAsked(): Message {
  return titled('Stopping.', [
    'What is already on its way may still arrive. What was already done stays done.',
  ]);
}

/** The card of an equivalent request, and what this request said that no step carries, as notes. */
interface Existing {
  /** Null while the card is not posted. */
  readonly address: string | null;
  readonly omissions: readonly string[];
}

/** An equivalent request is waiting or running. */
export function joined(of: Existing & { readonly isOpen: boolean; readonly askedBefore: boolean }): Message {
  const card: Span[] =
    of.address === null
      ? ['Its card follows here in a moment. ']
      : [link(of.address, 'Here is its card'), '. '];
  const you = of.askedBefore
    ? 'You have already asked for it.'
    : 'You have been added to the people who asked.';
  return titled(`This is already ${of.isOpen ? 'waiting for approval' : 'under way'}.`, [
    ...card,
    you,
    ...of.omissions.map((note) => ` ${note}`),
  ]);
}

/** An equivalent request was made by a person who may approve the waiting one. */
export function waitsForYou({ address, omissions }: Existing): Message {
  const card: Span[] =
    address === null ? ['Its card follows here in a moment. '] : [link(address, 'Here is its card'), '. '];
  return titled('This is already waiting for approval.', [
    ...card,
    'You may approve it there.',
    ...omissions.map((note) => ` ${note}`),
  ]);
}

/** Why a card is cancelled, or not approved. */
export function madeUnderOtherRules(changed: readonly string[]): string {
  return cut(`Changed since this card was made: ${changed.join(', ')}.`, 300);
}

export function sameUnderWay(): Message {
  return titled('Nothing was changed.', ['A plan that does exactly this is already waiting or running.']);
}

/** Below a rejected card; `why`: the problem with the reason, if known. */
export function noNewPlan(why: string | null): Message {
  const problem = why === null ? 'The reason names no change that I could make to this plan.' : why;
  return titled('No new plan.', [problem, 'Ask again with the change to get one.']);
}
