import { type Clause, has } from './clause.ts';
import { type DraftStep, fieldsOf, sourcesOf } from './draft.ts';
import type { Frame } from './frame.ts';
import { type Memory, saysAt } from './memory.ts';
import { argsThatTake } from './takes.ts';
import { is, range, type Text } from './text.ts';

/** How look-ups and orders of one request belong together. */

/** "pay p2 over sla, page payments": what is looked up hardly ever has nothing to do with what is done in any case. */
export function isLoose(steps: readonly DraftStep[]): boolean {
  const used = new Set(steps.flatMap((step) => [...sourcesOf(step), ...step.after]));
  const isRead = ({ tool }: DraftStep): boolean => tool.effect === 'read';
  return steps.some((step) => isRead(step) && !used.has(step)) && steps.some((step) => !isRead(step));
}

/** An incident that is waited for or ruled out is one of the service that is paged. */
export function ofTheService({ steps, assumptions }: Memory): void {
  for (const { args, when } of steps)
    for (const { step } of fieldsOf(when)) {
      const service = args.get('service');
      if (step.tool.asked?.role !== 'alarms' || step.args.has('service') || service === undefined) continue;
      step.args.set('service', service);
      assumptions.add(`Incidents of ${String(service)}, because no other service was named.`);
    }
}

/** "if", "unless": something depends on it, but for "tell me if …". "When", "with" and "where" may begin other things. */
export const asksFirst = (memory: Memory, clause: Clause): boolean =>
  clause.kind === 'condition' &&
  has(clause, 'if', 'unless') &&
  !has(clause, 'ifFirst') &&
  !saysAt(memory, { from: 0, to: clause.from }, 'me');

/** "page ops … without paging anyone": the same act is ordered and ruled out. */
export function isRuledOut(text: Text, { tool: { name, effect }, when, args }: DraftStep): boolean {
  const { words } = text;
  if (effect === 'read' || when !== null) return false;
  return words.some((_word, at) => {
    if (!is(text, at, 'negation')) return false;
    const stop = words.findIndex(
      ({ kind }, index) => index > at && (kind !== 'word' || is(text, index, 'only')),
    );
    const rest = range(at + 1, Math.min(at + 7, stop < 0 ? words.length : stop));
    // "instead of paging ops put …": behind what an act is ruled out for, another one is not, but for "and" and "or".
    const ends = rest.find((index) => is(text, index, ...aimed, 'unknown')) ?? words.length;
    const isDenied = rest.some(
      (index) =>
        is(text, index, `verb ${name}`, `also ${name}`) &&
        (index <= ends || is(text, index - 1, 'and', 'or')),
    );
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

/** Whom or what a frame acts on, where the words of its clause name it. */
export function aimsOf(text: Text, { tool, slots }: Frame, { from, to }: Clause): string[] {
  const named = new Set(aimsIn(text, range(from, to)));
  return argsThatTake(tool, 'service', 'channel', 'user', 'issue', 'incident')
    .flatMap((arg) => slots.get(arg) ?? [])
    .filter((value) => named.has(value));
}
