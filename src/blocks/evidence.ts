import type { RichTextBlockElement, RichTextSection } from '@slack/types';
import type { LinkHosts } from '../core/address.ts';
import { cut, cutWords, oneLine } from '../core/clean-text.ts';
import { own } from '../core/own-property.ts';
import { stepOutcome } from '../core/result-words.ts';
import type { StepResult } from '../core/run.ts';
import type { Settled } from '../core/settle.ts';
import { argWords, capital, stepSentence, type Vocabulary, withoutText } from '../core/step-words.ts';
import { linked, linksOf, type ShownResult } from './links.ts';
import { bold, bullets, italic, line, proseLine, type Span } from './rich.ts';
import { shownTable } from './table.ts';

/** The results of a plan's reads as a list: for an alert, for the state of a service and for its causes. */
export interface Found {
  readonly found: RichTextBlockElement[];
  /** Failed look-ups with their reasons; a sentence each. */
  readonly missing: string[];
}

interface Around {
  readonly words: Vocabulary;
  readonly hosts: LinkHosts;
  /** Verdicts, which have said the number that they rest on. */
  readonly settled: readonly Settled[];
}

const maxItems = 4;
const maxProse = 500;
/** Characters of JSON for all results. */
const maxSize = 7_000;
const tableRoom = 2_000;

/** The results in the order of the plan, as far as there is room; failures are said to be missing. */
export function foundIn(results: readonly StepResult[], { words, hosts, settled }: Around): Found {
  const settling = new Set(settled.flatMap((one) => one.results.map(({ stepId }) => stepId)));
  const found: RichTextBlockElement[] = [];
  const missing: string[] = [];
  for (const result of results) {
    const step = words.steps.get(result.stepId);
    if (step === undefined) continue;
    if (result.status === 'succeeded') {
      const elements = elementsOf(result, words, hosts);
      const isSaid = settling.has(result.stepId) && elements.length === 1;
      if (!isSaid) found.push(...fitting(elements, found));
    } else if (result.status !== 'skipped' || result.reason?.code !== 'condition_false')
      missing.push(
        `${withoutText(stepSentence(step, words))}: ${cut(oneLine(result.reason?.message ?? 'no reason was given'), 300)}`,
      );
  }
  return { found, missing };
}

/** The headline alone where the rest would not fit. */
function fitting(
  elements: RichTextBlockElement[],
  before: readonly RichTextBlockElement[],
): RichTextBlockElement[] {
  const size = (of: readonly RichTextBlockElement[]) => JSON.stringify(of).length;
  return size([...before, ...elements]) <= maxSize ? elements : elements.slice(0, 1);
}

function elementsOf(
  result: StepResult,
  words: Vocabulary,
  hosts: ShownResult['hosts'],
): RichTextBlockElement[] {
  const step = words.steps.get(result.stepId);
  const manifest = words.scope.get(result.stepId);
  if (step === undefined || manifest === undefined || result.result === null || result.result === undefined)
    return [];
  const one: ShownResult = { manifest, args: argWords(step, words), result: result.result, hosts };
  const outcome = cutWords(oneLine(capital(stepOutcome({ words, targets: [] }, result))), 400);
  const head = line(...linked(`${outcome}.`, linksOf(one)).map(strong));
  const { prose } = manifest.shows ?? {};
  const text = prose === undefined ? undefined : own(result.result, prose);
  const said = typeof text === 'string' && text !== '' ? [proseLine(cutWords(oneLine(text), maxProse))] : [];
  return [head, ...(said.length > 0 ? [bullets(said)] : itemsOf(one, outcome))];
}

function itemsOf(one: ShownResult, headline: string): RichTextBlockElement[] {
  const list = shownTable(one, { caption: '', room: tableRoom })?.list;
  const rows = list?.type === 'rich_text' ? list.elements[0] : undefined;
  if (rows?.type !== 'rich_text_list') return [];
  const [only, ...others] = rows.elements;
  if (others.length === 0 && only !== undefined && isSaidBy(headline, only)) return [];
  const more = rows.elements.length - maxItems;
  const rest = more > 0 ? [line(italic(`and ${more} more`))] : [];
  return [{ ...rows, elements: [...rows.elements.slice(0, maxItems), ...rest] }];
}

/** The headline has said all of a row; there is nothing to open in it either. */
function isSaidBy(headline: string, { elements }: RichTextSection): boolean {
  return elements.every(
    (one) =>
      one.type !== 'link' &&
      (one.type !== 'text' || one.text.split(/ · |: /).every((cell) => isIn(cell.trim(), headline))),
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
