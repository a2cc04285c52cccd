import type { RichTextBlockElement, RichTextElement, RichTextSection } from '@slack/types';
import type { LinkHosts } from '../core/address.ts';
import { cut, cutWords, oneLine } from '../core/clean-text.ts';
import { own } from '../core/own-property.ts';
import { stepOutcome } from '../core/result-words.ts';
import type { StepResult } from '../core/run.ts';
import type { Settled } from '../core/settle.ts';
import { argWords, capital, stepSentence, type Vocabulary, withoutText } from '../core/step-words.ts';
import { linked, linksOf, type ShownResult } from './links.ts';
import { bold, bullets, italic, line, ordered, proseLine, type Span } from './rich.ts';
import { shownTable } from './table.ts';

/** One result: its headline, and rows below it, of which `more` are not among the items. */
interface Part {
  readonly head: RichTextSection;
  readonly style: 'bullet' | 'ordered';
  readonly items: readonly RichTextSection[];
  readonly more: number;
}

/** The results of a plan's reads as a list: for an alert, for the state of a service and for its causes. */
export interface Found {
  readonly parts: Part[];
  /** Failed look-ups with their reasons; a sentence each. */
  readonly missing: string[];
}

interface Around {
  readonly words: Vocabulary;
  readonly hosts: LinkHosts;
  /** Verdicts, which have said the number that they rest on. */
  readonly settled: readonly Settled[];
}

const maxItems = 3;
const maxProse = 240;
/** Characters of a step, and of a cell of a row: two lines of a phone. */
const maxStep = 140;
const maxCell = 64;
const tableRoom = 2_000;

/** The results in the order of the plan; failures are said to be missing. */
export function foundIn(results: readonly StepResult[], { words, hosts, settled }: Around): Found {
  const restsOn = ({ stepId }: StepResult) =>
    settled.filter((one) => one.results.some((result) => result.stepId === stepId));
  // The reads for causes alone stand behind all others.
  const lastOwn = results.findLastIndex((result) => restsOn(result).length === 0);
  const parts: Part[] = [];
  const missing: string[] = [];
  for (const [nth, result] of results.entries()) {
    const step = words.steps.get(result.stepId);
    if (step === undefined) continue;
    if (result.status === 'succeeded') {
      const part = partOf(result, words, hosts);
      if (part !== null) parts.push(...besides(part, restsOn(result), nth > lastOwn));
    } else if (result.status !== 'skipped' || result.reason?.code !== 'condition_false')
      missing.push(
        `${withoutText(stepSentence(step, words))}: ${cut(oneLine(result.reason?.message ?? 'no reason was given'), 300)}`,
      );
  }
  return { parts, missing };
}

/** The results that verdicts leave to say: of a read for causes alone one row as a sample, and only where one is supported. */
function besides(part: Part, rests: readonly Settled[], isForCauses: boolean): Part[] {
  if (rests.length === 0) return [part];
  if (part.items.length === 0) return [];
  if (!isForCauses) return [part];
  const isSample = rests.some(({ verdict }) => verdict === 'supported');
  return isSample ? [{ ...part, items: part.items.slice(0, 1), more: 0 }] : [];
}

/** A line between results. */
export const heading = (words: string): Part => ({
  ...{ head: line(bold(words)), style: 'bullet', items: [], more: 0 },
});

/** The parts in `room` characters of JSON: rows go before a headline does, and of the last parts first. */
export function withinRoom(parts: readonly Part[], room: number): RichTextBlockElement[] {
  const fits = (elements: readonly RichTextBlockElement[]) => JSON.stringify(elements).length <= room;
  const counts = parts.map(() => maxItems);
  for (let fewer = maxItems - 1; fewer >= 0; fewer -= 1)
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const shown = parts.flatMap((part, nth) => elementsOf(part, counts[nth] ?? 0));
      if (fits(shown)) return shown;
      counts[at] = fewer;
    }
  const heads = parts.flatMap((part) => elementsOf(part, 0));
  if (heads.length === 0 || fits(heads)) return heads;
  const rest = (count: number) =>
    line(italic(`Not shown, for want of room: ${heads.length - count} of ${heads.length} results.`));
  let count = heads.length - 1;
  while (count > 0 && !fits([...heads.slice(0, count), rest(count)])) count -= 1;
  return [...heads.slice(0, count), rest(count)];
}

