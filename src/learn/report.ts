import { cut, oneLine } from '../core/clean-text.ts';
import { type PlannedRequest, wasUnhelpful } from '../core/planned-request.ts';
import type { SlotChange } from '../core/slot-change.ts';
import type { Counted, Lesson } from './lessons.ts';
import type { Suggestion } from './suggest.ts';

/** The lessons, one line each, for a terminal. */
export function report(
  asked: readonly PlannedRequest[],
  lessons: readonly Lesson[],
  found: readonly Suggestion[],
): string[] {
  const count = (fits: (one: PlannedRequest) => boolean): number => asked.filter(fits).length;
  const answered = count(({ answers }) => answers.length > 0);
  const edited = count(({ edits }) => edits.length > 0);
  const rejected = count(({ rejectedFor }) => rejectedFor !== null);
  const unhelpful = count(wasUnhelpful);
  const failed = count(({ failures }) => failures.length > 0);
  const broke = failed === 0 ? '' : `, ${failed} with a step that failed`;
  const rated = unhelpful === 0 ? '' : `, ${unhelpful} rated as not helpful`;
  return [
    `${asked.length} requests with a plan: ${answered} after a question, ${edited} edited, ${rejected} rejected${rated}${broke}`,
    ...lessons.flatMap(lessonLines),
    '',
    ...suggestionLines(found),
  ];
}

function lessonLines(lesson: Lesson): string[] {
  const { playbook, phrase, asked, answers, changes, reasons, complaints, failures } = lesson;
  const name = playbook === null ? `“${short(phrase ?? '')}”` : `playbook ${playbook}`;
  return [
    '',
    `${name}, asked ${asked}×`,
    ...lines(answers, ({ question, answer }) => `asked: ${short(question)} Answer: ${short(answer)}`),
    ...lines(changes, (change) => `edited: ${changeWords(change)}`),
    ...lines(reasons, (reason) => `rejected: ${short(reason)}`),
    ...lines(failures, ({ tool, code, message }) => `failed: ${tool}: ${short(message || code)}`),
    ...lines(complaints, (why) => `not helpful${why === '' ? '' : `: ${short(why)}`}`),
  ];
}

function lines<T>(counted: readonly Counted<T>[], words: (what: T) => string): string[] {
  return counted.map(({ what, times }) => `  ${times}× ${words(what)}`);
}

function changeWords({ tool, slot, from, to }: SlotChange): string {
  if (slot === 'step' && from === '') return `${tool} added`;
  if (slot === 'step' && to === '') return `${tool} left out`;
  return `${slot} of ${tool}: ${from === '' ? 'nothing' : short(from)} → ${to === '' ? 'nothing' : short(to)}`;
}

function suggestionLines(found: readonly Suggestion[]): string[] {
  if (found.length === 0) {
    return ['No suggestions: no word and no playbook would have saved the same correction three times.'];
  }
  return [
    'Suggestions. Each was tried: those requests would have been planned at once as people corrected them.',
    ...found.flatMap((one, index) => [
      `${index + 1}. ${oneLine(suggestionWords(one))}`,
      ...[...new Set(one.helps)].map((goal) => `     “${short(goal)}”`),
    ]),
    '',
    'npm run -s cli -- learn apply 1 shows the first and makes it; with --dry-run it is only shown.',
  ];
}

function suggestionWords(one: Suggestion): string {
  if (one.kind === 'word') return `Add “${one.word}” to ${one.path.join('.')} (${one.helps.length} requests)`;
  return `Keep the plan of “${short(one.goal)}” as a playbook (${one.helps.length} requests)`;
}

function short(text: string): string {
  return cut(oneLine(text), 100);
}
