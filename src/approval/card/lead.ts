import type { RichTextBlockElement } from '@slack/types';
import { writtenElements } from '../../blocks/code-block.ts';
import { folded } from '../../blocks/layout.ts';
import type { Block } from '../../blocks/message.ts';
import { bold, bullets, line, lines, quote, rich, type Span } from '../../blocks/rich.ts';
import { cut, cutWords, oneLine } from '../../core/clean-text.ts';
import { factsAndWord } from '../../core/condition-result.ts';
import { thousands } from '../../core/numbers.ts';
import type { Reached } from '../../core/reach.ts';
import { isDescribed } from '../../core/read-results.ts';
import { capital, withoutText } from '../../core/step-words.ts';
import type { FactsView } from './read-results.ts';
import { type StepView, saysWord } from './step-view.ts';

/** Maximum characters of a text shown at once; of a longer one, its beginning, with the rest one tap away. */
const maxText = 600;
const maxBeginning = 280;
const maxReached = 4;
/** Maximum characters of the reason for a failed read. */
const maxReason = 200;

/**
 * The effect of approving now and why, then each write in full. `isClosed`: nobody may approve. `folds`: long texts may
 * be collapsed.
 */
export function leadBlocks(
  steps: readonly StepView[],
  facts: FactsView | null,
  { isClosed = false, folds = false } = {},
): Block[] {
  const writes = steps.filter(({ effect }) => effect === 'write');
  const why = facts === null ? [] : whyRows(writes, facts);
  // If the reads are all mentioned up here, they have no list of their own below.
  const isAll = steps.length > writes.length && unsaidReads(steps, facts).length === 0;
  const last = [...(why.at(-1) ?? []), ...(isAll ? [' Checked again before it runs.'] : [])];
  const top = why.length === 0 ? [] : [rich([lines([...why.slice(0, -1), last])], 'facts_now')];
  return [...top, ...writes.flatMap((step) => writeBlocks(step, facts, { isClosed, folds }))];
}

/**
 * "Wakes Ana Ruiz (ops). Tells #ops, the watchers of OPS-3." Only where a plan reaches more than one: a single write says
 * it itself. Writes that would not be made now reach nobody.
 */
export function reachBlock(steps: readonly StepView[], facts: FactsView | null): Block[] {
  const isDue = ({ step }: StepView) => facts === null || isDescribed(facts.resultOf(step.id));
  const reached = steps.flatMap((step) => (step.reaches !== null && isDue(step) ? [step.reaches] : []));
  const whom = (how: Reached['how']) => [
    ...new Set(reached.flatMap((one) => (one.how === how ? [oneLine(one.whom)] : []))),
  ];
  const [wakes, tells] = [whom('wakes'), whom('tells')];
  if (wakes.length + tells.length < 2) return [];
  const said = (how: string, all: readonly string[]): Span[] => {
    const more = all.length > maxReached ? ` and ${all.length - maxReached} more` : '';
    return all.length === 0 ? [] : [bold(`${how} `), `${all.slice(0, maxReached).join(', ')}${more}. `];
  };
  return [rich([line(...said('Wakes', wakes), ...said('Tells', tells))], 'reaches')];
}

/** "24 open P1 tickets in OPS, the SLA allows 20: breached." Each condition once. */
function whyRows(writes: readonly StepView[], facts: FactsView): Span[][] {
  if (facts.prospect === 'unclear') {
    return [[bold('Can’t be approved yet: '), whyUnclear(writes, facts)]];
  }
  const conditions = [...new Set(writes.flatMap(({ step }) => step.when ?? []))];
  const rows = conditions.flatMap((when): [string, string][] => {
    const verdict = facts.verdictOf(when);
    return verdict === null ? [] : [factsAndWord(verdict)];
  });
  // Writes for the entries of one list rest on one fact.
  const said = new Map(rows.map((row) => [row.join(''), row]));
  return [...said.values()].map(([found, word]) => (word === '' ? [bold(found)] : [found, bold(word)]));
}

/** Why a write itself is not ready, else that it depends on a failed read. */
function whyUnclear(writes: readonly StepView[], facts: FactsView): string {
  const failed = writes.map(({ step }) => facts.resultOf(step.id)).find((one) => one?.status === 'failed');
  return cut(oneLine(failed?.reason?.message ?? 'something it depends on couldn’t be read.'), maxReason);
}

/** The lead in one line, for notifications. */
export function factsLine(steps: readonly StepView[], facts: FactsView): string {
  const writes = steps.filter(({ effect }) => effect === 'write');
  return whyRows(writes, facts)
    .map((row) => row.map(plainSpan).join(''))
    .join(' ');
}

function plainSpan(span: Span): string {
  if (typeof span === 'string') return span;
  return span.type === 'text' ? span.text : '';
}

function writeBlocks(
  step: StepView,
  facts: FactsView | null,
  { isClosed, folds }: { isClosed: boolean; folds: boolean },
): Block[] {
  const texts = textsOf(step, facts);
  const long = folds ? texts.filter(({ text }) => text.length > maxText) : [];
  const shown = texts.map((one) =>
    long.includes(one) ? { ...one, text: cutWords(one.text, maxBeginning) } : one,
  );
  const rest = long.map(({ arg, name, text }) => {
    const title = `The whole ${name.toLowerCase()} (${thousands(text.length)} characters)`;
    return folded(title, [rich([quote(text)])], `text_${step.number}_${arg}`);
  });
  const elements = writeElements(step, shown, { head: headOf(step, facts, isClosed), facts });
  return [rich(elements, `write_${step.number}`), ...rest];
}

