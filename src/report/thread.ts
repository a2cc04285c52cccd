import type { RichTextBlockElement } from '@slack/types';
import { cardAddress } from '../blocks/card-address.ts';
import { fallbackText } from '../blocks/escape.ts';
import { isSaid, linked, linksOf, type ShownResult } from '../blocks/links.ts';
import type { Block, Message } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import {
  bold,
  code,
  codeLink,
  italic,
  line,
  lines,
  link,
  person,
  preformatted,
  rich,
  type Span,
} from '../blocks/rich.ts';
import { shownTable } from '../blocks/table.ts';
import { cut, cutWords, oneLine } from '../core/inert.ts';
import { own } from '../core/own.ts';
import type { Sealed } from '../core/revision.ts';
import type { CriterionResult, RunEvent, StepResult } from '../core/run.ts';
import { capital, sayCriterion, stepSentence } from '../core/words.ts';
import {
  details,
  onlyIf,
  outcomeWords,
  shownResult,
  skipWords,
  stepOf,
  type Told,
  withoutStop,
} from './evidence.ts';
import { outcomeTitles } from './progress.ts';

/** All words of the thread: one reply a step, and one final line. */

const maxCharacters = 2_600;
/** Characters of JSON that a table or list may take; with the rest the message stays below what Slack takes. */
const tableRoom = 9_500;
const titles = { succeeded: '✓', skipped: '– Skipped:', failed: '✗ FAILED:', unknown: '? UNKNOWN:' } as const;

const advice: Partial<Record<StepResult['status'], string>> = {
  failed: 'It did not happen.',
  unknown: 'It may or may not have happened, and it will not be retried. Please check.',
};

/** A message, and the same for where Slack does not take its blocks; null when every Slack does. */
export interface Reply {
  readonly message: Message;
  readonly fallback: Message | null;
}

/** One step with its evidence: numbers, query, key, link, list, or why not. */
export function stepReply(told: Told, result: StepResult): Reply {
  const headline = outcomeWords(told, result);
  const shown = shownResult(told, result);
  const table = shown && shownTable(shown, { caption: capital(headline), room: tableRoom });
  const text = fallbackText(`${titles[result.status]} ${headline}`);
  const above = stepRows(told, result, headline);
  if (table === null) {
    const body = shown === null ? { rows: [], elements: [] } : longText(shown);
    const blocks = [rich([lines([...above, ...body.rows]), ...body.elements])];
    return { message: { text, blocks }, fallback: null };
  }
  const below = shown?.manifest.shows?.prose === undefined ? [] : longText(shown).elements;
  const prose = below.length === 0 ? [] : [rich(below)];
  const withList = (list: Block, count: number): Message => {
    const fewer = count < table.total ? [[italic(`${count} of ${table.total} shown`)]] : [];
    return { text, blocks: [rich([lines([...above, ...fewer])]), list, ...prose] };
  };
  return {
    message: withList(table.table, table.inTable),
    fallback: withList(table.list, table.inList),
  };
}

function stepRows(told: Told, result: StepResult, headline: string): Span[][] {
  const shown = shownResult(told, result);
  const links = shown === null ? [] : linksOf(shown);
  const rows: Span[][] = [[bold(`${titles[result.status]} `), ...linked(capital(headline), links)]];
  const condition = onlyIf(told, result.stepId);
  const byCondition = result.reason?.code === 'condition_false';
  if (byCondition && condition !== null) rows.push(['only if ', condition]);
  if (result.reason && result.status !== 'succeeded') rows.push([result.reason.message]);
  const hint = advice[result.status];
  if (hint !== undefined) rows.push([bold(hint)]);
  for (const note of result.notes ?? []) rows.push([italic(note)]);
  const facts = details(told, result);
  for (const { name, value } of facts) {
    const to = links.find((one) => one.name === value);
    const short = cutWords(oneLine(value), 300);
    rows.push([`${name}: `, to === undefined ? code(short) : codeLink(to.url, short)]);
  }
  const said = [capital(headline), ...facts.map(({ value }) => value)];
  const unsaid = links.filter((one) => !said.some((text) => isSaid(text, one)));
  return [...rows, ...unsaid.map(({ url, words }) => [link(url, words)])];
}

/** Sentences as a paragraph, and `lines` as they stand, as many whole lines as fit. */
function longText({ manifest, result }: ShownResult): { rows: Span[][]; elements: RichTextBlockElement[] } {
  const { prose } = manifest.shows ?? {};
  const text = own(result, prose ?? 'lines');
  if (typeof text !== 'string' || text === '') return { rows: [], elements: [] };
  if (prose !== undefined) return { rows: [], elements: [line(cutWords(text, maxCharacters))] };
  const all = text.split('\n');
  const kept = firstLines(all, maxCharacters);
  if (kept.length === all.length) return { rows: [], elements: [preformatted(text)] };
  const shown = preformatted(cutWords(kept.join('\n'), maxCharacters));
  return { rows: [[italic(`${kept.length} of ${all.length} lines shown`)]], elements: [shown] };
}

/** As many whole lines as fit, and at least one. */
function firstLines(all: readonly string[], max: number): readonly string[] {
  let length = -1;
  const over = all.findIndex((one) => {
    length += one.length + 1;
    return length > max;
  });
  return over === -1 ? all : all.slice(0, Math.max(1, over));
}

/** Where a changed plan is now: its card stands in the channel, and people follow the thread of the old one. */
export function movedReply({ requestId, number }: Pick<Sealed, 'requestId' | 'number'>): Message {
  const newer = link(cardAddress(requestId, number), `Revision ${number}`);
  return note([bold('This plan was changed. '), newer, ' is the card to decide on.']);
}

/** A card that nobody decided on in time; whoever asked is called by it. */
export function expiredReply({ requester }: Pick<Sealed, 'requester'>): Message {
  const who: Span[] = /^[UW]/.test(requester) ? [person(requester), ' '] : [];
  return note([
    bold('Expired. '),
    ...who,
    'nobody decided in time, so nothing ran. Ask again for a new card.',
  ]);
}

/** How a run ended, as it told. */
export type Ending = Pick<
  Extract<RunEvent, { type: 'finished' }>,
  'outcome' | 'results' | 'criteria' | 'reason' | 'mode'
>;

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
  const links = ending.results.flatMap((result) => {
    const shown = shownResult(told, result);
    return shown === null ? [] : linksOf(shown);
  });
  const rows: Span[][] = [[bold(`${title}: `), ...linked(cutWords(rest.join(': '), maxCharacters), links)]];
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
