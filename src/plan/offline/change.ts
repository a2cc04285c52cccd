import { cut } from '../../core/inert.ts';
import { type ArgValue, type Plan, planLimits, type Step } from '../../core/plan.ts';
import { planTitle } from '../../core/title.ts';
import { candidatesFor } from './candidates.ts';
import { type Operator, opposite } from './draft.ts';
import { takesOf, textArgOf } from './takes.ts';
import { quantitiesIn } from './tests.ts';
import { is, lowAt, range, type Text } from './text.ts';
import type { Thing, ThingKind } from './thing.ts';

/** A plan after a change in words, or what has to be asked about the change. */
export type Changed = { readonly plan: Plan } | { readonly ask: string };

interface Said {
  readonly entity: Thing;
  /** It is to go: "not", "drop", "instead of" stand before it. */
  readonly gone: boolean;
  readonly only: boolean;
}

const named: readonly ThingKind[] = [
  ...(['service', 'project', 'channel', 'user', 'issue', 'incident', 'severity', 'duration'] as const),
];
const isReceiver = (kind: string): boolean => kind === 'channel' || kind === 'user';

/** Whether a word before this place, up to the last thing or mark, takes it out. */
function isGone(text: Text, index: number): boolean {
  const before = range(Math.max(0, index - 4), index);
  const last = before.findLastIndex((at) => is(text, at, 'mark', ...named));
  return before.slice(last + 1).some((at) => is(text, at, 'dropping'));
}

/** Things that the change names. What the plan has already is taken for that. */
function thingsIn(text: Text, plan: Plan): Said[] {
  const known = new Set(plan.steps.flatMap(({ args }) => Object.values(args).map(String)));
  return text.words.flatMap(({ things }, at) => {
    const found = things.filter(({ kind }) => named.includes(kind));
    const entity = found.find(({ value }) => known.has(value)) ?? found[0];
    const only = range(at - 2, at).some((index) => is(text, index, 'only'));
    return entity ? [{ entity, gone: isGone(text, at), only }] : [];
  });
}

const isMessage = ({ tool }: Step, { lexicon }: Text): boolean =>
  lexicon.tools.get(tool)?.asked?.role === 'message';

/** Arguments of a step that a thing of this kind can stand in. */
function placesFor(step: Step, text: Text, kind: ThingKind): string[] {
  const tool = text.lexicon.tools.get(step.tool);
  const takes = (arg: string): string | undefined => tool && takesOf(tool, arg);
  const receives = isReceiver(kind) && isMessage(step, text);
  return Object.keys(step.args).filter((arg) => takes(arg) === kind || (receives && isReceiver(arg)));
}

const holds = ({ args }: Step, value: string): boolean => Object.values(args).includes(value);

/** Puts a new thing in the place of the old one; null where it could be meant for several. */
function replaced(steps: readonly Step[], text: Text, fresh: Thing, old?: string): Step[] | null {
  const values = new Set(
    steps.flatMap((step) => placesFor(step, text, fresh.kind).map((arg) => String(step.args[arg]))),
  );
  const [target] = old === undefined ? values : [old];
  if (target === undefined || (old === undefined && values.size > 1)) return null;
  return steps.map((step) => {
    const arg = placesFor(step, text, fresh.kind).find((one) => step.args[one] === target);
    if (arg === undefined) return step;
    const { [arg]: _old, ...args } = step.args;
    const name = isReceiver(fresh.kind) && isMessage(step, text) ? fresh.kind : arg;
    return { ...step, args: { ...args, [name]: fresh.value } };
  });
}

const bound = /(>=|<=|==|!=|>|<)\s*(\d+)/gu;

/** The new bound in the condition, and its opposite in the other branch; null where there are several bounds. */
function rebounded(steps: readonly Step[], text: Text): Step[] | null {
  const said = quantitiesIn(text, range(0, text.words.length)).map(({ test }) => test);
  const test = said.find(({ kind }) => kind === 'number');
  const value =
    test?.kind === 'number' ? test.value : text.words.flatMap(({ things }) => things).find(isNumber)?.value;
  const found = steps.flatMap(({ when = '' }) => [...when.matchAll(bound)]);
  const [first] = found;
  if (value === undefined || new Set(found.map((match) => match[2])).size !== 1) return null;
  const turned = (was: string): string =>
    test?.kind !== 'number' ? was : was === first?.[1] ? test.op : opposite[test.op as Operator];
  return steps.map((step) =>
    step.when === undefined
      ? step
      : { ...step, when: step.when.replace(bound, (_all, was: string) => `${turned(was)} ${value}`) },
  );
}

const isNumber = ({ kind }: Thing): boolean => kind === 'number';

/** Steps of the tools that the words name with a verb or a noun and take out. */
function withoutTools(steps: readonly Step[], text: Text): readonly Step[] | null {
  const heads = text.words.flatMap(({ phrases }, at) => (isGone(text, at) ? phrases : []));
  const gone = new Set(
    heads
      .flatMap(({ senses }) => senses.filter(({ role }) => role === 'verb' || role === 'noun'))
      .map(({ of }) => of),
  );
  const kept = steps.filter(({ tool }) => !gone.has(tool) || text.lexicon.tools.get(tool)?.effect === 'read');
  return kept.length < steps.length ? kept : null;
}

/** New text for the one message of the plan. */
function reworded(steps: readonly Step[], text: Text): Step[] | null {
  const quote = text.words.find(({ kind }) => kind === 'quote')?.raw;
  const messages = steps.filter((step) => messageOf(step, text) !== null);
  if (quote === undefined || messages.length !== 1) return null;
  const arg = textArgOf(text.lexicon.tools.get(messages[0]?.tool ?? '')) ?? 'text';
  return steps.map((step) =>
    step === messages[0] ? { ...step, args: { ...step.args, [arg]: quote } } : step,
  );
}

