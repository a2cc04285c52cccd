import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import { isSaid, linked, linksOf } from '../blocks/links.ts';
import type { Block, Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { bold, code, codeLink, italic, line, lines, link, person, rich, type Span } from '../blocks/rich.ts';
import { shownTable } from '../blocks/table.ts';
import type { ServiceEntry } from '../core/catalogue.ts';
import { cut, cutWords, oneLine } from '../core/clean-text.ts';
import { sayCriterion } from '../core/condition-words.ts';
import type { Sealed } from '../core/revision.ts';
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
import { longText } from './long-text.ts';
import { type MissedCall, missedCall, phoneSpans } from './missed-call.ts';
import { outcomeTitles } from './progress.ts';
import {
  approvedSpans,
  becauseWords,
  details,
  onlyIf,
  outcomeWords,
  shownResult,
  skipWords,
  stepOf,
  type Wording,
  withoutStop,
} from './run-words.ts';

/** All wording of the thread: one reply per step, and one final line. */

const maxCharacters = 2_600;
/** Maximum JSON characters of a table or list; together with the rest the message stays within Slack's limit. */
const tableRoom = 9_500;
const titles = { succeeded: '✓', skipped: '– Skipped:', failed: '✗ FAILED:', unknown: '? UNKNOWN:' } as const;

const advice: Partial<Record<StepResult['status'], string>> = {
  failed: 'It did not happen.',
  unknown: 'It may or may not have happened, and it will not be retried. Please check.',
};

const onlyApproved = 'Please check. It is sent again only with another approval.';

/** A message and its fallback where Slack rejects its blocks; null when it needs none. */
export interface Reply {
  readonly message: Message;
  readonly fallback: Message | null;
}

/** One step with its evidence: numbers, query, key, link, list, or why not. `approval`: if it is shown here. */
export function stepReply(wording: Wording, result: StepResult, approval: Approval | null = null): Reply {
  const headline = outcomeWords(wording, result);
  const shown = shownResult(wording, result);
  const table = shown && shownTable(shown, { caption: capital(headline), room: tableRoom });
  const text = fallbackText(`${titles[result.status]} ${headline}`);
  const approved: Span[][] = approval === null ? [] : [approvedSpans(approval)];
  const above = [...stepRows(wording, result, headline), ...approved];
  if (table === null) {
    const body = shown === null ? { rows: [], elements: [] } : longText(shown);
    const blocks = [rich([lines([...above, ...body.rows]), ...body.elements])];
    return { message: { text, blocks }, fallback: null };
  }
  const below = shown?.manifest.shows?.prose === undefined ? [] : longText(shown).elements;
  const prose = below.length === 0 ? [] : [rich(below)];
  const withList = (list: Block, of: string | null): Message => {
    const fewer = of === null ? [] : [[italic(of)]];
    return { text, blocks: [rich([lines([...above, ...fewer])]), list, ...prose] };
  };
  return {
    message: withList(table.table, table.ofTable),
    fallback: withList(table.list, table.ofList),
  };
}

function stepRows(wording: Wording, result: StepResult, headline: string): Span[][] {
  const shown = shownResult(wording, result);
  const links = shown === null ? [] : linksOf(shown);
  const rows: Span[][] = [[bold(`${titles[result.status]} `), ...linked(capital(headline), links)]];
  const condition = onlyIf(wording, result.stepId);
  const byCondition = result.reason?.code === 'condition_false';
  if (byCondition && condition !== null) rows.push(['only if ', condition]);
  if (result.reason && result.status !== 'succeeded') rows.push([result.reason.message]);
  const hint = isCorrectable(result) ? onlyApproved : advice[result.status];
  if (hint !== undefined) rows.push([bold(hint)]);
  return [...rows, ...evidenceRows(wording, result, capital(headline))];
}

/** Details of a step beyond its headline: notes, its query and the like, links not shown yet. */
export function evidenceRows(wording: Wording, result: StepResult, headline: string): Span[][] {
  const shown = shownResult(wording, result);
  const links = shown === null ? [] : linksOf(shown);
  const facts = details(wording, result);
  const rows = facts.map(({ name, value }): Span[] => {
    const to = links.find((one) => one.name === value);
    const short = cutWords(oneLine(value), 300);
    return [`${name}: `, to === undefined ? code(short) : codeLink(to.url, short)];
  });
  const said = [headline, ...facts.map(({ value }) => value)];
  const unsaid = links.filter((one) => !said.some((text) => isSaid(text, one)));
  const notes = (result.notes ?? []).map((note): Span[] => [italic(note)]);
  return [...notes, ...rows, ...unsaid.map(({ url, words }): Span[] => [link(url, words)])];
}

/** The location of a changed plan: its card is in the channel, and people follow the thread of the old one. */
export function movedReply(
  { requestId, number }: Pick<Sealed, 'requestId' | 'number'>,
  isAnswer = false,
): Message {
  const newer = link(
    cardAddress(requestId, number),
    isAnswer ? 'Here is the new answer' : `Revision ${number}`,
  );
  if (isAnswer) return note([newer, '.']);
  return note([bold('This plan was changed. '), newer, ' is the card to decide on.']);
}

/** A card that expired undecided; mentions the requester. */
export function expiredReply({ requester }: Pick<Sealed, 'requester'>): Message {
  const next: Span[] = /^[UW]/.test(requester) ? [person(requester), ', ask'] : ['Ask'];
  return note([
    bold('Expired.'),
    ' Nobody decided in time, so nothing ran. ',
    ...next,
    ' again for a new card.',
  ]);
}

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
  return `${titleOf(ending, missed)}: ${parts.join('; ') || 'nothing was run'}.`;
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
  const links = ending.results.flatMap((result) => {
    const shown = shownResult(wording, result);
    return shown === null ? [] : linksOf(shown);
  });
  const rows: Span[][] = [[bold(`${title}: `), ...linked(cutWords(rest.join(': '), maxCharacters), links)]];
  const missed = missedCall(wording, ending.outcome, ending.results);
  const phone = missed === null ? [] : phoneSpans(wording, missed.steps, services);
  if (phone.length > 0) rows.push(['Call ', ...phone, '.']);
  const late = tooLate(wording, ending);
  if (late !== null) rows.push(late);
  for (const criterion of open) rows.push([italic(criterionWords(wording, criterion))]);
  rows.push(...(ending.checks ?? []).map((check) => checkDueWords(wording, check)));
  const doubts = ending.results.filter(({ status }) => status === 'unknown');
  const ask = doubts.every(isCorrectable) ? onlyApproved : lookFirst;
  if (doubts.length > 0) rows.push(calling([wording.sealed.requester, ...(ending.approval?.by ?? [])], ask));
  return { text: fallbackText(text), blocks: [rich([lines(rows)])] };
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
