import { type Clause, has } from './clause.ts';
import { type DraftStep, sourcesOf } from './draft.ts';
import type { Frame } from './frame.ts';
import { assume, type Memory, saysAt } from './memory.ts';

/** How look-ups and orders of one request belong together. */

/** "open incidents and on-call of search": what stands last in a list is said of all of it. */
export function shareService(before: readonly DraftStep[], { slots }: Frame): void {
  const [service] = slots.get('service') ?? [];
  for (const { tool, args } of before)
    if (service !== undefined && 'service' in tool.args.shape && !args.has('service'))
      args.set('service', service);
}

/** "pay p2 over sla, page payments": what is looked up hardly ever has nothing to do with what is done in any case. */
export function isLoose(steps: readonly DraftStep[]): boolean {
  const used = new Set(steps.flatMap((step) => [...sourcesOf(step), ...step.after]));
  const isRead = ({ tool }: DraftStep): boolean => tool.effect === 'read';
  return steps.some((step) => isRead(step) && !used.has(step)) && steps.some((step) => !isRead(step));
}

/** An incident that is waited for or ruled out is one of the service that is paged. */
export function ofTheService(memory: Memory): void {
  for (const { args, when } of memory.steps)
    for (const { step } of when?.parts.flatMap(({ left }) => left) ?? []) {
      const service = args.get('service');
      if (step.tool.asked?.role !== 'alarms' || step.args.has('service') || service === undefined) continue;
      step.args.set('service', service);
      assume(memory, `Incidents of ${String(service)}, because no other service was named.`);
    }
}

/** "if", "unless": something depends on it, but for "tell me if …". "When", "with" and "where" may begin other things. */
export const asksFirst = (memory: Memory, clause: Clause): boolean =>
  clause.kind === 'condition' &&
  has(clause, 'if', 'unless') &&
  !has(clause, 'ifFirst') &&
  !saysAt(memory, { from: 0, to: clause.from }, 'me');
