import { resumed } from '../change/apart.ts';
import { finishChange, takeNewCondition, takeNewOrder } from '../change/orders.ts';
import { takeEdit } from '../change/values.ts';
import { type Clause, has, type Spot } from '../clauses/clause.ts';
import type { Reading } from '../clauses/search.ts';
import { is, lowAt, type Text } from '../words/text.ts';
import type { Thing } from '../words/thing.ts';
import { aimAtServices } from './aim.ts';
import { joined, placeReasons, placeRemarks, takeRemark } from './asides.ts';
import { otherwise, pointedBack, takeCondition } from './conditional.ts';
import { wordlessIn } from './content.ts';
import { type Condition, type DraftStep, type DraftValue, isWrite, sameCondition } from './draft.ts';
import { takeListing, takeRead } from './look-ups.ts';
import { createMemory, type Given, type Memory, type Need, need, pointTo, saysAt } from './memory.ts';
import { addOrder } from './steps.ts';
import { aimsOf, asksFirst, isLoose, isRuledOut, ofTheService, omitsMeaning } from './together.ts';

/** A reading put together: steps with their conditions, and what has to be asked before they are a plan. */
export interface Composed {
  readonly steps: readonly DraftStep[];
  readonly needs: readonly Need[];
  /** Tokens that no step carries. */
  readonly left: readonly number[];
  readonly assumptions: readonly string[];
  /** What a watch speaks of where no step has a condition. */
  readonly alarm: Condition | null;
  /** Steps whose text nobody said: it is made of the facts of the plan. */
  readonly wordless: ReadonlySet<DraftStep>;
  /** A write stands beside a look-up that nothing uses: how they belong together was not said. */
  readonly loose: boolean;
  /** A text was taken for one without a word that says so. */
  readonly isGuess: boolean;
  /** What no step carries would change what they do: such a plan is not offered. */
  readonly omits: boolean;
  readonly score: number;
}

function spotOf({ text }: Memory, clauses: readonly Clause[], index: number): Spot {
  const [before, clause, next] = [clauses[index - 1], clauses[index] as Clause, clauses[index + 1]];
  return { clause, before, next, isNew: is(text, clause.from - 1, 'sentence ends') };
}

function take(memory: Memory, { clause, ...around }: Spot): void {
  if (memory.text.plan !== null && takeChange(memory, { clause, ...around })) return;
  const goesOn = has(clause, 'and', 'then', 'but', 'else', 'so') || ['mark', 'empty'].includes(clause.kind);
  if (has(clause, 'undo')) takeBack(memory);
  if (around.isNew || (clause.kind === 'order' && has(clause, 'then'))) memory.open = [];
  if ((around.isNew && !goesOn) || has(clause, 'always')) memory.condition = null;
  if (clause.kind !== 'condition' && has(clause, 'else')) memory.condition = otherwise(memory);
  else if (
    clause.kind === 'mark' ||
    (clause.kind === 'order' && (has(clause, 'so') || answers(memory, { clause, ...around })))
  )
    memory.condition = pointedBack(memory, clause);
  // "… and if nobody is on call tell #ops": an "if" without its condition is asked about, never passed over.
  const isOpenIf = has(clause, 'if') && !has(clause, 'ifFirst', 'so', 'else') && memory.condition === null;
  const isLast = clause.kind === 'empty' && around.next === undefined && memory.steps.some(isWrite);
  if (isOpenIf && (isLast || ['order', 'forbid'].includes(clause.kind)))
    need(memory, 'condition', 'condition');
  if (clause.kind === 'mark' && isTrailing(memory, { clause, ...around }))
    for (const step of memory.orders) step.when = memory.condition;
  if (clause.kind === 'condition') takeCondition(memory, { clause, ...around });
  else if (clause.kind === 'read') takeRead(memory, { clause, ...around });
  else if (clause.kind === 'order') addOrder(memory, clause.frame, clause);
  else if (clause.kind === 'listing') takeListing(memory, clause);
  else if (clause.kind === 'remark') {
    takeRemark(memory, clause);
    speakOf(memory, clause.things);
  } else if (clause.kind === 'topic') {
    memory.because = clause.words;
    speakOf(memory, clause.things);
  } else if (clause.kind === 'forbid') takeForbid(memory, { clause, ...around });
}

/** "post it to #ops if so", "ping ben otherwise, thanks": it holds for the orders before it. "…, otherwise just tell me" does nothing. */
function isTrailing(memory: Memory, { clause, next }: Spot): boolean {
  const isLast = next === undefined || next.kind === 'empty' || next.kind === 'remark';
  const isApart = is(memory.text, clause.from - 1, 'mark') || saysAt(memory, clause, 'me', 'readonly');
  return isLast && !(has(clause, 'else') && isApart);
}

/** "anything open on checkout? then tell #ops": where the answer is yes. */
const answers = ({ text }: Memory, { clause, before }: Spot): boolean =>
  has(clause, 'then') &&
  lowAt(text, clause.from - 1) === '?' &&
  before?.kind === 'read' &&
  !is(text, before.from, 'wanting');

