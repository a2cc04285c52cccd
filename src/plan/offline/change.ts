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

type Steps = readonly Step[];

interface Said {
  readonly thing: Thing;
  /** It is to go: "not", "drop", "instead of" stand before it. */
  readonly gone: boolean;
  readonly only: boolean;
}

const named: readonly ThingKind[] = [
  ...(['service', 'project', 'channel', 'user', 'issue', 'incident', 'severity', 'duration'] as const),
];
const isReceiver = (kind: string): boolean => kind === 'channel' || kind === 'user';

const isWrite = ({ tool }: Step, { lexicon }: Text): boolean => lexicon.tools.get(tool)?.effect === 'write';

const holds = ({ args }: Step, value: string): boolean => Object.values(args).includes(value);

/** What a write says to people, with its argument; null where it says nothing. */
function messageOf(step: Step, text: Text): { readonly arg: string; readonly said: ArgValue } | null {
  const arg = isWrite(step, text) ? textArgOf(text.lexicon.tools.get(step.tool)) : null;
  const said = step.args[arg ?? ''];
  return arg === null || said === undefined ? null : { arg, said };
}

/** Whether a word before this place, up to the last thing or mark, takes it out. */
function isGone(text: Text, index: number): boolean {
  const before = range(Math.max(0, index - 4), index);
  const last = before.findLastIndex((at) => is(text, at, 'mark', ...named));
  return before.slice(last + 1).some((at) => is(text, at, 'dropping'));
}

/** Things that the change names. What the plan has already is taken for that. */
const thingsIn = (text: Text, { steps }: Plan): Said[] =>
  text.words.flatMap(({ things }, at) => {
    const found = things.filter(({ kind }) => named.includes(kind));
    const thing = found.find(({ value }) => steps.some((step) => holds(step, value))) ?? found[0];
    const only = range(at - 2, at).some((index) => is(text, index, 'only'));
    return thing ? [{ thing, gone: isGone(text, at), only }] : [];
  });

/** Arguments of a step that a thing of this kind can stand in. */
function placesFor({ tool: name, args }: Step, { lexicon }: Text, kind: ThingKind): string[] {
  const tool = lexicon.tools.get(name);
  const receives = isReceiver(kind) && tool?.asked?.role === 'message';
  return Object.keys(args).filter(
    (arg) => (tool && takesOf(tool, arg) === kind) || (receives && isReceiver(arg)),
  );
}

/** Puts a new thing in the place of the old one; null where it could be meant for several. */
function replaced(steps: Steps, text: Text, { kind, value }: Thing, old?: string): Steps | null {
  const places = steps.flatMap((step) => placesFor(step, text, kind).map((arg) => String(step.args[arg])));
  const [target, ...others] = old === undefined ? new Set(places) : [old];
  if (target === undefined || others.length > 0) return null;
  return steps.map((step) => {
    const place = placesFor(step, text, kind).find((arg) => step.args[arg] === target);
    if (place === undefined) return step;
    const { [place]: _old, ...args } = step.args;
    return { ...step, args: { ...args, [isReceiver(place) ? kind : place]: value } };
  });
}

/** The steps with the things that are named put in, taken out or kept alone; null where that is not clear. */
function byThings({ steps }: Plan, text: Text, things: readonly Said[]): Steps | null {
  const isThere = ({ thing }: Said): boolean => steps.some((step) => holds(step, thing.value));
  const gone = things.filter((one) => one.gone).map(({ thing }) => thing);
  const fresh = things.filter((one) => !one.gone && !isThere(one)).map(({ thing }) => thing);
  const only = things.find((one) => one.only && isThere(one))?.thing;
  if (only)
    return steps.filter((step) => placesFor(step, text, only.kind).length === 0 || holds(step, only.value));
  if (fresh.length === 0) return steps.filter((step) => gone.every(({ value }) => !holds(step, value)));
  return fresh.reduce<Steps | null>((so, thing) => {
    const alike = (kind: string): boolean =>
      kind === thing.kind || (isReceiver(kind) && isReceiver(thing.kind));
    return so && replaced(so, text, thing, gone.find(({ kind }) => alike(kind))?.value);
  }, steps);
}

const bound = /(>=|<=|==|!=|>|<)\s*(\d+)/gu;

/** The new bound in the condition, and its opposite in the other branch; null where there are several bounds. */
function rebounded(steps: Steps, text: Text): Steps | null {
  const tests = quantitiesIn(text, range(0, text.words.length)).map(({ test }) => test);
  const test = tests.find(({ kind }) => kind === 'number');
  const said = test?.kind === 'number' ? test : null;
  const numbers = text.words.flatMap(({ things }) => things.filter(({ kind }) => kind === 'number'));
  const value = said?.value ?? numbers[0]?.value;
  const [first, ...others] = steps.flatMap(({ when = '' }) => [...when.matchAll(bound)]);
  if (value === undefined || !first || others.some((other) => other[2] !== first[2])) return null;
  const turned = (was: string): string =>
    said === null ? was : was === first[1] ? said.op : opposite[said.op as Operator];
  return steps.map(({ when, ...step }) =>
    when === undefined
      ? step
      : { ...step, when: when.replace(bound, (_all, was: string) => `${turned(was)} ${value}`) },
  );
}

