import { askedBlock, cardFacts } from '../blocks/card-frame.ts';
import { writeCardRef } from '../blocks/card-ref.ts';
import { codeElements, writtenElements } from '../blocks/code-block.ts';
import { fallbackText } from '../blocks/escape.ts';
import { sizeOf } from '../blocks/fit.ts';
import { actionIds } from '../blocks/ids.ts';
import { actions, button, folded } from '../blocks/layout.ts';
import { linked, type ShownResult } from '../blocks/links.ts';
import type { Block, Message } from '../blocks/message.ts';
import { notesBlock } from '../blocks/plan-notes.ts';
import { ratingBlock } from '../blocks/rating.ts';
import { bold, bullets, italic, line, lines, ordered, rich, type Span, time } from '../blocks/rich.ts';
import { shownTable } from '../blocks/table.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { factsAndWord, verdictOf } from '../core/condition-result.ts';
import { writtenText } from '../core/queries/written.ts';
import { refsOf, splitRef } from '../core/refs.ts';
import type { Revision } from '../core/revision.ts';
import type { StepResult } from '../core/run.ts';
import { capital, stepSentence, withoutText } from '../core/step-words.ts';
import { comparedIn, numbersSaidIn } from './compared.ts';
import { longText } from './long-text.ts';
import {
  outcomeWords,
  resultLinks,
  shownResult,
  skipWords,
  stepOf,
  type Wording,
  withoutStop,
} from './run-words.ts';
import { evidenceRows } from './thread.ts';

/** All wording of an answer: the results of a plan with nothing to write. One message, headline first. */

export interface Read {
  readonly results: readonly StepResult[];
  /** Why nothing could be read at all; absent otherwise. */
  readonly reason?: { readonly message: string } | undefined;
  /** Time of the reads (ISO 8601). */
  readonly at: string;
  /** Changes since the previous plan, in plain words. */
  readonly changes: readonly string[];
}

const maxGoal = 300;
const maxRow = 500;
const maxChanges = 12;
/** Maximum JSON characters of an answer, and of the frame around one list. */
const messageRoom = 12_800;
const frameRoom = 300;

/** `fallback` is for Slack clients without collapsible blocks and feedback buttons: everything is expanded. */
export function renderAnswer(
  revision: Revision,
  wording: Wording,
  read: Read,
): { message: Message; fallback: Message } {
  const rows = answerRows(wording, read);
  const text = fallbackText(rows.map((row) => row.map(wordOf).join('')).join(' '));
  const head = rich([lines(rows)], 'answer');
  const about: Block[] = [
    ...notesBlock(revision, wording.words.scope),
    askedBlock(revision, cut(oneLine(revision.sealed.plan.goal), maxGoal)),
  ];
  const items = read.results.map((result) => evidenceItem(wording, result));
  const sources = read.results.flatMap(({ stepId }) => sourceOf(stepId, wording));
  const evidence = [
    ...(items.length === 0 ? [] : [rich([ordered(items), ...sources], 'steps')]),
    ...changed(read.changes),
    cardFacts(revision, { open: false }),
  ];
  const fold = folded('How this was found', evidence, 'evidence');
  const end = actions(againButtons(revision), 'buttons');
  const rating = ratingBlock(revision);
  const left = messageRoom - sizeOf([head, ...about, end, rating]);
  // A list matters more than how it was found.
  const [last, open] = sizeOf([fold]) < left / 2 ? [[fold], evidence] : [[], []];
  const found = lists(wording, read, left - sizeOf(last));
  return {
    message: { text, blocks: [head, ...found.message, ...about, ...last, end, rating] },
    fallback: { text, blocks: [head, ...found.fallback, ...about, ...open, end] },
  };
}

/** The headline, then other results, what was not written and why, and what could not be read. */
function answerRows(wording: Wording, { results, reason, at }: Read): Span[][] {
  if (results.length === 0)
    return [[bold('Nothing could be read: '), withoutStop(reason?.message ?? 'unknown'), '.']];
  const isWrite = ({ stepId }: StepResult) => wording.words.scope.get(stepId)?.effect !== 'read';
  const reads = results.filter((result) => !isWrite(result));
  const writes = results.filter(isWrite);
  const done = reads.filter(({ status }) => status === 'succeeded');
  const said = numbersSaidIn(wording, done);
  const succeeded = done.filter(({ stepId }) => !said.has(stepId));
  const compared = comparedIn(wording, succeeded);
  const inPairs = new Set(compared.flatMap((pair) => pair.results));
  const found = [
    ...compared.map((pair) => pair.words),
    ...succeeded.filter((result) => !inPairs.has(result)).map((result) => outcomeWords(wording, result)),
  ];
  const verdict = writes.length === 0 ? null : verdictRow(wording, writes, results);
  const links = reads.flatMap((result) => resultLinks(wording, result));
  const head =
    verdict ??
    (found.length === 0 ? [] : [strong(linked(`${capital(found.slice(0, 3).join('; '))}.`, links))]);
  const rest = verdict === null ? found.slice(3).map((words): Span[] => [`${capital(words)}.`]) : [];
  return [
    ...head,
    ...rest,
    ...writes.map((result): Span[] => [`${capital(skipWords(wording, result, results))}.`]),
    ...reads.flatMap((result) => notRead(wording, result)),
    [italic('Read '), time(at, '{time}'), italic('.')],
  ];
}

