import { cut } from '../../core/inert.ts';
import { type Plan, planLimits, type Step } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { vocabularyOf } from '../../core/words.ts';
import { rebound } from './change-bounds.ts';
import { addOrders, condition } from './change-orders.ts';
import { drop, fillSlots } from './change-steps.ts';
import { type Change, isSilent, isWrite, staying, toolOf, uses, writesOf } from './changing.ts';
import { remade, unbound, unmade } from './facts.ts';
import { named } from './questions.ts';
import { is, isAny, isBound, lowAt, range, type Text } from './text.ts';

/** A plan after a change in words, or what has to be asked about the change. */
export type Changed = { readonly plan: Plan } | { readonly ask: string };

/** Words of a change that belong together. */
interface Piece {
  readonly span: readonly number[];
  /** Where what it takes out begins; null where it takes nothing out. */
  readonly drops: number | null;
}

/** Words from a place on that take out what follows: "drop", "don't", "instead of"; none in "not more than", "not urgent". */
function droppingAt(text: Text, at: number): number {
  const [longest] = text.words[at]?.phrases ?? [];
  if (is(text, at, 'dropping')) return 1;
  if (!longest || isAny(longest, 'compare', 'value', 'undo')) return 0;
  return isAny(longest, 'negation') ? longest.length : 0;
}

const acts = ['verb write', 'noun write', 'also write', 'thing', 'severity', 'number'];

const joins = (text: Text, at: number): boolean =>
  is(text, at, 'mark') || /^(?:and|&|but|then)$/u.test(lowAt(text, at));

/** Whether a new piece begins at a word, behind one that began at another. */
function begins(text: Text, from: number, at: number): boolean {
  const kindsAt = (index: number): string[] => text.words[index]?.things.map(({ kind }) => kind) ?? [];
  const isList = kindsAt(at + 1).some((kind) => kindsAt(at - 1).includes(kind));
  const first = from + droppingAt(text, from);
  const isOver = first > from && range(first, at).some((index) => is(text, index, ...acts));
  return (
    /^[,;.–—]$/u.test(lowAt(text, at - 1)) ||
    (joins(text, at) && !is(text, at, 'mark') && !(is(text, at, 'and') && isList)) ||
    (droppingAt(text, at) > 0 && at >= first) ||
    (isOver && is(text, at, 'verb write', 'only'))
  );
}

function piecesOf(text: Text): Piece[] {
  const spans: number[][] = [];
  const headOf = (span: readonly number[]): number => span.find((at) => !joins(text, at)) ?? -1;
  for (const at of text.words.keys()) {
    const last = spans.at(-1);
    if (!last || begins(text, headOf([...last, at]), at)) spans.push([at]);
    else last.push(at);
  }
  return spans.map((span) => {
    const from = headOf(span);
    const length = droppingAt(text, from);
    return { span, drops: length > 0 ? from + length : null };
  });
}

/** Takes out what a piece names: the condition, or steps and values. */
function takeOut(change: Change, { span, drops }: Piece): void {
  const { text } = change;
  const rest = span.filter((at) => at >= (drops ?? 0) && !is(text, at, 'mark'));
  const said = rest.filter((at) => !isSilent(text, at));
  if (said.length === 0) return;
  if (said.every((at) => is(text, at, 'bounding', 'noun limit', 'if'))) unbind(change, writesOf(change));
  else change.left.push(...(said.every((at) => is(text, at, 'number')) ? said : drop(change, span, rest)));
}

/** Steps that are done in any case. */
function unbind(change: Change, steps: readonly Step[]): void {
  change.steps = change.steps.map((step) => (steps.includes(step) ? unbound(step, change.words) : step));
}

function takeIn(change: Change, { span }: Piece, isFirst: boolean): void {
  const { text } = change;
  const says = (tag: string): boolean => span.some((at) => is(text, at, tag));
  if (says('in any case')) {
    const named = writesOf(change).filter(({ tool }) => says(`verb ${tool}`));
    unbind(change, named.length > 0 ? named : writesOf(change));
    return;
  }
  if (says('unless') && condition(change, span, true)) return;
  const bound = rebound(change, span);
  const rest = span.filter((at) => !bound.includes(at) && !is(text, at, 'if', 'only'));
  const adds = says('adding') || (isFirst && is(text, span[0] ?? 0, 'and'));
  const [before, count] = [change.steps, change.gone.size];
  const left = fillSlots(change, rest, { adds, only: says('only') });
  const isChanged = change.steps !== before || change.gone.size > count || bound.length > 0;
  if (isChanged && left.length === 0) return;
  if (bound.length === 0) {
    const asks = says('if') || span.some((at) => isBound(text, at));
    if (asks && condition(change, span, says('only'))) return;
    const isOther = left.length > 0 || staying(change).every(({ tool }) => !says(`verb ${tool}`));
    if (isOther && addOrders(change, span, says('instead') && change.gone.size === 0)) return;
  }
  change.left.push(...left);
}

