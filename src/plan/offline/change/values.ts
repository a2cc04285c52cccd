import { has, type Of } from '../clauses/clause.ts';
import type { Frame } from '../frames/frame.ts';
import { takesOf, textArgOf, valueAs } from '../frames/takes.ts';
import { settled } from '../steps/choices.ts';
import { type DraftStep, type DraftValue, fieldsOf, isField, isWrite } from '../steps/draft.ts';
import { type Memory, need, saysAt } from '../steps/memory.ts';
import { range, saysIn, type Text } from '../words/text.ts';
import { isAct, isCondition, isSilent, preferred } from './readings.ts';

/** Values that a change names go where the plan has their like, and what it takes out goes. */

const staying = ({ steps, gone }: Memory): DraftStep[] => steps.filter((step) => !gone.has(step));
export const writesOf = (memory: Memory): DraftStep[] => staying(memory).filter(isWrite);

/** The argument of a step in whose place a value of this argument comes: a person instead of a channel, a day instead of a duration. */
function placeOf({ tool, args }: DraftStep, arg: string): string | undefined {
  const group = [...tool.exactlyOne, ['window', 'since']].find((one) => one.includes(arg)) ?? [arg];
  return group.find((one) => args.has(one));
}

/** Puts a value in the place of its like. */
function assign(step: DraftStep, arg: string, said: string): void {
  const { tool, args } = step;
  const place = placeOf(step, arg);
  if (place !== undefined && place !== arg) args.delete(place);
  args.set(arg, valueAs(tool, arg, said));
}

/** How many of the values that are named a step has. */
const heldBy = ({ args }: DraftStep, slots: Frame['slots']): number =>
  [...slots].filter(([arg, values]) => values.length === 1 && args.get(arg) === values[0]).length;

/** Steps of a tool that are meant: those that the words name by a target that they have, or all of them. */
function meantBy(memory: Memory, { tool, slots }: Frame): DraftStep[] {
  const own = staying(memory).filter((step) => step.tool === tool);
  const most = Math.max(0, ...own.map((step) => heldBy(step, slots)));
  return own.filter((step) => heldBy(step, slots) === most);
}

const show = (value: unknown): string => (typeof value === 'object' ? 'a result' : String(value));

/** Steps in which a new value comes in the place of another one; asks where it could be meant for several. */
function placesFor(
  memory: Memory,
  { tool, slots }: Frame,
  arg: string,
  there: DraftStep[],
): readonly DraftStep[] {
  const { dropped } = memory;
  const oldOf = (step: DraftStep): unknown => step.args.get(placeOf(step, arg) ?? '');
  const old = there.filter((step) => dropped.some(({ value }) => value === oldOf(step)));
  if (old.length > 0) return old;
  if (dropped.some((one) => takesOf(tool, one.arg) === takesOf(tool, arg))) return [];
  const [one, ...more] = new Set(there.map((step) => show(oldOf(step))));
  const said = `Which one should change: ${[one, ...more].join(' or ')}? Say it as in “${slots.get(arg)?.[0]} instead of ${one}”.`;
  if (more.length > 0) need(memory, 'change', 'change', { said });
  return there;
}

/** A step like one that is there, with another value: under the same condition, and told beside it. */
function putBeside(memory: Memory, step: DraftStep, arg: string, value: string): void {
  const { steps, waiting } = memory;
  const { from: _from, ...plain } = step;
  const twin: DraftStep = { ...plain, args: new Map(step.args) };
  assign(twin, arg, value);
  if (steps.some(({ tool, args }) => tool === step.tool && args.get(arg) === twin.args.get(arg))) return;
  const said = `Should ${show(step.args.get(arg))} and ${value} count together or each for itself? Please say the whole condition anew.`;
  if (!isWrite(step) && steps.some(({ when }) => fieldsOf(when).some((field) => field.step === step)))
    need(memory, 'change', 'change', { said });
  for (const { args } of steps.filter(isWrite))
    for (const [name, here] of args) {
      const parts: (DraftValue & unknown)[] = [here].flat();
      const there = parts.map((part) =>
        isField(part) && part.step === step ? { ...part, step: twin } : part,
      );
      if (parts.some((part, at) => part !== there[at]))
        args.set(name, [...parts, '\n', ...there] as DraftValue);
    }
  steps.splice(steps.indexOf(step) + 1, 0, twin);
  if (waiting.has(step)) waiting.add(twin);
}

