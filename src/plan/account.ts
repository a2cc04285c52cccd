import type { Plan } from '../core/plan.ts';
import type { PlanningInput } from '../core/planning.ts';
import { lexiconFor } from './offline/words/lexicon.ts';
import { is, isAny, readText } from './offline/words/text.ts';
import type { Thing } from './offline/words/thing.ts';
import { minutesOf } from './offline/words/times.ts';

/** Whether a plan says a thing: `said` is all its arguments, conditions and texts, in lower case. */
function carries(said: string, { kind, value, tense }: Thing): boolean {
  if (kind === 'unknown' || (kind === 'time' && tense === 'present')) return true;
  if (kind === 'number') return new RegExp(`(?<!\\d)${value}(?!\\d)`, 'u').test(said);
  const inMinutes = kind === 'duration' && new RegExp(`\\b${minutesOf(value)}\\b`, 'u').test(said);
  return inMinutes || said.includes(value.replace(/^[#@]/u, '').toLowerCase());
}

/** What a plan does not carry. */
interface Missing {
  readonly word: string;
  /** A bound or a condition: a plan without it does something else than what was asked for. */
  readonly isBound: boolean;
}

/**
 * Words of a request that no step of a plan carries: things, numbers and times that stand nowhere in it, a condition
 * that no step has, an order for which there is no step. For any plan, whoever made it.
 */
export function unaccounted({ goal, answers, ...input }: PlanningInput, { steps }: Plan): Missing[] {
  const whole = [goal, ...answers.map(({ answer }) => answer)].join('. ');
  const text = readText(whole, input, lexiconFor(input.catalogue));
  const { words } = text;
  const said = JSON.stringify(steps.map(({ args, when }) => [args, when ?? ''])).toLowerCase();
  const missing: Missing[] = [];
  const miss = (index: number, length: number, isBound: boolean): void => {
    const word = whole.slice(words[index]?.start, words[index + length - 1]?.end);
    if (!missing.some((one) => one.word === word && one.isBound === isBound)) missing.push({ word, isBound });
  };
  let end = 0;
  for (const [index, { things, phrases }] of words.entries()) {
    if (index < end) continue;
    const here = things.filter(({ length }) => length === things[0]?.length);
    const [{ length } = { length: 1 }] = here;
    if (here.length > 0 && !here.some((thing) => carries(said, thing)))
      miss(
        index,
        length,
        here.some(({ kind }) => kind === 'number' || kind === 'duration'),
      );
    const [phrase] = phrases;
    const conditional = phrase && isAny(phrase, 'if', 'unless') && !phrase.tags.has('nothing');
    if (conditional && steps.every(({ when }) => when === undefined)) miss(index, phrase.length, true);
    const isOrder = phrase?.tags.has('verb write') && phrase.senses.every(({ role }) => role === 'verb');
    const isMade = steps.some(({ tool }) => phrase?.tags.has(`verb ${tool}`));
    if (isOrder && !isMade && !is(text, index - 1, 'negation')) miss(index, 1, false);
    end = index + length;
  }
  return missing;
}