/** Look-ups that nothing uses any more and that were there for a write go with it. */
function withoutLeftovers(steps: readonly Step[], before: readonly Step[], { lexicon }: Text): Step[] {
  const isUsed = ({ id }: Step, all: readonly Step[]): boolean =>
    all.some(({ args, when }) => JSON.stringify([args, when]).includes(`${id}.`));
  const ids = new Set(steps.map(({ id }) => id));
  return steps
    .filter(
      (step) =>
        lexicon.tools.get(step.tool)?.effect === 'write' || !isUsed(step, before) || isUsed(step, steps),
    )
    .map((step) => ({ ...step, needs: step.needs.filter((need) => ids.has(need)) }));
}

/** The steps with the things that are named put in, taken out or kept alone; null where that is not clear. */
function byThings(plan: Plan, text: Text, things: readonly Said[]): readonly Step[] | null {
  const isThere = ({ entity }: Said): boolean => plan.steps.some((step) => holds(step, entity.value));
  const gone = things.filter((one) => one.gone).map(({ entity }) => entity);
  const fresh = things.filter((one) => !one.gone && !isThere(one)).map(({ entity }) => entity);
  const only = things.find((one) => one.only && isThere(one))?.entity;
  if (only)
    return plan.steps.filter(
      (step) => placesFor(step, text, only.kind).length === 0 || holds(step, only.value),
    );
  if (fresh.length === 0) return plan.steps.filter((step) => gone.every(({ value }) => !holds(step, value)));
  return fresh.reduce<readonly Step[] | null>((steps, entity) => {
    const old = gone.find(
      ({ kind }) => kind === entity.kind || (isReceiver(kind) && isReceiver(entity.kind)),
    );
    return steps && replaced(steps, text, entity, old?.value);
  }, plan.steps);
}

/** Stands for a text that an added order does not say: it is the one that the plan has already. */
const unsaid = 'See the plan.';

/** What a write says to people, or null. */
function messageOf({ tool, args }: Step, { lexicon }: Text): ArgValue | null {
  const manifest = lexicon.tools.get(tool);
  return manifest?.effect === 'write' ? (args[textArgOf(manifest) ?? ''] ?? null) : null;
}

/** A plan with another order, under the condition that all its writes share; with "instead", in the place of them. */
function added(plan: Plan, text: Text): Step[] | null {
  const [best] = candidatesFor(text, new Map([['text', unsaid]]));
  const isSaid = best?.composed.left.every((index) => is(text, index, 'instead'));
  if (!best || !isSaid || best.composed.needs.length > 0) return null;
  const isWrite = ({ tool }: Step): boolean => text.lexicon.tools.get(tool)?.effect === 'write';
  const writes = plan.steps.filter(isWrite);
  const isInstead = range(0, text.words.length).some((index) => is(text, index, 'instead'));
  const kept = isInstead ? plan.steps.filter((step) => !isWrite(step)) : plan.steps;
  const [first] = writes;
  const shared = writes.every(({ when }) => when === first?.when) ? first : undefined;
  const message = writes.map((step) => messageOf(step, text)).find((one) => one !== null);
  const fresh = best.plan.steps.map((step, index): Step => {
    const arg = textArgOf(text.lexicon.tools.get(step.tool)) ?? '';
    const args =
      step.args[arg] === unsaid && message !== undefined ? { ...step.args, [arg]: message } : step.args;
    const id = plan.steps.some((one) => one.id === step.id)
      ? `${step.id}_${plan.steps.length + index + 1}`
      : step.id;
    if (step.when !== undefined || shared?.when === undefined) return { ...step, id, args };
    const needs = [...new Set([...step.needs, ...shared.needs])];
    return { ...step, id, args, needs, when: shared.when };
  });
  return [...kept, ...fresh];
}

/** The steps as the words change them: things, a bound, a text, steps left out or added. */
function changed(plan: Plan, text: Text): readonly Step[] | null {
  const things = thingsIn(text, plan);
  const isFresh = ({ entity, gone }: Said): boolean =>
    !gone && !plan.steps.some((step) => holds(step, entity.value));
  if (is(text, 0, 'adding') && things.some(isFresh)) return added(plan, text);
  const steps = byThings(plan, text, things);
  if (steps === null) return lowAt(text, text.words.length - 1) === 'instead' ? added(plan, text) : null;
  const isChanged = JSON.stringify(steps) !== JSON.stringify(plan.steps);
  const next = rebounded(steps, text) ?? (isChanged ? steps : null);
  return next ?? reworded(steps, text) ?? withoutTools(steps, text) ?? added(plan, text);
}

/** Changes a plan as the words say: replaces things, bounds and texts, leaves steps out, or adds orders. */
export function changePlan(plan: Plan, text: Text): Changed {
  const steps = changed(plan, text);
  if (steps === null)
    return { ask: 'What should be changed? For example: use P2, post to another channel, or do not page.' };
  const kept = withoutLeftovers(steps, plan.steps, text);
  if (kept.length === 0) return { ask: 'Nothing would be left of the plan. What should it do instead?' };
  const summary = cut(planTitle(kept, text.lexicon.tools), planLimits.summary);
  const isKept = (value: string): boolean => kept.some((step) => holds(step, value));
  const inputs = plan.inputs.filter(({ value }) => isKept(value));
  // "Project OPS, because none was named" is no reason for what was named now.
  const isGuess = (one: string): boolean =>
    plan.inputs.every(({ value }) => isKept(value) || !one.split(/[\s,.]+/u).includes(value));
  const assumptions = plan.assumptions.filter(isGuess);
  return {
    plan: { ...plan, summary: summary || plan.summary, inputs, assumptions, steps: kept, success: [] },
  };
}