/** What a change says of its plan. False where it is read as in a request. */
function takeChange(memory: Memory, spot: Spot): boolean {
  const { clause } = spot;
  if (clause.kind === 'edit') takeEdit(memory, clause);
  else if (clause.kind === 'condition') takeNewCondition(memory, spot as Spot<'condition'>);
  else if (clause.kind === 'order') {
    if (has(clause, 'else')) memory.condition = otherwise(memory);
    takeNewOrder(memory, clause);
  }
  return ['edit', 'condition', 'order'].includes(clause.kind);
}

/** "page ops, no wait, …": what stands right before it is not to be done. */
function takeBack(memory: Memory): void {
  const { steps, orders, reads } = memory;
  const gone = orders.length > 0 ? orders : reads;
  steps.splice(0, steps.length, ...steps.filter((step) => !gone.includes(step)));
  for (const step of gone) memory.waiting.delete(step);
  memory.orders = [];
  memory.open = [];
  memory.reads = reads.filter((step) => steps.includes(step));
  for (const { why } of gone) memory.assumptions.add(`You took this back: “${why}”.`);
}

/** What is ruled out under the condition of an order contradicts it; elsewhere it leaves something undone. */
function takeForbid(memory: Memory, { clause, before, next }: Spot<'forbid'>): void {
  note(memory, clause.things);
  if (clause.tools.length === 0) memory.forbidden.push(...clause.things.map(({ value }) => ({ value })));
  // "if none, don't bother" rules nothing out. "Don't page unless …" says when.
  const follows = before?.kind === 'condition' || before?.kind === 'mark';
  const isConditional = follows || (next?.kind === 'condition' && has(next, 'unless'));
  const clash = ({ tool, when }: DraftStep): boolean =>
    clause.tools.includes(tool.name) && sameCondition(when, memory.condition);
  if (has(clause, 'else')) return;
  // "page ops, don't page payments": only what it names is ruled out.
  const aims = clause.frame ? aimsOf(clause.frame) : [];
  const ruled = clause.tools.flatMap((tool) =>
    aims.length > 0 ? aims.map((value) => ({ tool, value })) : [{ tool }],
  );
  if (!isConditional) memory.forbidden.push(...ruled);
  else if (memory.steps.some(clash)) need(memory, 'conflict', 'goal');
}

/** What follows is about these, or about nothing in particular where there are several. */
function speakOf(memory: Memory, things: readonly Thing[]): void {
  const { topic } = memory;
  note(memory, things);
  for (const { kind, value } of things)
    if ((topic.get(kind) ?? value) !== value) topic.delete(kind);
    else if (kind !== 'issue' && kind !== 'incident') topic.set(kind, value);
}

/** What "it" points to from now on. */
function note(memory: Memory, things: readonly Thing[]): void {
  const valuesOf = (what: Thing['kind']): string[] =>
    things.filter(({ kind }) => kind === what).map(({ value }) => value);
  pointTo(memory, valuesOf('issue'), valuesOf('incident'));
  memory.service = valuesOf('service').at(-1) ?? memory.service;
  const [person = memory.person, ...others] = new Set<DraftValue>(valuesOf('user'));
  memory.person = others.length === 0 ? person : null;
}

/** Puts the clauses of a reading together. */
export function compose(text: Text, given: Given, { clauses: read, score }: Reading): Composed {
  const memory = text.plan ? resumed(text, text.plan) : createMemory(text, given);
  const isDrop = (clause: Clause): boolean => clause.kind === 'edit' && clause.drops;
  // What goes is known before what comes in its place.
  const clauses = joined(text, read).sort((a, b) => Number(isDrop(b)) - Number(isDrop(a)));
  for (const index of clauses.keys()) take(memory, spotOf(memory, clauses, index));
  const { steps, needs, left, assumptions, forbidden } = memory;
  if (text.plan) finishChange(memory);
  placeRemarks(memory);
  placeReasons(memory, clauses);
  aimAtServices(memory);
  ofTheService(memory);
  const wordless = wordlessIn(memory);
  const isForbidden = (step: DraftStep): boolean =>
    isWrite(step) &&
    forbidden.some(
      ({ tool = step.tool.name, value }) =>
        tool === step.tool.name && (value === undefined || [...step.args.values()].includes(value)),
    );
  // "comment that it is not done and create a ticket": what is said rules out nothing.
  const said = new Set(clauses.flatMap((one) => (one.kind === 'order' ? [...one.frame.spoken] : [])));
  if (steps.some((step) => isForbidden(step) || isRuledOut(text, step, said)))
    need(memory, 'conflict', 'goal');
  if (clauses.some((clause) => asksFirst(memory, clause)) && steps.every(({ when }) => when === null))
    need(memory, 'condition', 'condition');
  const loose = text.plan === null && isLoose(steps);
  return {
    ...{ steps, needs, assumptions: [...assumptions], wordless, loose, isGuess: memory.isGuess },
    alarm: text.watched && steps.every(({ when }) => when === null) ? memory.lastCondition : null,
    left: [...left, ...clauses.flatMap((clause) => clause.left)],
    omits: omitsMeaning(memory, steps, clauses),
    score:
      score -
      1.6 * needs.filter(({ kind }) => !['title', 'exclude', 'change'].includes(kind)).length -
      2 * left.length -
      (loose || memory.isGuess ? 2 : 0),
  };
}
