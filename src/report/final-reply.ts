import { fallbackText } from '../blocks/escape.ts';
import { linked } from '../blocks/links.ts';
import type { Message } from '../blocks/message.ts';
import { bold, italic, line, lines, person, rich, type Span } from '../blocks/rich.ts';
import type { ServiceEntry } from '../core/catalogue.ts';
import { cut, cutWords } from '../core/clean-text.ts';
import { sayCriterion } from '../core/condition-words.ts';
import {
  type Approval,
  type CheckDue,
  type CriterionResult,
  isCorrectable,
  type RunEvent,
  type StepResult,
} from '../core/run.ts';
import { argWords, capital, stepSentence, withoutText } from '../core/step-words.ts';
import { checkDueWords } from './checked-words.ts';
import { type MissedCall, missedCall, phoneSpans } from './missed-call.ts';
import { outcomeTitles } from './progress.ts';
import {
  becauseWords,
  outcomeWords,
  resultLinks,
  skipWords,
  stepOf,
  type Wording,
  withoutStop,
} from './run-words.ts';
import { evidenceRows, onlyApproved, titles } from './thread.ts';

/** All wording of the end of a run: one final line. */

const maxCharacters = 2_600;

/** The end of a run, as its event reports it. */
export type Ending = Pick<
  Extract<RunEvent, { type: 'finished' }>,
  'outcome' | 'results' | 'criteria' | 'reason' | 'mode'
> & {
  readonly checks?: readonly CheckDue[];
  readonly approval?: Approval | null;
  /** Who requested it to stop, and when. */
  readonly stop?: { readonly by: string; readonly at: Date } | null;
};

/** "Done: 24 open P1 tickets in OPS; the SLA allows 20; Ana Ruiz was paged, on call for ops until 18:00 UTC." */
export function finalLine(wording: Wording, ending: Ending): string {
  const { outcome, results, reason, mode } = ending;
  const missed = mode === 'run' ? missedCall(wording, outcome, results) : null;
  const isMissed = ({ stepId }: StepResult) => missed?.steps.has(stepId) === true;
  const parts = [
    withoutStop(reason?.message ?? ''),
    ...results.filter(isMissed).map((result) => missedPart(wording, result)),
    ...results.filter((result) => !isMissed(result)).map((result) => partOf(wording, result, results)),
  ].filter(Boolean);
  return `${titleOf(ending, missed)}: ${within(maxCharacters, parts) || 'nothing was run'}.`;
}

/** Where all of it is too long, each part has the same room: what failed last is said, too. */
function within(max: number, parts: readonly string[]): string {
  const whole = parts.join('; ');
  if (whole.length <= max) return whole;
  return parts.map((part) => cutWords(part, Math.floor(max / parts.length) - 2)).join('; ');
}

/** "Nobody was paged" says more than "Failed"; but another write in doubt is always mentioned. */
function titleOf({ outcome, mode }: Ending, missed: MissedCall | null): string {
  const title = outcomeTitles[outcome];
  if (mode === 'dry_run') return `Dry run ${title.toLowerCase()}`;
  if (missed === null) return title;
  if (outcome !== 'unknown') return missed.words;
  return missed.isInDoubt ? `${missed.words}, please check` : `${missed.words}; ${title.toLowerCase()}`;
}

/** The title says already what came of it. */
function missedPart(wording: Wording, result: StepResult): string {
  const { stepId, tool, reason, status } = result;
  if (status === 'succeeded') return outcomeWords(wording, result);
  const step = stepOf(wording, stepId);
  const sentence = step === undefined ? tool : withoutText(stepSentence(step, wording.words));
  return reason === null ? sentence : `${sentence} (${withoutStop(reason.message)})`;
}

function partOf(wording: Wording, result: StepResult, results: readonly StepResult[]): string {
  const words = outcomeWords(wording, result);
  if (result.status === 'succeeded') return `${words}${becauseWords(wording, result, results)}`;
  if (result.status === 'skipped') {
    // A read that was not needed does not affect the outcome; a write that was not made does.
    const isWrite = wording.words.scope.get(result.stepId)?.effect !== 'read';
    return isWrite ? skipWords(wording, result, results) : '';
  }
  return `${failedTitle(wording, result)}: ${words}${result.reason ? ` (${withoutStop(result.reason.message)})` : ''}`;
}