function elementsOf({ head, style, items, more }: Part, max: number): RichTextBlockElement[] {
  const shown = items.slice(0, max);
  if (shown.length === 0) return [head];
  const left = items.length - shown.length + more;
  const rest = left > 0 ? [line(italic(`and ${left} more`))] : [];
  if (style === 'ordered') return [head, ordered(shown), ...rest];
  return [head, bullets([...shown, ...rest])];
}

function partOf(result: StepResult, words: Vocabulary, hosts: ShownResult['hosts']): Part | null {
  const step = words.steps.get(result.stepId);
  const manifest = words.scope.get(result.stepId);
  if (step === undefined || manifest === undefined || result.result === null || result.result === undefined)
    return null;
  const one: ShownResult = { manifest, args: argWords(step, words), result: result.result, hosts };
  const outcome = cutWords(oneLine(capital(stepOutcome({ words, targets: [] }, result))), 400);
  const head = line(...linked(`${outcome}.`, linksOf(one)).map(strong));
  const { prose } = manifest.shows ?? {};
  const text = prose === undefined ? undefined : own(result.result, prose);
  const rows = typeof text === 'string' && text !== '' ? stepsOf(text) : itemsOf(one, outcome);
  return { head, ...rows };
}

type Rows = Pick<Part, 'style' | 'items' | 'more'>;

/** The steps of a text; its beginning where it has none. */
function stepsOf(text: string): Rows {
  const steps = text
    .split(/^ {0,3}\d{1,9}[.)][ \t]+/m)
    .slice(1)
    .map((one) => proseLine(cutWords(oneLine(one.split(/\n\s*\n/)[0] ?? ''), maxStep)));
  if (steps.length > 0) return { style: 'ordered', items: steps, more: 0 };
  return { style: 'bullet', items: [proseLine(cutWords(oneLine(text), maxProse))], more: 0 };
}

function itemsOf(one: ShownResult, headline: string): Rows {
  const list = shownTable(one, { caption: '', room: tableRoom })?.list;
  const rows = list?.type === 'rich_text' ? list.elements[0] : undefined;
  const all = rows?.type === 'rich_text_list' ? rows.elements : [];
  const [only, ...others] = all;
  if (others.length === 0 && only !== undefined && isSaidBy(headline, only))
    return { style: 'bullet', items: [], more: 0 };
  const items = all.slice(0, maxItems).map(({ elements }) => line(...elements.map(shortCell)));
  return { style: 'bullet', items, more: all.length - items.length };
}

/** A row is to be recognized, not to be read: a log line fills half of a phone. */
const shortCell = (span: RichTextElement): RichTextElement =>
  span.type === 'text' ? { ...span, text: cutWords(span.text, maxCell) } : span;

/** The headline has said all of a row; there is nothing to open in it either. */
function isSaidBy(headline: string, { elements }: RichTextSection): boolean {
  return elements.every(
    (one) =>
      one.type !== 'link' &&
      (one.type !== 'text' || one.text.endsWith(': ') || isIn(one.text.trim(), headline)),
  );
}

const isIn = (cell: string, headline: string): boolean => cell.length < 3 || headline.includes(cell);

function strong(span: Span): Span {
  return typeof span === 'string' ? bold(span) : span;
}

/** Failed look-ups, each with its reason. */
export function missingElements(missing: readonly string[]): RichTextBlockElement[] {
  if (missing.length === 0) return [];
  return [line(bold('Could not be looked up:')), bullets(missing.map((one) => line(one)))];
}
