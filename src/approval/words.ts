import type { Message } from '../blocks/message.ts';
import { note, titled } from '../blocks/note.ts';
import { bold } from '../blocks/rich.ts';

/** What only the person who clicked or edited reads. */

export function tooLate(): Message {
  const advice = ' That plan has since been decided or replaced. Use the newest card.';
  return note([bold('Nothing was changed.'), advice]);
}

export function alreadyOver(): Message {
  return titled('Nothing to stop.', ['That run is over; the thread shows how it ended.']);
}

export function enoughDryRuns(max: number): Message {
  return titled('Dry-run limit reached.', [
    `A request gets ${max} dry runs. The thread shows what they found.`,
  ]);
}

export function enoughRevisions(max: number): Message {
  return titled('Revision limit reached.', [
    `A request gets ${max} revisions. Approve or reject the newest card, or ask again.`,
  ]);
}

export function stopAsked(): Message {
  return titled('Stopping.', ['Nothing further is written. What was already done stays done.']);
}
