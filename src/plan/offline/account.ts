import type { Plan } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { minutesOf } from './durations.ts';
import type { Entity } from './entity.ts';
import { lexiconFor } from './lexicon.ts';
import { readText } from './text.ts';

/** Everything that a plan says, in lower case: arguments, conditions and texts. */
function saidBy(plan: Plan): string {
  return JSON.stringify(plan.steps.map(({ args, when }) => [args, when ?? ''])).toLowerCase();
}

function carries(said: string, { kind, value, tense }: Entity): boolean {
  const bare = value.replace(/^[#@]/u, '').toLowerCase();
  if (kind === 'time' && tense === 'present') return true;
  if (kind === 'unknown') return true;
  if (kind === 'duration')
    return said.includes(bare) || new RegExp(`\\b${minutesOf(value)}\\b`, 'u').test(said);
  if (kind === 'number') return new RegExp(`(?<!\\d)${value}(?!\\d)`, 'u').test(said);
  return said.includes(bare);
}

/**
 * Words of a request that no step of a plan carries: things, numbers and times that stand nowhere in it, a condition
 * that no step has, an order for which there is no step. For any plan, whoever made it.
 */
export function unaccounted(input: PlanningInput, plan: Plan): string[] {
  return [...new Set(account(input, plan).map(({ word }) => word))];
}

/** Of these, the bounds and the conditions: a plan without them does something else than what was asked for. */
export function lostBounds(input: PlanningInput, plan: Plan): string[] {
  return [...new Set(account(input, plan).flatMap(({ word, bound }) => (bound ? [word] : [])))];
}

interface Missing {
  readonly word: string;
  readonly bound: boolean;
}

function account(input: PlanningInput, plan: Plan): Missing[] {
  const lexicon = lexiconFor(input.catalogue);
  const text = readText(
    [input.goal, ...input.answers.map(({ answer }) => answer)].join('. '),
    input,
    lexicon,
  );
  const said = saidBy(plan);
  const missing: Missing[] = [];
  const word = (index: number, length = 1): string =>
    text.goal.slice(text.tokens[index]?.start, text.tokens[index + length - 1]?.end);
  const tools = new Set(plan.steps.map(({ tool }) => tool));
  for (let index = 0; index < text.tokens.length; index += 1) {
    const things =
      text.entities[index]?.filter(({ length }) => length === text.entities[index]?.[0]?.length) ?? [];
    if (things.length > 0 && !things.some((thing) => carries(said, thing)))
      missing.push({
        word: word(index, things[0]?.length),
        bound: things.some(({ kind }) => kind === 'number' || kind === 'duration'),
      });
    const senses = text.phrases[index]?.[0]?.senses ?? [];
    const conditional =
      senses.some(({ role, of }) => role === 'condition' && (of === 'if' || of === 'unless')) &&
      !senses.some(({ role }) => role === 'nothing');
    if (conditional && plan.steps.every(({ when }) => when === undefined))
      missing.push({ word: word(index, text.phrases[index]?.[0]?.length), bound: true });
    const orders = senses.filter(
      ({ role, of }) => role === 'verb' && text.lexicon.tools.get(of)?.effect === 'write',
    );
    const only = orders.length > 0 && senses.every(({ role }) => role === 'verb');
    const ruledOut = text.phrases[index - 1]?.some((phrase) =>
      phrase.senses.some(({ role }) => role === 'negation'),
    );
    if (only && !ruledOut && !orders.some(({ of }) => tools.has(of)))
      missing.push({ word: word(index), bound: false });
    if (things.length > 0) index += (things[0]?.length ?? 1) - 1;
  }
  return missing;
}
