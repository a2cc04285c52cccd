import type { Manifest } from '../../../core/manifest.ts';
import { type Clause, has, type Of, type Spot } from '../clauses/clause.ts';
import type { Frame } from '../frames/frame.ts';
import { statesIn } from '../frames/stated.ts';
import { isTimed } from '../frames/takes.ts';
import { is, range } from '../words/text.ts';
import { saysNone, turnInto } from './content.ts';
import { conditionOf } from './decide.ts';
import {
  both,
  type Condition,
  contradicts,
  type DraftStep,
  isNextStep,
  opposed,
  sameCondition,
} from './draft.ts';
import { type Memory, need, sameReads, saysAt } from './memory.ts';
import { addOrder, addReads } from './steps.ts';

/** What a condition holds for: the orders behind it, those before it, or the ones beside another condition. */

export function otherwise(memory: Memory): Condition | null {
  const last = memory.lastCondition ?? implied(memory);
  // "is anything open? page ops. Otherwise …"
  for (const step of memory.orders) step.when ??= last;
  return last === null ? null : opposed(last);
}

/** "Is PAY-3 breached? If so …": the question itself is the condition. */
export function implied(memory: Memory): Condition | null {
  const { text, reads, asked } = memory;
  const found =
    conditionOf(memory, reads, [{ kind: 'exists', some: true }], false) ??
    // "check whether #1182 is resolved, and if so …": one is always there, so its state is what was asked.
    statesIn(text, range(asked.from, asked.to), true)
      .values()
      .map(({ test }) => conditionOf(memory, reads, [test], false))
      .find((one) => one !== null) ??
    null;
  if (found === null) need(memory, 'condition', 'condition');
  memory.lastCondition = found;
  memory.denied = false;
  return found;
}

/** "if so" is what was asked before it; "check that there is no P1. If there are any, …" is where there is one. */
export function pointedBack(memory: Memory, clause: Clause): Condition | null {
  const last = memory.lastCondition ?? implied(memory);
  const { words } = memory.text;
  const from = range(clause.from, clause.to).find((at) => is(memory.text, at, 'so')) ?? clause.to;
  const length = words[from]?.phrases.find(({ tags }) => tags.has('so'))?.length ?? 0;
  // "if it is not done page ops, if it is tell #ops"
  const isTurned = length > 1 && is(memory.text, from + 1, 'pronoun thing') && memory.denied;
  if (last && isTurned) return opposed(last);
  if (last === null || !saysAt(memory, { from, to: from + length }, 'being there')) return last;
  if (saysNone(last)) return opposed(last);
  // "page ops if there are more than 5, and tell #ops if there are any": another condition than the one that has its order.
  const isNumber = last.parts.every(({ right }) => typeof right === 'number');
  return isNumber ? { ...last, parts: last.parts.map((part) => ({ ...part, op: '>', right: 0 })) } : last;
}

/** "more than 3 P1s in OPS or more than 5 in PAY", "failed orders, if over 30 in the last hour": what is not said again is as it was. */
function asBefore({ text, reads }: Memory, frame: Frame): Frame {
  // "any triggered": a state that only this tool has names nothing anew.
  const isNamed = [...frame.used].some(
    (at) => is(text, at, `noun ${frame.tool.name}`) && !frame.filling.has(at),
  );
  const [like, ...others] = isNamed ? [] : reads;
  // A time or a state says which of those that were looked up; anything else looks for something of its own.
  const says = (tool: Manifest, arg: string): boolean => arg === 'status' || isTimed(tool, arg);
  const isLike = (tool: Manifest): boolean =>
    (tool === frame.tool && tool.asked?.role === 'count') ||
    [...frame.slots.keys()].every((arg) => arg in tool.args.shape && says(tool, arg));
  if (like === undefined || others.length > 0 || !isLike(like.tool)) return frame;
  const said = [...like.args].flatMap(([arg, value]) =>
    typeof value === 'string' && !frame.slots.has(arg) ? [[arg, [value]] as const] : [],
  );
  return { ...frame, tool: like.tool, slots: new Map([...said, ...frame.slots]) };
}

function subjectOf(memory: Memory, clause: Of<'condition'>): DraftStep[] {
  if (clause.subject !== null) {
    const again = sameReads(memory, clause.subject);
    return again.length > 0 ? again : addReads(memory, asBefore(memory, clause.subject), clause);
  }
  // Tickets that were only named and then compared with a number are counted.
  if (memory.reads.every(({ isVerbless }) => isVerbless)) turnInto(memory, 'count');
  return memory.reads;
}