/** Steps but those whose tools the words name with a verb or a noun and take out. */
function withoutTools(steps: Steps, text: Text): Steps | null {
  const gone = text.words.flatMap(({ phrases }, at) => (isGone(text, at) ? phrases : []));
  const isNamed = ({ tool }: Step): boolean =>
    gone.some(({ tags }) => tags.has(`verb ${tool}`) || tags.has(`noun ${tool}`));
  const kept = steps.filter((step) => !(isWrite(step, text) && isNamed(step)));
  return kept.length < steps.length ? kept : null;
}

/** New text for the one message of the plan. */
function reworded(steps: Steps, text: Text): Steps | null {
  const quote = text.words.find(({ kind }) => kind === 'quote')?.raw;
  const [first, ...others] = steps.filter((step) => messageOf(step, text) !== null);
  const arg = first && messageOf(first, text)?.arg;
  if (quote === undefined || !arg || others.length > 0) return null;
  return steps.map((step) => (step === first ? { ...step, args: { ...step.args, [arg]: quote } } : step));
}

/** Look-ups that nothing uses any more and that were there for a write go with it. */
function withoutLeftovers(steps: Steps, before: Steps, text: Text): Step[] {
  const isUsed = ({ id }: Step, all: Steps): boolean =>
    all.some(({ args, when }) => JSON.stringify([args, when]).includes(`${id}.`));
  const ids = new Set(steps.map(({ id }) => id));
  return steps
    .filter((step) => isWrite(step, text) || !isUsed(step, before) || isUsed(step, steps))
    .map((step) => ({ ...step, needs: step.needs.filter((need) => ids.has(need)) }));
}

/** Stands for a text that an added order does not say: it is the one that the plan has already. */
const unsaid = 'See the plan.';

/** The steps with another order, under the condition that all writes share; with "instead", in the place of them. */
function added(steps: Steps, text: Text): Steps | null {
  const [best] = candidatesFor(text, new Map([['text', unsaid]]));
  const isSaid = best?.composed.left.every((index) => is(text, index, 'instead'));
  if (!best || !isSaid || best.composed.needs.length > 0) return null;
  const writes = steps.filter((step) => isWrite(step, text));
  const [first] = writes;
  const shared = writes.every(({ when }) => when === first?.when) ? first : undefined;
  const message = writes.map((step) => messageOf(step, text)).find((one) => one !== null)?.said;
  const fresh = best.plan.steps.map((step, index): Step => {
    const own = messageOf(step, text);
    const args =
      own?.said === unsaid && message !== undefined ? { ...step.args, [own.arg]: message } : step.args;
    const isTaken = steps.some((one) => one.id === step.id);
    const id = isTaken ? `${step.id}_${steps.length + index + 1}` : step.id;
    if (step.when !== undefined || shared?.when === undefined) return { ...step, id, args };
    return { ...step, id, args, needs: [...new Set([...step.needs, ...shared.needs])], when: shared.when };
  });
  const isInstead = text.words.some((_word, index) => is(text, index, 'instead'));
  return [...(isInstead ? steps.filter((step) => !isWrite(step, text)) : steps), ...fresh];
}

/** The steps as the words change them: things, a bound, a text, steps left out or added. */
function changed(plan: Plan, text: Text): Steps | null {
  const things = thingsIn(text, plan);
  const isFresh = ({ thing, gone }: Said): boolean =>
    !gone && !plan.steps.some((step) => holds(step, thing.value));
  if (is(text, 0, 'adding') && things.some(isFresh)) return added(plan.steps, text);
  const steps = byThings(plan, text, things);
  if (steps === null)
    return lowAt(text, text.words.length - 1) === 'instead' ? added(plan.steps, text) : null;
  const isChanged = JSON.stringify(steps) !== JSON.stringify(plan.steps);
  const next = rebounded(steps, text) ?? (isChanged ? steps : null);
  return next ?? reworded(steps, text) ?? withoutTools(steps, text) ?? added(plan.steps, text);
}

/** Changes a plan as the words say: replaces things, bounds and texts, leaves steps out, or adds orders. */
export function changePlan(plan: Plan, text: Text): Changed {
  const steps = changed(plan, text);
  if (steps === null)
    return { ask: 'What should be changed? For example: use P2, post to another channel, or do not page.' };
  const kept = withoutLeftovers(steps, plan.steps, text);
  if (kept.length === 0) return { ask: 'Nothing would be left of the plan. What should it do instead?' };
  const summary = cut(planTitle(kept, text.lexicon.tools), planLimits.summary) || plan.summary;
  const gone = plan.inputs.filter(({ value }) => !kept.some((step) => holds(step, value)));
  // "Project OPS, because none was named" is no reason for what was named now.
  const isGuess = (one: string): boolean => gone.some(({ value }) => one.split(/[\s,.]+/u).includes(value));
  const inputs = plan.inputs.filter((one) => !gone.includes(one));
  const assumptions = plan.assumptions.filter((one) => !isGuess(one));
  return { plan: { ...plan, summary, inputs, assumptions, steps: kept, success: [] } };
}
