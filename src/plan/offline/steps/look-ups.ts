import { type Clause, has, type Of, type Spot } from '../clauses/clause.ts';
import type { Frame } from '../frames/frame.ts';
import { makesOfResults } from '../frames/reads.ts';
import { valueAs } from '../frames/takes.ts';
import { is, range } from '../words/text.ts';
import { summarizeAlso, turnInto } from './content.ts';
import { sourcesOf } from './draft.ts';
import { type Memory, saysAt } from './memory.ts';
import { addReads } from './steps.ts';

/** Look-ups beside each other: what one goes on with, narrows, or lists of the one before it. */

/** "who was on call last night and what incidents were there": in the past tense the time goes on. */
function atThatTime(memory: Memory, frame: Frame, clause: Of<'read'>): Frame {
  const { tool, slots } = frame;
  if (!saysAt(memory, clause, 'time pastTense') || times.some((arg) => slots.has(arg))) return frame;
  const said = memory.reads.flatMap(({ args }) => [...args]).findLast(([arg]) => times.includes(arg));
  const [arg = '', value] = said ?? [];
  const own = arg === 'at' ? 'during' : arg;
  if (typeof value !== 'string' || !(own in tool.args.shape)) return frame;
  return { ...frame, slots: new Map([...slots, [own, [value]]]) };
}

const times = ['during', 'since', 'window', 'at'];

/** "…, and only the unassigned ones" narrows what was looked up before it. False where it says something else. */
function narrows(memory: Memory, { clause, before, next }: Spot<'read'>): boolean {
  const { text, reads } = memory;
  const first = range(clause.from, clause.to).find((at) => !is(text, at, 'mark', 'and', 'articles')) ?? -1;
  const { slots, verb } = clause.frame;
  if (verb || !is(text, first, 'only', 'negation') || (before ?? next) === undefined) return false;
  const said = [...slots];
  const fits = reads.every(({ tool, args }) =>
    said.every(([arg]) => arg in tool.args.shape && !args.has(arg)),
  );
  const isPlain = said.every(([, values]) => values.length === 1);
  if (before?.kind !== 'read' || !fits || !isPlain) memory.left.push(...clause.frame.used);
  else
    for (const { tool, args } of reads)
      for (const [arg, [value = '']] of said) args.set(arg, valueAs(tool, arg, value));
  return true;
}

/** "count open PAY and open WEB tickets": what goes on without a verb is counted as well. */
function countedToo({ text }: Memory, frame: Frame, { clause, before }: Spot<'read'>): Frame {
  const isCounted = before?.kind === 'read' && before.frame.tool.asked?.role === 'count' && before.frame.verb;
  const tool = text.lexicon.byRole.get('count');
  const goesOn = has(clause, 'and') && !frame.verb && frame.tool.asked?.role === 'list';
  return isCounted && goesOn && tool ? { ...frame, tool } : frame;
}

/** Adds what is looked up. */
export function takeRead(memory: Memory, spot: Spot<'read'>): void {
  const { clause, before, isNew } = spot;
  if (narrows(memory, spot)) return;
  const frame = countedToo(memory, atThatTime(memory, clause.frame, clause), spot);
  // A look-up behind a condition may be meant as what to do then: "over 50: P1 in OPS".
  if (before?.kind === 'condition' && !isNew) memory.left.push(...frame.used);
  // "errors in splunk or in azure": one of two look-ups.
  const isOther = before?.kind === 'read' && before.frame.tool !== frame.tool;
  if (isOther && has(clause, 'or')) memory.left.push(clause.from);
  const summed = before?.kind === 'order' && makesOfResults(before.frame.tool);
  const listed = (before?.kind === 'read' || summed) && !isNew;
  const earlier = listed || memory.summary !== null ? memory.reads : [];
  if (listed && memory.service !== null && !frame.slots.has('service'))
    memory.topic.set('service', memory.service);
  const found = addReads(memory, frame, clause);
  memory.asked = clause;
  // "open incidents and on-call of search": what stands last in a list is said of all of it.
  const [service] = frame.slots.get('service') ?? [];
  for (const { tool, args } of listed && has(clause, 'and') ? earlier : [])
    if (service !== undefined && 'service' in tool.args.shape && !args.has('service'))
      args.set('service', service);
  // "…, look it up": what is made of a result stands for it.
  const chained = found.some((step) => sourcesOf(step).some((source) => earlier.includes(source)));
  memory.reads = [...new Set([...(chained ? [] : earlier), ...found])];
  if (memory.summary !== null && !isNew) summarizeAlso(memory, found);
  if (!has(clause, 'and', 'then')) memory.condition = null;
}

/** "how many are open? list them": it is asked of nothing where nothing was looked up. */
export function takeListing(memory: Memory, clause: Clause): void {
  // "… post “all quiet” in #ops, else list them there": what is shown anyway is shown to whoever asks.
  const isElsewhere = saysAt(memory, clause, 'there') && memory.orders.length > 0;
  if (memory.reads.length === 0 || isElsewhere) memory.left.push(...range(clause.from, clause.to));
  turnInto(memory, 'list');
}
