import { has, type Of, type Spot } from '../clauses/clause.ts';
import type { Frame } from '../frames/frame.ts';
import { argsThatTake, textArgOf } from '../frames/takes.ts';
import { takeCondition } from '../steps/conditional.ts';
import { listed, sayIn, toldOf } from '../steps/content.ts';
import { conditionOf } from '../steps/decide.ts';
import {
  type Compare,
  type DraftStep,
  fieldsOf,
  isWrite,
  opposed,
  sameCondition,
  sourcesOf,
} from '../steps/draft.ts';
import { type Memory, need, saysAt } from '../steps/memory.ts';
import { addOrder } from '../steps/steps.ts';
import { is, range } from '../words/text.ts';
import { isSilent, preferred } from './readings.ts';
import { letGo, placeBare, put, writesOf } from './values.ts';

/** Conditions and orders of a change go on with those of its plan. */

/** What a comparison looks at, as tests name it. */
function lookAt({ left: [field], right }: Compare): string {
  if (typeof right === 'string' || typeof right === 'boolean') return 'state';
  return /minutes/u.test(field?.field ?? '') ? 'minutes' : 'number';
}

/** Puts a new bound into the conditions, its opposite into the other branch. False where it is no bound of theirs, or of one of several. */
function rebound(memory: Memory, { tests: [test, ...more], any, bare }: Of<'condition'>): boolean {
  const { steps, lastCondition: main } = memory;
  const [first] = main?.parts ?? [];
  if (!main || !first || !test) return false;
  const looks = test.kind === 'minutes' || test.kind === 'state' ? test.kind : 'number';
  const isOne = main.parts.every((part) => lookAt(part) === looks);
  const other = opposed(main);
  const whens = steps.flatMap(({ when }) => when ?? []);
  if (!isOne || !whens.every((one) => sameCondition(one, main) || sameCondition(one, other))) return false;
  const looked = [...new Set(main.parts.flatMap(({ left }) => left.map(({ step }) => step)))];
  const found = conditionOf(memory, looked, [test, ...more], any || main.any);
  if (!found) return false;
  const parts = found.parts.map((part) =>
    bare === undefined ? part : { ...part, op: first.op, left: looks === 'minutes' ? first.left : part.left },
  );
  const next = { ...found, parts };
  for (const step of steps)
    if (step.when !== null) step.when = sameCondition(step.when, main) ? next : opposed(next);
  memory.lastCondition = next;
  memory.unbound.length = 0;
  return true;
}

/** A condition that is said anew is another bound, comes beside the one that is there, or takes its place. */
export function takeNewCondition(memory: Memory, spot: Spot<'condition'>): void {
  const { clause, before, next } = spot;
  // "if it is over 8 tell ana", "page ops if it is over 8"; "over 8 and tell ana" says two things.
  const isLast = before?.kind === 'order' && has(clause, 'if', 'unless');
  const isOfOrder = isLast || (next?.kind === 'order' && !has(next, 'and', 'else'));
  // "if it is over 20 also page payments", "… or more than 20 P2": one of several is asked about.
  const isOfEdit = next?.kind === 'edit' && has(clause, 'if', 'unless');
  const isClosed = writesOf(memory).some(({ when }) => when?.parts.length === 0);
  if (isOfEdit || isClosed || (before?.kind === 'condition' && has(clause, 'or', 'and')))
    memory.left.push(...range(clause.from, clause.to).filter((at) => !isSilent(memory.text, at)));
  const isBound = !isOfOrder && clause.subject === null && !has(clause, 'unless') && rebound(memory, clause);
  put(memory, clause.frames ?? [], { adds: false, only: false });
  if (isBound) return;
  if (clause.bare !== undefined) placeBare(memory, clause);
  else {
    if (!isOfOrder) memory.open = writesOf(memory);
    takeCondition(memory, spot);
    if (next?.kind !== 'order') memory.condition = null;
  }
}

/** "resolve it instead": of what is done to a ticket or to an incident, as the new order is. */
const isAlike =
  (frame: Frame) =>
  (step: DraftStep): boolean =>
    (['issue', 'incident'] as const).some((kind) =>
      [frame, step].every(({ tool }) => argsThatTake(tool, kind).length > 0),
    );

/** An order that the plan has not comes beside the others or in their place, under their condition and with their text. */
export function takeNewOrder(memory: Memory, clause: Of<'order'>): void {
  const { gone, orders, reads, waiting } = memory;
  const isOnly = range(clause.from, clause.to).some(
    (at) => is(memory.text, at, 'only') && is(memory.text, at + 1, 'verb write'),
  );
  const isInstead = gone.size === 0 && (isOnly || saysAt(memory, clause, 'instead'));
  for (const step of isInstead ? preferred(writesOf(memory), isAlike(clause.frame)) : []) gone.add(step);
  const beside = preferred(orders, (step) => gone.has(step));
  const [when = memory.lastCondition, ...others] = new Set(beside.map((step) => step.when));
  memory.condition ??= others.length === 0 ? when : null;
  const texts = beside.flatMap(({ tool, args }) => args.get(textArgOf(tool) ?? '') ?? []);
  const made = addOrder(memory, clause.frame, clause);
  for (const step of made.filter((one) => waiting.has(one))) {
    const isFound = step.when === null && reads.length > 0;
    const [said = isFound ? listed(toldOf(reads)) : undefined] = texts;
    if (said !== undefined) sayIn(memory, step, said);
  }
  memory.orders = [...orders, ...made];
  memory.open = made;
  memory.condition = null;
}

/** The steps that stay. Look-ups that nothing uses any more and that were there for a write go with it. */
export function finishChange(memory: Memory): void {
  const { steps, used, gone, waiting } = memory;
  for (const step of memory.unbound) {
    // A text that told of the condition still tells what it looked at.
    if (waiting.has(step)) sayIn(memory, step, listed(fieldsOf(step.when)));
    step.when = null;
  }
  letGo(memory);
  const stay = steps.filter((step) => !gone.has(step));
  const now = new Set(stay.flatMap(sourcesOf));
  const said = 'What stays uses a result of what would go. Please say what it should do instead.';
  if (stay.some((step) => sourcesOf(step).some((source) => gone.has(source))))
    need(memory, 'change', 'change', { said });
  const needed = stay.filter((step) => isWrite(step) || !used.has(step) || now.has(step));
  // "count the P1s and post it", without the post: what is left is what was looked up for its own sake.
  const isPlain = [...gone].every(({ when }) => when === null);
  steps.splice(0, steps.length, ...(needed.length === 0 && isPlain ? stay : needed));
}