function writeElements(
  step: StepView,
  texts: readonly { name: string; text: string }[],
  { head, facts }: { head: string; facts: FactsView | null },
): RichTextBlockElement[] {
  const onlyIf: Span[] = step.condition === null ? [] : [', ', bold('only if '), step.condition];
  const rows: Span[][] = [[bold(`${head} `), ...whatOf(step, facts), ...onlyIf]];
  if (step.flags.length > 0) rows.push([`${capital(step.flags.join('; '))}.`]);
  const named = texts.length > 1;
  // Two sections would run together on one line, so the first name is appended to the existing one.
  if (named) rows.push([`${texts[0]?.name}:`]);
  const label = (name: string, index: number) => (named && index > 0 ? [line(`${name}:`)] : []);
  const body = texts.flatMap(({ name, text }, index) => [...label(name, index), quote(text)]);
  return [lines(rows), ...body];
}

function headOf({ step }: StepView, facts: FactsView | null, isClosed: boolean): string {
  if (facts === null) return 'WRITE';
  if (isClosed || facts.prospect === 'unclear') return 'Would write:';
  return isDescribed(facts.resultOf(step.id)) ? 'If approved:' : 'Not now:';
}

/** Its resolved targets, and every argument they do not mention. */
function whatOf(step: StepView, facts: FactsView | null): Span[] {
  const { targets, sentence, step: planned } = step;
  const isFound = targets.length > 0 && targets.every(({ identity }) => identity !== '');
  const labels = targets.map(({ label }) => label);
  const about = targets.flatMap((target) => target.about ?? []);
  const said = isFound ? labels.join('; ') : withoutText(sentence);
  const missing = isFound ? [] : labels.flatMap((label): Span[] => ['\n', bold(`→ ${label}`)]);
  const texts = new Set(textsOf(step, null).map(({ arg }) => arg));
  const rest = Object.entries(step.argWords)
    .map(([name, noun]) => ({ name, text: facts?.textOf(planned.id, name) ?? noun }))
    .filter(({ name, text }) => !texts.has(name) && !saysWord(said, text.replace(/^[#@]/, '')))
    .map(({ name, text }) => `${name.replaceAll('_', ' ')}: ${text}`);
  const small = [about, rest].flatMap((words) => (words.length === 0 ? [] : ` (${words.join('; ')})`));
  return [[said, ...small].join(''), ...missing];
}

/** The texts it sends, as they will be sent. */
function textsOf(step: StepView, facts: FactsView | null): { arg: string; name: string; text: string }[] {
  return step.texts.map(({ arg, text }) => ({
    arg,
    name: capital(arg.replaceAll('_', ' ')),
    text: facts?.textOf(step.step.id, arg) ?? text,
  }));
}

/** The reads in plan order, one line each: the result or why there is none, and any argument not mentioned in it. */
export function readsBlock(steps: readonly StepView[], facts: FactsView | null): Block[] {
  const reads = unsaidReads(steps, facts);
  if (reads.length === 0) return [];
  const again = facts === null ? 'Reads:' : 'Read just now, and again before the write:';
  const listed = bullets(reads.map((step) => line(...readSpans(step, facts))));
  return [rich([line(again), listed, ...reads.flatMap(writtenElements)], 'reads')];
}

/** Leaves out reads whose result is already in the first line, if there is nothing else to say about them. */
function unsaidReads(steps: readonly StepView[], facts: FactsView | null): StepView[] {
  const conditions = [
    ...new Set(steps.flatMap(({ effect, step }) => (effect === 'write' ? (step.when ?? []) : []))),
  ];
  const said = facts === null ? [] : conditions.flatMap((when) => facts.verdictOf(when)?.facts ?? []);
  return steps.filter((step) => {
    if (step.effect !== 'read') return false;
    const result = facts?.resultOf(step.step.id);
    if (facts === null || result?.status !== 'succeeded' || besideRead(step, facts) !== '') return true;
    const outcome = facts.outcomeOf(result);
    return !said.some((words) => words.includes(outcome));
  });
}

function readSpans(step: StepView, facts: FactsView | null): Span[] {
  const result = facts?.resultOf(step.step.id);
  const isRead = facts !== null && result?.status === 'succeeded';
  const more = besideRead(step, facts);
  const why = result !== undefined && !isRead && !isDescribed(result) ? result.reason?.message : undefined;
  return [
    ...(isRead ? facts.spansOf(result) : [oneLine(step.sentence)]),
    more === '' ? '' : ` (${more})`,
    ...(why === undefined ? [] : [': ', bold(cut(oneLine(why), maxReason))]),
  ];
}

/** Arguments that the line of a read does not mention, its condition and flags. */
function besideRead(step: StepView, facts: FactsView | null): string {
  const result = facts?.resultOf(step.step.id);
  const said =
    facts !== null && result?.status === 'succeeded' ? capital(facts.outcomeOf(result)) : step.sentence;
  const unsaid = Object.entries(step.argWords)
    .filter(
      ([, text]) =>
        text !== step.written && !saysWord(said, text.replace(/^[#@]/, '')) && !saysWord(step.sentence, text),
    )
    .map(([name, text]) => `${name.replaceAll('_', ' ')}: ${text}`);
  const condition = step.condition === null ? [] : [`only if ${step.condition}`];
  return [...unsaid, ...condition, ...step.flags].join('; ');
}
