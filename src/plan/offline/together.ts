import { type Clause, has } from './clause.ts';
import { type DraftStep, fieldsOf, sourcesOf } from './draft.ts';
import type { Frame } from './frame.ts';
import { type Memory, saysAt } from './memory.ts';
import { argsThatTake } from './takes.ts';
import { is, range, type Text } from './text.ts';
import type { ThingKind } from './thing.ts';

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
    // "instead of paging ledger put …": behind an act that is ruled out, one without "or" is not.
    const isDenied = rest
      .filter((index) => is(text, index, 'verb write', 'also write'))
      .filter((index, nth) => nth === 0 || is(text, index - 1, 'and', 'or'))
      .some((index) => is(text, index, `verb ${name}`, `also ${name}`));
    const named = rest.flatMap((index) => words[index]?.things.filter(({ kind }) => aimed.has(kind)) ?? []);
    return (
      isDenied &&
      (named.length === 0 || named.some(({ value }) => args.values().some((one) => one === value)))
    );
  });
}

const aimed = new Set<ThingKind>(['service', 'channel', 'user', 'issue', 'incident', 'unknown']);

/** Whom or what a frame acts on. */
export const aimsOf = ({ tool, slots }: Frame): string[] =>
  argsThatTake(tool, 'service', 'channel', 'user', 'issue', 'incident').flatMap(
    (arg) => slots.get(arg) ?? [],
  );