/** What was to go and has nothing in its place: the order that cannot do without it, or else a value that only narrows. */
function letGo(change: Change): void {
  for (const { arg, value } of change.dropped)
    for (const step of staying(change).filter(({ args }) => args[arg] === value)) {
      const tool = toolOf(change, step);
      const { [arg]: _value, ...args } = step.args;
      const isOpen = tool?.args.shape[arg]?.safeParse(undefined).success;
      const isAim = !isOpen || tool?.exactlyOne.flat().includes(arg);
      if (isWrite(change, step) && isAim) change.gone.add(step.id);
      else change.steps = change.steps.map((one) => (one === step ? { ...step, args } : one));
    }
}

/** The steps that stay. Look-ups that nothing uses any more and that were there for a write go with it. */
function kept(change: Change): Step[] {
  const { plan } = change;
  const steps = staying(change);
  const isUsed = ({ id }: Step, all: readonly Step[]): boolean => all.some((step) => uses(step, id));
  const left = steps.filter(
    (step) => isWrite(change, step) || !isUsed(step, plan.steps) || isUsed(step, steps),
  );
  const ids = left.map(({ id }) => id);
  const needsOf = (step: Step): string[] => {
    const before = plan.steps.find(({ id }) => id === step.id);
    const isNew = (id: string): boolean => uses(step, id) && !(before && uses(before, id));
    return [...step.needs.filter((need) => ids.includes(need)), ...ids.filter(isNew)];
  };
  return left.map((step) => ({ ...step, needs: [...new Set(needsOf(step))] }));
}

const usual = 'What should be changed? For example: use P2, post to another channel, or do not page.';

function finished(change: Change): Changed {
  const { plan, text, ask, success, notes } = change;
  if (ask !== null) return { ask };
  const isOld = (at: number): boolean =>
    change.dropped.some((one) => one.arg === '' && one.value === text.words[at]?.things[0]?.value);
  const strange = change.left.filter((at) => !isOld(at));
  if (strange.length > 0) return { ask: `I could not place ${named(text, strange)} in this plan. ${usual}` };
  letGo(change);
  const left = kept(change);
  const steps = left.map((step) => remade(step, vocabularyOf(left, text.lexicon.tools)));
  if (steps.length === 0) return { ask: 'Nothing would be left of the plan. What should it do instead?' };
  if (JSON.stringify([steps, success]) === JSON.stringify([plan.steps, plan.success])) return { ask: usual };
  const summary = cut(planTitle(steps, text.lexicon.tools), planLimits.summary) || plan.summary;
  const held = new Set(steps.flatMap(({ args }) => Object.values(args)));
  const gone = plan.inputs.filter(({ value }) => !held.has(value)).map(({ value }) => value);
  // "Project OPS, because none was named" is no reason for what was named now.
  const isGuess = (one: string): boolean => one.split(/[\s,.]+/u).some((word) => gone.includes(word));
  const lost = plan.steps.filter(({ id }) => steps.every((step) => step.id !== id));
  return {
    plan: {
      ...{ ...plan, steps, summary },
      inputs: plan.inputs.filter(({ value }) => held.has(value)),
      assumptions: [...plan.assumptions.filter((one) => !isGuess(one)), ...notes].slice(0, 10),
      success: success.filter((when) => lost.every(({ id }) => !uses({ args: {}, when }, id))),
    },
  };
}

/** Changes a plan as the words say: values, bounds, texts and conditions, steps that go or come. Each word is accounted for. */
export function changePlan(plan: Plan, text: Text, read: Change['read']): Changed {
  const words = vocabularyOf(plan.steps, text.lexicon.tools);
  const steps = plan.steps.map((step) => unmade(step, words));
  const change: Change = {
    ...{ plan, text, read, words, steps, success: plan.success, ask: null },
    ...{ gone: new Set(), dropped: [], left: [], notes: [] },
  };
  const said = [...text.words.keys()].filter((at) => !isSilent(text, at));
  if (said.length > 0 && said.every((at) => is(text, at, 'deciding')))
    return { ask: 'To run the plan, press Approve on its card; to drop it, press Reject.' };
  const pieces = piecesOf(text);
  for (const piece of pieces) if (piece.drops !== null) takeOut(change, piece);
  for (const [index, piece] of pieces.entries()) if (piece.drops === null) takeIn(change, piece, index === 0);
  return finished(change);
}