export function takeCondition(memory: Memory, spot: Spot<'condition'>): void {
  if (changesNothing(memory, spot)) return;
  const { clause, before } = spot;
  const earlier = memory.lastCondition;
  if (has(clause, 'regardless')) need(memory, 'condition', 'condition');
  const last = goesOn(memory, spot) ? memory.lastCondition : null;
  const denied = has(clause, 'unless') && before?.kind === 'forbid' ? before.frame : null;
  const found = compared(memory, clause);
  const own = found && has(clause, 'unless') && denied === null ? opposed(found) : found;
  // "otherwise, if …", "over 10: page ops, over 5: …": where the one before it does not hold.
  const isElse = has(clause, 'else') || (before?.kind === 'mark' && has(before, 'else'));
  const isStep = !has(clause, 'if', 'unless') && own !== null && isNextStep(own, earlier);
  const other = earlier && (isElse || isStep) ? opposed(earlier) : last;
  const condition = own && other ? both(other, own, last !== null && has(clause, 'or')) : own;
  if (condition === null) {
    need(memory, 'condition', 'condition');
    return;
  }
  if (contradicts(condition)) need(memory, 'conflict', 'condition');
  const either = own && earlier && isElse ? both(earlier, own, true) : null;
  memory.lastCondition = isStep ? own : (either ?? condition);
  // "unless there are more than 200; if it is …" is where there are.
  const isTurned = has(clause, 'unless') && denied === null;
  memory.denied = clause.tests.every((test) => test.kind === 'state' && !test.is) !== isTurned;
  // "compare it with the SLA and post both": what was only held against something decides nothing by itself.
  if (clause.tests.every(({ kind }) => kind === 'versus')) return;
  // It holds for the orders before it, too.
  for (const step of memory.steps) if (last !== null && step.when === last) step.when = condition;
  // "page ops, or if nothing is open post …", "page ops. If there are none, do nothing": what stands before it holds
  // where the condition does not.
  const isOther = (has(clause, 'or') && last === null) || isLeft(memory, spot);
  const holds = isOther ? opposed(condition) : condition;
  const orders = governed(memory, spot);
  for (const step of orders) step.when = holds;
  bindLast(memory, spot, holds);
  memory.leads = orders.length === 0;
  memory.open = [];
  memory.condition = condition;
  if (denied) addOrder(memory, denied, clause);
}

/** "don't page even if it is over 10", "below 5 nothing": nothing is to be done either way. */
function changesNothing({ text }: Memory, { clause, before, next }: Spot<'condition'>): boolean {
  if (has(clause, 'regardless')) return before?.kind === 'forbid';
  // "none tell #ops" says when, and an order stands right behind it.
  const isWhen = next?.kind === 'order' && next.lead.size === 0;
  return before?.kind === 'condition' && is(text, clause.from, 'nobody') && !isWhen;
}

/** Whether nothing is to be done where a condition holds. */
const isLeft = (memory: Memory, { before, next }: Spot<'condition'>): boolean =>
  before?.kind === 'order' &&
  next?.kind === 'forbid' &&
  !has(next, 'else') &&
  saysAt(memory, next, 'readonly');

/** Whether a condition is one more part of the one before it. */
function goesOn(memory: Memory, { clause, before }: Spot<'condition'>): boolean {
  // In a change: "unless …", "only if …".
  const isNarrower = has(clause, 'unless') || saysAt(memory, { ...clause, from: clause.from - 1 }, 'only');
  if (memory.text.plan !== null && isNarrower) return true;
  // "check whether it is done, and if it is not …": what was only looked at is no condition yet.
  const isOwn = has(clause, 'if') && before !== undefined && !has(before, 'if', 'unless');
  // "if there are failed orders but | no incident"
  const joins = has(clause, 'and', 'but', 'or', 'unless') || is(memory.text, clause.from - 1, 'but');
  return before?.kind === 'condition' && !isOwn && joins;
}

/** The comparisons of a condition with what they compare. */
function compared(memory: Memory, clause: Of<'condition'>): Condition | null {
  const subject = subjectOf(memory, clause);
  const found = conditionOf(memory, subject, clause.tests, clause.any);
  if (found?.parts.some(({ right }) => typeof right === 'object')) memory.compared = found;
  if (clause.subject !== null) memory.reads = subject;
  if (subject.some(({ args }) => args.has('text'))) turnInto(memory, 'list');
  return found;
}

/** Orders before a condition that it governs: "page ops if …", unless it begins something new. */
function governed({ text, open }: Memory, { clause, next }: Spot<'condition'>): readonly DraftStep[] {
  if (!has(clause, 'if', 'unless') && !text.watched && text.plan === null) return [];
  const isApart = is(text, clause.from - 1, 'sets apart') && next !== undefined && !has(next, 'and');
  const leads =
    next?.kind === 'order' &&
    !has(next, 'else') &&
    (isApart || has(clause, 'and', 'then') || is(text, clause.from - 1, 'and', 'then'));
  return leads ? [] : open;
}

/** "page ops if …, and payments if …": the second has a condition of its own. "If …, page ops, and payments if …": both hold for it. */
function bindLast(memory: Memory, { clause, before, next }: Spot<'condition'>, condition: Condition): void {
  const isBehind = before?.kind === 'order' && next?.kind !== 'order' && has(clause, 'if', 'unless');
  if (!isBehind || memory.text.plan !== null) return;
  for (const step of memory.orders) {
    const isMore = step.when !== null && (memory.leads || has(before, 'else'));
    const isSame = sameCondition(step.when, condition);
    const own = isMore && !isSame ? both(step.when ?? condition, condition, false) : condition;
    if (own === null) need(memory, 'condition', 'condition');
    else if (contradicts(own)) need(memory, 'conflict', 'condition');
    else step.when = own;
  }
}
