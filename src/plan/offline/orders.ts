import { aim, forAsker } from './aim.ts';
import { type Clause, has } from './clause.ts';
import type { DraftStep } from './draft.ts';
import { combinations, noteFrame, settled, twinOf } from './look-ups.ts';
import { type Memory, stepFor } from './memory.ts';
import { makesOfResults } from './reads.ts';
import { textArgOf } from './takes.ts';
import { contentOf, isAgain, putText } from './texts.ts';

type Order = Extract<Clause, { kind: 'order' }>;

/** Adds the steps of an order, one for each of its targets. */
export function takeOrder(memory: Memory, clause: Order): void {
  const { carries } = clause;
  const said = settled(memory, clause.frame);
  noteFrame(memory, said);
  // "…, please create": what was ordered before is meant.
  const isRepeated = memory.orders.some(({ tool }) => tool === said.tool);
  if (said.filling.size === 0 && carries.kind === 'nothing' && isRepeated) return;
  const before = memory.orders.length > 0 ? memory.orders : memory.reads;
  const content = contentOf(memory, carries, clause);
  const frame = forAsker(memory, said, clause);
  if (frame === null) return;
  const isOwn = ['said', 'nothing', 'oncall'].includes(carries.kind);
  const made = combinations(frame).flatMap((args) => {
    const step = stepFor(memory, frame.tool, args, clause, memory.condition);
    if (!isOwn) args.delete(textArgOf(frame.tool) ?? '');
    if (carries.kind === 'oncall' && memory.person !== null) args.set('user', memory.person);
    if (!frame.verb) memory.verbless.add(step);
    aim(memory, step, clause, frame);
    putText(memory, step, content);
    if (has(clause, 'then', 'before')) for (const earlier of before) step.after.add(earlier);
    if (twinOf(memory, step) || isAgain(step)) return [];
    memory.steps.push(step);
    return [step];
  });
  remember(memory, made);
}

/** What "it", "him" and "there" point to from now on. */
function remember(memory: Memory, made: DraftStep[]): void {
  for (const step of made) {
    const { tool, args, when } = step;
    if (when === null) memory.open.push(step);
    memory.issue =
      args.get('key') ?? (tool.result.shape.key === undefined ? memory.issue : { step, field: 'key' });
    memory.incident = args.get('incident') ?? memory.incident;
    memory.person = args.get('user') ?? memory.person;
    if (tool.asked?.role === 'message') memory.post = step;
    if (tool.effect === 'read' || tool.asked?.role === 'create') memory.reads = [step];
    if (makesOfResults(tool)) memory.summary = step;
  }
  memory.orders = made;
}
