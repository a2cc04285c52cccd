import type { Catalogue } from '../../../core/catalogue.ts';
import { type Clause, has } from '../clauses/clause.ts';
import type { Frame } from '../frames/frame.ts';
import { argsThatTake, queryTakes } from '../frames/takes.ts';
import { is, isWithin, lowAt, range, saysIn, type Text } from '../words/text.ts';
import { type DraftStep, isRead, isWrite, sourcesOf } from './draft.ts';
import { sameService } from './guesses.ts';
import { type Memory, saysAt } from './memory.ts';

/** How look-ups and orders of one request belong together. */

/** "pay p2 over sla, page payments": what is looked up hardly ever has nothing to do with what is done in any case. */
export function isLoose(steps: readonly DraftStep[]): boolean {
  const used = new Set(steps.flatMap((step) => [...sourcesOf(step), ...step.after]));
  // "list the P1s, page ops if one is older than 4 hours": all of them beside some of them, or beside those in one state. "Look up E123 and send @ana its
  // runbook": the same thing.
  const holds = ({ tool, args }: DraftStep, other: DraftStep): boolean => {
    const values = [...other.args.values()];
    return (
      used.has(other) &&
      ((other.tool === tool &&
        [...args].every(([arg, value]) => arg === 'status' || other.args.get(arg) === value)) ||
        values.includes(args.get('code') ?? ''))
    );
  };
  // "show PAY-44 and comment on it": what one ticket says decides nothing.
  const isUnused = (step: DraftStep): boolean =>
    !used.has(step) &&
    (step.isVerbless || step.tool.asked?.role !== 'show') &&
    !steps.some((other) => holds(step, other));
  return steps.some((step) => isRead(step) && isUnused(step)) && steps.some(isWrite);
}

/** An incident or an error that somebody is paged for is one of their service. */
export function ofTheService({ steps, assumptions, text: { catalogue } }: Memory): void {
  for (const { args, when } of steps)
    for (const { left, right } of when?.parts ?? []) {
      const [step] = left.map((one) => one.step);
      const service = args.get('service');
      // "more than 3 open incidents" are many of all services.
      const isCounted = step?.tool.asked?.role === 'alarms' && typeof right === 'number' && right > 0;
      if (step === undefined || isCounted) continue;
      if (service === undefined || step.args.has('service') || !isOfService(catalogue, step)) continue;
      step.args.set('service', service);
      assumptions.add(sameService(String(service)));
    }
}

/** Incidents, and what a log system or a database is asked for in words. */
const isOfService = (catalogue: Catalogue, { tool, args }: DraftStep): boolean =>
  tool.asked?.role === 'alarms' ||
  ('service' in tool.args.shape &&
    argsThatTake(tool, 'query').length > 0 &&
    queryTakes(catalogue, args.get('named'), 'service'));

/** "if", "unless": something depends on it, but for "tell me if …", "check if …". "When", "with" and "where" may begin other things. */
export function asksFirst(memory: Memory, clause: Clause): boolean {
  const { text } = memory;
  if (clause.kind !== 'condition' || !has(clause, 'if', 'unless') || has(clause, 'ifFirst')) return false;
  return (
    !isWithin(text, clause.from, ({ tags }) => tags.has('nothing')) &&
    !saysAt(memory, { from: 0, to: clause.from }, 'me')
  );
}

/** "page ops … without paging anyone": the same act is ordered and ruled out. */
export function isRuledOut(
  text: Text,
  { tool: { name, effect }, when, args }: DraftStep,
  said: ReadonlySet<number>,
): boolean {
  const { words } = text;
  if (effect === 'read' || when !== null) return false;
  return words.some((_word, at) => {
    if (!is(text, at, 'negation') || said.has(at)) return false;
    const stop = words.findIndex(({ kind }, index) => index > at && kind !== 'word');
    const rest = range(at + 1, Math.min(at + 7, stop < 0 ? words.length : stop));
    // "instead of paging ops put …": behind what an act is ruled out for, another one is not.
    const ends = rest.find((index) => is(text, index, ...aimed, 'unknown')) ?? words.length;
    const isDenied = rest.some((index) => is(text, index, `verb ${name}`, `also ${name}`) && index <= ends);
    const named = aimsIn(text, rest);
    return isDenied && (named.length === 0 || named.some((one) => [...args.values()].includes(one)));
  });
}

const aimed = ['service', 'channel', 'user', 'issue', 'incident'];

/** What these words name that something can be done to; a word that nobody knows is no name. */
const aimsIn = ({ words }: Text, span: readonly number[]): string[] =>
  span.flatMap(
    (index) =>
      words[index]?.things.filter(({ kind }) => aimed.includes(kind)).map(({ value }) => value) ?? [],
  );

/** Whom or what a frame acts on. */
export const aimsOf = ({ tool, slots }: Frame): string[] =>
  argsThatTake(tool, 'service', 'channel', 'user', 'issue', 'incident').flatMap(
    (arg) => slots.get(arg) ?? [],
  );

/** "close OPS-12 if nobody touched it": a condition, a "not", a bound, a time, an order or somebody's name that steps do not carry makes them other ones. */
export function omitsMeaning(
  { text, left: unread }: Memory,
  steps: readonly DraftStep[],
  clauses: readonly Clause[],
): boolean {
  // What was said beside it, and could not be read at all, is named in the question.
  const left = clauses.flatMap((clause) => (clause.kind === 'empty' ? [] : clause.left));
  const acts = steps.some(isWrite);
  const carried = new Set(steps.flatMap(({ args }) => [...args.values()]));
  const bounds = ['duration', 'time', 'user', ...(acts ? aimed : [])];
  const isCarried = (at: number): boolean =>
    text.words[at]?.things.some(({ value }) => carried.has(value)) ?? false;
  // "were not resolved": what is turned round is carried, and its "not" is not.
  const turns = (at: number): boolean => {
    const denial = text.words[at]?.phrases.find(({ tags }) => tags.has('negation'))?.length ?? 0;
    const next = range(at + denial, text.words.length).find((index) => !is(text, index, 'empty')) ?? at;
    return denial > 0 && !left.includes(next);
  };
  const isLimit = (at: number): boolean =>
    turns(at) ||
    is(text, at, 'limiting') ||
    (is(text, at, 'number') && /^\d/u.test(lowAt(text, at))) ||
    (is(text, at, ...bounds) && !isCarried(at));
  const isDropped = (clause: Clause): boolean =>
    clause.kind === 'empty' &&
    clause.left.length > 0 &&
    has(clause, 'if', 'unless') &&
    !has(clause, 'ifFirst');
  // "if OPS is above it": without its comparison a condition is another one.
  const isBent = (clause: Clause): boolean =>
    clause.kind === 'condition' && saysIn(text, clause.left, 'compare');
  const isOrder = (at: number): boolean =>
    is(text, at, 'ending', 'undo') || (is(text, at, 'verb write') && !is(text, at - 1, 'articles'));
  const isTime = (at: number): boolean => is(text, at, 'time', 'duration');
  const others = clauses.flatMap((clause) => clause.left);
  return (
    (acts &&
      (clauses.some((clause) => isDropped(clause) || isBent(clause)) ||
        others.some((at) => isOrder(at) || isTime(at)) ||
        // "close it. but it should stay open until @ana confirms"
        saysIn(text, [...unread, ...others], 'limiting'))) ||
    left.some(isLimit)
  );
}
