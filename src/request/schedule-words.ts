import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, line, quote, rich, type Span, time } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/inert.ts';

/** What a channel is told when a schedule did not do what its clock says. */

const reasons = {
  missed: 'Countersign was not running then. The missed run was not replayed; use /plan if it still matters.',
  overlap: 'Its last plan is still running or waiting for a decision, so it did not start another.',
} as const;

export function scheduleSkipped(name: string, ticks: readonly Date[], why: keyof typeof reasons): Message {
  const [first] = ticks;
  const last = ticks.at(-1);
  const span: Span[] =
    first === undefined || last === undefined || ticks.length === 1
      ? [' at ', time((first ?? new Date(0)).toISOString())]
      : [` ${ticks.length} times from `, time(first.toISOString()), ' to ', time(last.toISOString())];
  const verb = why === 'missed' ? 'was missed' : 'was skipped';
  return note([bold(`The schedule “${name}” ${verb}`), ...span, '. ', reasons[why]]);
}

/** What would be said to a person who asked is said to a channel here: it has to say who asked, and for what. */
export function scheduleNotPlanned(name: string, goal: string, message: Message): Message {
  const asked = rich([line(bold(`The schedule “${name}” asked:`)), quote(cut(oneLine(goal), 300))]);
  return {
    text: fallbackText(`The schedule ${name}: ${message.text}`),
    blocks: [asked, ...message.blocks],
  };
}

export function scheduleFailed(name: string, message: string): Message {
  return note([bold(`The schedule “${name}” failed: `), cut(oneLine(message), 600), ' Nothing was run.']);
}