/** Everything in bold, including links. */
function strong(spans: readonly Span[]): Span[] {
  return spans.map((span) => {
    if (typeof span === 'string') return bold(span);
    return span.type === 'text' || span.type === 'link'
      ? { ...span, style: { ...span.style, bold: true } }
      : span;
  });
}

/** Why nothing was written: "18 open P1 tickets in OPS, the SLA allows 20: within the SLA." */
function verdictRow(
  { sealed, words }: Wording,
  writes: readonly StepResult[],
  results: readonly StepResult[],
): Span[][] {
  const conditions = [...new Set(writes.flatMap(({ stepId }) => words.steps.get(stepId)?.when ?? []))];
  return conditions.flatMap((when): Span[][] => {
    const verdict = verdictOf(when, { words, targets: sealed.targets }, results);
    return verdict === null ? [] : [[bold(factsAndWord(verdict).join(''))]];
  });
}

function notRead(wording: Wording, result: StepResult): Span[][] {
  if (result.status === 'succeeded' || result.status === 'skipped') return [];
  const step = stepOf(wording, result.stepId);
  const what = step ? withoutText(stepSentence(step, wording.words)) : result.stepId;
  const why = cut(oneLine(result.reason?.message ?? 'no reason was given'), maxRow);
  return [[bold('✗ Couldn’t find out: '), `${what}. ${why}`]];
}

/** Lists of tickets, summaries and the like: they were asked for, so they are expanded. */
function lists(
  wording: Wording,
  { results }: Read,
  listRoom: number,
): { message: Block[]; fallback: Block[] } {
  const found = resultsFirst(wording, results).flatMap((result) => shownResult(wording, result) ?? []);
  const caption = ({ manifest, args }: ShownResult) =>
    found.length > 1 ? manifest.sentence(args) : 'What was found';
  let left = listRoom;
  const all = found.map((shown, index) => {
    const room = Math.floor(left / (found.length - index)) - frameRoom;
    const made = listOf(shown, caption(shown), room);
    left -= Math.max(sizeOf(made.message), sizeOf(made.fallback)) + frameRoom;
    return made;
  });
  return {
    message: all.flatMap(({ message }) => message),
    fallback: all.flatMap(({ fallback }) => fallback),
  };
}

/** A summary goes above its sources. */
function resultsFirst(wording: Wording, results: readonly StepResult[]): readonly StepResult[] {
  const made = results.flatMap(({ stepId }) => {
    const step = stepOf(wording, stepId);
    return step ? refsOf(step).map(({ ref }) => splitRef(ref).step) : [];
  });
  const isUsed = ({ stepId }: StepResult) => made.includes(stepId);
  return [...results.filter((result) => !isUsed(result)), ...results.filter(isUsed)];
}

function listOf(shown: ShownResult, caption: string, room: number): { message: Block[]; fallback: Block[] } {
  const table = shownTable(shown, { caption, room });
  const { rows, elements } = longText(shown, table === null ? room : room - sizeOf([table.table]));
  const words = [...(rows.length === 0 ? [] : [lines(rows)]), ...elements];
  const text = words.length === 0 ? [] : [rich(words)];
  if (table === null) return { message: text, fallback: text };
  const prose = shown.manifest.shows?.prose === undefined ? [] : text;
  const fewer = (of: string | null) => (of === null ? [] : [rich([line(italic(of))])]);
  return {
    message: [...fewer(table.ofTable), table.table, ...prose],
    fallback: [...fewer(table.ofList), table.list, ...prose],
  };
}

function evidenceItem(wording: Wording, result: StepResult): ReturnType<typeof line> {
  const step = stepOf(wording, result.stepId);
  const sentence = step ? withoutText(stepSentence(step, wording.words)) : result.stepId;
  return lines([
    [oneLine(sentence)],
    ...evidenceRows(wording, result, capital(outcomeWords(wording, result))),
  ]);
}

function changed(changes: readonly string[]): ReturnType<typeof rich>[] {
  if (changes.length === 0) return [];
  const shown = changes.slice(0, maxChanges).map((change) => line(cut(oneLine(change), 300)));
  return [rich([line(bold('Changed:')), bullets(shown)], 'changes')];
}

/** For an answer: the same reads once more, or other ones. */
export function againButtons(revision: Revision): ReturnType<typeof button>[] {
  const value = writeCardRef(revision);
  return [
    button({ text: 'Run again', action: actionIds.again, value }),
    button({ text: 'Edit', action: actionIds.edit, value }),
  ];
}

function wordOf(span: Span): string {
  if (typeof span === 'string') return span;
  if (span.type === 'text') return span.text;
  if (span.type === 'link') return span.text ?? span.url;
  return span.type === 'date' ? (span.fallback ?? '') : '';
}

/** The query of a step, where its sentence does not say it. */
function sourceOf(stepId: string, wording: Wording) {
  const step = stepOf(wording, stepId);
  if (step === undefined) return [];
  const written = writtenText(step, wording.words.scope.get(stepId));
  return [...codeElements(step), ...writtenElements({ step, written })];
}
