import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import type { Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, italic, line, lines, link, preformatted, rich, type Span } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/inert.ts';
import type { Sealed } from '../core/revision.ts';
import type { CriterionResult, RunEvent, StepResult } from '../core/run.ts';
import { capital, sayCriterion, stepSentence } from '../core/words.ts';
import {
  details,
  longText,
  onlyIf,
  outcomeWords,
  skipWords,
  stepOf,
  type Told,
  withoutStop,
} from './evidence.ts';
import { outcomeTitles } from './progress.ts';

/** All words of the thread: one reply a step, and one final line. */

const maxCharacters = 2_600;
const titles = { succeeded: '✓', skipped: '– Skipped:', failed: '✗ FAILED:', unknown: '? UNKNOWN:' } as const;

const advice: Partial<Record<StepResult['status'], string>> = {
  failed: 'It did not happen.',
  unknown: 'It may or may not have happened, and it will not be retried. Please check.',
};

/** One step with its evidence: numbers, query, key, link, or why not. */
export function stepReply(told: Told, result: StepResult): Message {
  const headline = outcomeWords(told, result);
  const rows: Span[][] = [[bold(`${titles[result.status]} `), capital(headline)]];
  const condition = onlyIf(told, result.stepId);
  const byCondition = result.reason?.code === 'condition_false';
  if (byCondition && condition !== null) rows.push(['only if ', condition]);
  if (result.reason && result.status !== 'succeeded') rows.push([result.reason.message]);
  const hint = advice[result.status];
  if (hint !== undefined) rows.push([bold(hint)]);
  for (const note of result.notes ?? []) rows.push([italic(note)]);
  const made = linkOf(told, result);
  if (made !== null) rows.push([made]);
  for (const { name, value } of details(told, result))
    rows.push([`${name}: `, code(cut(oneLine(value), 300))]);
  const long = longText(result);
  const body = long === null ? [] : [preformatted(cut(long, maxCharacters))];
  return {
    text: fallbackText(`${titles[result.status]} ${headline}`),
    blocks: [rich([lines(rows), ...body])],
  };
}

/** Where a changed plan is now: its card stands in the channel, and people follow the thread of the old one. */
export function movedReply({ requestId, number }: Pick<Sealed, 'requestId' | 'number'>): Message {
  const newer = link(cardAddress(requestId, number), `Revision ${number}`);
  return note([bold('This plan was changed. '), newer, ' is the card to decide on.']);
}

/** How a run ended, as it told. */
export type Ending = Pick<
  Extract<RunEvent, { type: 'finished' }>,
  'outcome' | 'results' | 'criteria' | 'reason' | 'mode'
>;

/** The address of what a write made, as its vendor gave it: the only kind that is made live here. */
function linkOf({ words }: Told, { stepId, result }: StepResult): Span | null {
  const made = words.scope.get(stepId)?.made;
  const address = made === undefined ? undefined : result?.[made.field];
  if (made === undefined || typeof address !== 'string' || !/^https?:\/\//.test(address)) return null;
  return link(address, made.words);
}

/** "Done: 24 open P1 tickets in OPS; the SLA allows 20; Ana Ruiz was paged, on call for ops until 18:00 UTC." */
export function finalLine(told: Told, ending: Ending): string {
  const title =
    ending.mode === 'dry_run'
      ? `Dry run ${outcomeTitles[ending.outcome].toLowerCase()}`
      : outcomeTitles[ending.outcome];
  const parts = ending.results.map((result) => partOf(told, result, ending.results)).filter(Boolean);
  const said = [withoutStop(ending.reason?.message ?? ''), ...parts].filter(Boolean).join('; ');
  return `${title}: ${said || 'nothing was run'}.`;
}

function partOf(told: Told, result: StepResult, results: readonly StepResult[]): string {
  const words = outcomeWords(told, result);
  if (result.status === 'succeeded') return words;
  if (result.status === 'skipped') {
    // A read that was not needed says nothing about the outcome; a write that was not made does.
    const isWrite = told.words.scope.get(result.stepId)?.effect !== 'read';
    return isWrite ? skipWords(told, result, results) : '';
  }
  return `${result.status === 'unknown' ? 'UNKNOWN' : 'NOT DONE'}: ${words}${result.reason ? ` (${withoutStop(result.reason.message)})` : ''}`;
}

export function finalReply(told: Told, ending: Ending): Message {
  const text = finalLine(told, ending);
  const [title = '', ...rest] = text.split(': ');
  const open = ending.criteria.filter((criterion) => criterion.holds !== true);
  const rows: Span[][] = [[bold(`${title}: `), cut(rest.join(': '), maxCharacters)]];
  for (const criterion of open) rows.push([italic(criterionWords(told, criterion))]);
  return { text: fallbackText(text), blocks: [rich([lines(rows)])] };
}

function criterionWords(told: Told, { source, holds, why }: CriterionResult): string {
  const what = sayCriterion(source, told.words);
  return holds === false ? `Not met: ${what}` : `Not checked: ${what}${why === null ? '' : ` (${why})`}`;
}

/** A dry run in one message: what was read and what the writes would do. */
export function dryRunReply(told: Told, ending: Ending): Message {
  // Forty steps are one message, too.
  const room = Math.max(100, Math.min(600, Math.floor(8_000 / Math.max(1, ending.results.length))));
  const rows = ending.results.map((result, index) => {
    const step = stepOf(told, result.stepId);
    const sentence = step ? stepSentence(step, told.words) : result.stepId;
    const why = result.reason?.message ?? sentence;
    const words = result.status === 'succeeded' ? outcomeWords(told, result) : dryWords(result, why);
    return [`${index + 1}. ${cut(capital(words), room)}`];
  });
  const title = bold('Dry run. Nothing was written; the plan still needs approval.');
  return { text: fallbackText(finalLine(told, ending)), blocks: [rich([line(title), lines(rows)])] };
}

function dryWords({ status, reason }: StepResult, why: string): string {
  if (reason?.code === 'dry_run') return why.replace(/^Dry run: /, '');
  return status === 'succeeded' ? why : `${titles[status]} ${why}`;
}