/** How a piece of a change means what it names: beside what is there, or so that only it stays. */
type Means = Readonly<Record<'adds' | 'only', boolean>>;

function take(
  memory: Memory,
  frame: Frame,
  arg: string,
  values: readonly string[],
  { adds, only }: Means,
): void {
  const own = meantBy(memory, frame);
  const [value = '', ...more] = values;
  if (own.every(({ args }) => args.get(arg) === value) && more.length === 0) {
    // "only ops": the others go.
    const others = staying(memory).filter(({ tool }) => only && tool === frame.tool);
    for (const step of others) if (!own.includes(step)) memory.gone.add(step);
    return;
  }
  const present = own.filter((step) => placeOf(step, arg) !== undefined);
  const isBeside = adds && present.length > 0;
  const places = isBeside ? present : present.length > 0 ? placesFor(memory, frame, arg, present) : own;
  if (!isBeside) for (const step of places) assign(step, arg, value);
  for (const step of places.slice(-1)) for (const one of values) putBeside(memory, step, arg, one);
  // Texts that are said now are not made any more.
  if (textArgOf(frame.tool) === arg) for (const step of own) memory.waiting.delete(step);
}

/** Values that words name for an argument. */
interface Named {
  readonly arg: string;
  readonly values: readonly string[];
}

const saysKind = ({ words }: Text, { arg }: Named): boolean => words.some(({ low }) => low === arg);

/** Whether the words say the kind of what they name, and it is another: "service payments" is no project. */
function isHomonym(text: Text, one: Named, all: readonly Named[]): boolean {
  const areOne = (other: Named): boolean =>
    text.words.some(({ things }) =>
      [one, other].every(({ values }) => things.some(({ value }) => value === values.at(-1))),
    );
  return !saysKind(text, one) && all.some((other) => saysKind(text, other) && areOne(other));
}

/** A value for an argument of a tool, and whether a step of the plan has its like. */
interface Edit extends Named {
  readonly frame: Frame;
  readonly known: boolean;
}

/** "title “x”", "assign it to ana": another tool hears more of the words. */
const isHeardBetter = ({ frame, values: [value] }: Edit, all: readonly Edit[]): boolean =>
  all.some(
    (other) =>
      other.values[0] === value &&
      other.frame.left.length < frame.left.length &&
      (other.known || other.frame.used.size > frame.used.size + 1),
  );

/** "ana should own it": nobody is written to in the place of a channel unless that is said. */
function isStray({ text, dropped, ...memory }: Memory, { frame: { tool, verb }, arg }: Edit): boolean {
  const isSaid = dropped.length > 0 || text.words.some(({ low }) => /^(?:to|instead)$/u.test(low));
  const isOther = (step: DraftStep): boolean => step.tool === tool && placeOf(step, arg) !== arg;
  return arg === 'user' && !verb && !isSaid && memory.steps.some(isOther);
}

/** Gives the values that the words name to the steps that have their like. */
export function put(memory: Memory, said: readonly Frame[], means: Means): void {
  const frames = said.map((frame) => settled(memory, frame));
  const isThere = ({ tool }: Frame, arg: string): boolean =>
    staying(memory).some((step) => step.tool === tool && placeOf(step, arg) !== undefined);
  const named = frames.flatMap((frame) =>
    [...frame.slots].map(([arg, values]) => ({ frame, arg, values, known: isThere(frame, arg) })),
  );
  const { text, dropped, left } = memory;
  const edits = named.filter((one) => !isHomonym(text, one, named) && !isHeardBetter(one, named));
  // "WEB": the name of a project that is its service as well is the project where the plan has one.
  const isProject =
    edits.some(({ arg, known }) => arg === 'project' && known) &&
    !dropped.some(({ arg }) => arg === 'service');
  const isOther = ({ frame, arg }: Edit): boolean =>
    arg === 'service' && isProject && !frame.verb && saysIn(text, [...frame.filling], 'project');
  // What nothing has yet goes to the tool that takes most of the words.
  const [best] = frames.toSorted((a, b) => b.used.size - a.used.size);
  const isNew = ({ frame, values }: Edit): boolean =>
    frame === best && !edits.some((one) => one.known && one.values[0] === values[0]);
  for (const edit of edits) {
    if (isStray(memory, edit)) left.push(...edit.frame.filling);
    if ((edit.known || isNew(edit)) && !isOther(edit)) take(memory, edit.frame, edit.arg, edit.values, means);
  }
}