/** "Nobody was paged" where its manifest has such words for a missing write. */
function failedTitle(wording: Wording, { stepId, status }: StepResult): string {
  if (status === 'unknown') return 'UNKNOWN';
  const step = stepOf(wording, stepId);
  const said = step && wording.words.scope.get(stepId)?.notDone?.(argWords(step, wording.words));
  return said === undefined ? 'NOT DONE' : capital(said);
}

export function finalReply(
  wording: Wording,
  ending: Ending,
  services: readonly ServiceEntry[] = [],
): Message {
  const text = finalLine(wording, ending);
  const [title = '', ...rest] = text.split(': ');
  const open = ending.criteria.filter((criterion) => criterion.holds !== true);
  const links = ending.results.flatMap((result) => resultLinks(wording, result));
  const rows: Span[][] = [[bold(`${title}: `), ...linked(cutWords(rest.join(': '), maxCharacters), links)]];
  const missed = missedCall(wording, ending.outcome, ending.results);
  const phone = missed === null ? [] : phoneSpans(wording, missed.steps, services);
  if (phone.length > 0) rows.push(['Call ', ...phone, '.']);
  rows.push(...ending.results.flatMap((result) => writeEvidence(wording, result, text)));
  const late = tooLate(wording, ending);
  if (late !== null) rows.push(late);
  for (const criterion of open) rows.push([italic(criterionWords(wording, criterion))]);
  rows.push(...(ending.checks ?? []).map((check) => checkDueWords(wording, check)));
  const doubts = ending.results.filter(({ status }) => status === 'unknown');
  const ask = doubts.every(isCorrectable) ? onlyApproved : lookFirst;
  if (doubts.length > 0) rows.push(calling([wording.sealed.requester, ...(ending.approval?.by ?? [])], ask));
  return { text: fallbackText(text), blocks: [rich([lines(rows)])] };
}

/** How a write is found again: its key and its address, where the line above has no link to it. */
function writeEvidence(wording: Wording, result: StepResult, line: string): Span[][] {
  const isWrite = wording.words.scope.get(result.stepId)?.effect === 'write';
  return isWrite && result.status === 'succeeded' ? evidenceRows(wording, result, line) : [];
}

/** Writes that were already under way at the time of the stop and succeeded; null if there are none. */
function tooLate(wording: Wording, { stop, results }: Ending): Span[] | null {
  if (!stop) return null;
  const late = results.filter(({ stepId, status, finishedAt }) => {
    const isWrite = wording.words.scope.get(stepId)?.effect !== 'read';
    return isWrite && status === 'succeeded' && Date.parse(finishedAt) >= stop.at.getTime();
  });
  if (late.length === 0) return null;
  const what = late.map((result) => outcomeWords(wording, result)).join('; ');
  return [bold('Stopped by '), person(stop.by), bold(', too late for: '), `${cutWords(what, 600)}.`];
}

const lookFirst = 'Check whether it happened, and ask again only if it did not: it will not be retried.';

/** The people who must look at what is in doubt: nobody else will. */
function calling(ids: readonly string[], ask: string): Span[] {
  const people = [...new Set(ids)].filter((id) => /^[UW]/.test(id));
  return [...people.flatMap((id): Span[] => [person(id), ' ']), bold(ask)];
}

function criterionWords(wording: Wording, { source, holds, why }: CriterionResult): string {
  const what = sayCriterion(source, wording.words);
  return holds === false ? `Not met: ${what}` : `Not checked: ${what}${why === null ? '' : ` (${why})`}`;
}

/** A dry run in one message: the results of its reads and what the writes would do. */
export function dryRunReply(wording: Wording, ending: Ending): Message {
  // Even forty steps fit into one message.
  const room = Math.max(100, Math.min(600, Math.floor(8_000 / Math.max(1, ending.results.length))));
  const rows = ending.results.map((result, index) => {
    const step = stepOf(wording, result.stepId);
    const sentence = step ? stepSentence(step, wording.words) : result.stepId;
    const why = result.reason?.message ?? sentence;
    const words = result.status === 'succeeded' ? outcomeWords(wording, result) : dryWords(result, why);
    return [`${index + 1}. ${cut(capital(words), room)}`];
  });
  const title = bold('Dry run. Nothing was written; the plan still needs approval.');
  return { text: fallbackText(finalLine(wording, ending)), blocks: [rich([line(title), lines(rows)])] };
}

function dryWords({ status, reason }: StepResult, why: string): string {
  if (reason?.code === 'dry_run') return why.replace(/^Dry run: /, '');
  return status === 'succeeded' ? why : `${titles[status]} ${why}`;
}