/** Takes out what a clause names: steps by their tool, or values, until it is known what comes in their place. */
function drop(memory: Memory, { frames, span, from, to }: Of<'edit'>): void {
  const { text, gone, dropped, left } = memory;
  const said = span.filter((at) => !isSilent(text, at));
  const writes = writesOf(memory);
  const isOf = ({ tool }: DraftStep): boolean => span.some((at) => isAct(text, at, tool));
  if (said.some((at) => isCondition(text, at))) {
    memory.unbound.push(...preferred(writes, isOf));
    return;
  }
  const bounds = writes.flatMap(({ when }) => when?.parts.map(({ right }) => String(right)) ?? []);
  const isOld = (at: number): boolean =>
    text.words[at]?.things.some(({ value }) => bounds.includes(value)) ?? false;
  if (said.every(isOld)) return;
  const values = frames.filter(({ slots }) => slots.size > 0);
  const held = values.flatMap((one) => meantBy(memory, one).filter((step) => heldBy(step, one.slots) > 0));
  const named = writes.filter(isOf);
  const aims = values.some(({ tool }) => named.some((step) => step.tool === tool));
  const meant = aims ? named.filter((step) => held.includes(step)) : named;
  // "don't page ops" where nobody pages ops.
  if (meant.length === 0 && (named.length > 0 || held.length === 0)) left.push(...range(from, to));
  for (const step of meant) gone.add(step);
  const all = values.flatMap(({ slots }) =>
    [...slots].map(([arg, [value = '']]) => ({ arg, value, values: [value] })),
  );
  if (meant.length > 0) return;
  const there = all
    .filter((one) => !isHomonym(text, one, all))
    .filter(({ arg, value }) => held.some(({ args }) => args.get(arg) === value));
  // "ops" is written as the service, "OPS" as the project.
  const isWritten = ({ value }: { value: string }): boolean =>
    span.some((at) => text.words[at]?.raw === value);
  dropped.push(...preferred(there, isWritten).map(({ arg, value }) => ({ arg, value })));
}

export function takeEdit(memory: Memory, clause: Of<'edit'>): void {
  const { drops, span, frames, from } = clause;
  const adds = saysAt(memory, clause, 'adding') || (from === 0 && has(clause, 'and'));
  // "… or at risk", "otherwise post …": no value comes in the place of another.
  if (has(clause, 'or', 'else') || memory.condition !== null) memory.left.push(...span);
  else if (drops) drop(memory, clause);
  else put(memory, frames, { adds, only: saysAt(memory, clause, 'only') });
}

/** A value without a name goes to the only slot that takes its like and has one. */
export function placeBare(memory: Memory, { bare, from, to }: Of<'condition'>): void {
  const isLike = ({ tool }: DraftStep, arg: string): boolean => takesOf(tool, arg) === bare?.kind;
  const places = staying(memory).flatMap((step) =>
    [...step.args.keys()].flatMap((arg) => (isLike(step, arg) ? [{ step, arg }] : [])),
  );
  for (const { step, arg } of places) assign(step, arg, bare?.value ?? '');
  if (new Set(places.map(({ arg }) => arg)).size !== 1)
    memory.left.push(...range(from, to).filter((at) => !isSilent(memory.text, at)));
}

/** What was to go and has nothing in its place: the order that cannot do without it, or else a value that only narrows. */
export function letGo(memory: Memory): void {
  for (const { arg, value } of memory.dropped)
    for (const step of staying(memory).filter(({ args }) => args.get(arg) === value)) {
      const { tool, args } = step;
      const isOpen = tool.args.shape[arg]?.safeParse(undefined).success;
      if (isWrite(step) && (!isOpen || tool.exactlyOne.flat().includes(arg))) memory.gone.add(step);
      else args.delete(arg);
    }
}
