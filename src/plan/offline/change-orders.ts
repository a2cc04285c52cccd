import type { ArgValue, Step } from '../../core/plan.ts';
import { type Candidate, candidatesFor } from './candidates.ts';
import { type Change, freshId, isWrite, renamed, staying, toolOf, uses, writesOf } from './changing.ts';
import { argsThatTake } from './takes.ts';
import { is, wordsOf } from './text.ts';

/** Conditions and orders that a change brings: they are read as any request is, and come beside what is there. */

/** Takes the look-ups and orders of another plan in: those that are there already stay the same. */
function adopt(change: Change, fresh: readonly Step[]): Step[] {
  const ids = new Map<string, string>();
  const made: Step[] = [];
  for (const one of fresh) {
    const step = renamed(one, ids);
    const same = staying(change).find(
      ({ tool, args }) =>
        tool === step.tool && JSON.stringify(sorted(args)) === JSON.stringify(sorted(step.args)),
    );
    const id =
      same && !isWrite(change, step) ? same.id : freshId({ steps: [...change.steps, ...made] }, step.id);
    ids.set(one.id, id);
    if (same === undefined || isWrite(change, step)) made.push({ ...step, id });
  }
  return made;
}

const sorted = (args: Step['args']): [string, ArgValue][] =>
  Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));

/** The condition that a piece says anew: what it looks at is read as if it stood behind the orders of the plan. */
export function condition(change: Change, span: readonly number[], narrows: boolean): boolean {
  const from = span.find((at) => is(change.text, at, 'if', 'unless'));
  const said = wordsOf(
    change.text,
    span.filter((at) => at >= (from ?? 0)),
  );
  const best = readBehind(change, `${from === undefined ? 'if ' : ''}${said}`);
  const made = best ? adopt(change, best.plan.steps) : [];
  const when = made.find((step) => isWrite(change, step))?.when;
  if (when === undefined) return false;
  const both = (old: string | undefined): string =>
    narrows && old !== undefined && !old.includes('||') && !when.includes('||') ? `${old} && ${when}` : when;
  const reads = made.filter((step) => !isWrite(change, step));
  const known = [...change.steps, ...reads].filter(({ id }) => when.includes(`${id}.`)).map(({ id }) => id);
  change.steps = [
    ...change.steps.filter((step) => !isWrite(change, step)),
    ...reads,
    ...change.steps
      .filter((step) => isWrite(change, step))
      .map((step) => ({ ...step, when: both(step.when), needs: [...new Set([...step.needs, ...known])] })),
  ];
  return true;
}

/** Words read as if they stood behind the orders of the plan, or behind all that it does. */
function readBehind(change: Change, said: string): Candidate | undefined {
  const whyOf = (steps: readonly Step[]): string => [...new Set(steps.map(({ why }) => why))].join(' and ');
  for (const before of [whyOf(writesOf(change)), whyOf(staying(change))]) {
    const best = candidatesFor(change.read(`${before} ${said}`), new Map()).find(({ whole }) => whole);
    if (best?.plan.steps.some(({ when }) => when !== undefined)) return best;
  }
  return undefined;
}

/** Stands for a text that an added order does not say: it is the one that the plan has already. */
const unsaid = 'See the plan.';

/** What the plan is about, for orders that do not say it. */
function aboutOf({ steps, text }: Change): Map<string, string> {
  const given = new Map<string, string>([['text', unsaid]]);
  for (const arg of ['project', 'service', 'key', 'incident']) {
    const [value, ...others] = new Set(
      steps.flatMap(({ args }) => (typeof args[arg] === 'string' ? [args[arg]] : [])),
    );
    if (value !== undefined && others.length === 0) given.set(arg, value);
  }
  const { projects } = text.catalogue;
  const owner = projects.find(({ key }) => key === given.get('project'))?.service;
  if (!given.has('service') && owner) given.set('service', owner);
  return given;
}

/** The text of the messages that are there, or what the look-ups found. */
function messageOf(change: Change, writes: readonly Step[]): ArgValue | null {
  for (const step of writes) {
    const tool = toolOf(change, step);
    const [said] = tool ? argsThatTake(tool, 'message').flatMap((arg) => [step.args[arg] ?? []]) : [];
    if (said !== undefined && !(Array.isArray(said) && said.length === 0)) return said;
  }
  const reads = staying(change).filter((step) => !isWrite(change, step));
  const told = reads.map((step) => ({
    ref: `${step.id}.${toolOf(change, step)?.asked?.tells ?? toolOf(change, step)?.main ?? 'lines'}`,
  }));
  return reads.length === 0 ? null : told.flatMap((ref, index) => (index > 0 ? ['\n', ref] : [ref]));
}

/** Adds the orders of a piece, under the condition of what they stand beside or instead of. False where it says none. */
export function addOrders(change: Change, span: readonly number[], isInstead: boolean): boolean {
  const { text } = change;
  const first = span.find((at) => !is(text, at, 'empty'));
  const isVague = first !== undefined && is(text, first, 'changing') && is(text, first + 1, 'pronoun');
  const words = wordsOf(text, span).replace(/[\s,]+(?:instead|too|as well)$/iu, '');
  const best: Candidate | undefined = isVague
    ? undefined
    : candidatesFor(change.read(words), aboutOf(change))[0];
  if (!best || best.composed.left.length > 0) return false;
  const before = writesOf(change);
  const out = change.steps.filter((step) => isWrite(change, step) && (change.gone.has(step.id) || isInstead));
  const [need] = best.composed.needs;
  if (need && need.kind !== 'text') return false;
  const made = adopt(change, best.plan.steps);
  if (!made.some((step) => isWrite(change, step))) return false;
  const beside = out.length > 0 ? out : before;
  const shared = beside.every(({ when }) => when === beside[0]?.when) ? beside[0] : undefined;
  const message = messageOf(change, beside);
  for (const step of isInstead ? out : []) change.gone.add(step.id);
  change.steps = [
    ...change.steps,
    ...made.map((step): Step => {
      const tool = toolOf(change, step);
      const [arg] = tool ? argsThatTake(tool, 'message') : [];
      const isUnsaid = arg !== undefined && (step.args[arg] === unsaid || step.args[arg] === undefined);
      if (isUnsaid && message === null)
        change.ask ??= tool?.asked?.role === 'create' ? 'What is the ticket about?' : 'What should it say?';
      const args = isUnsaid && message !== null ? { ...step.args, [arg]: message } : step.args;
      const refs = change.steps.filter(({ id }) => uses({ ...step, args }, id)).map(({ id }) => id);
      const needs = [...new Set([...step.needs, ...refs])];
      if (step.when !== undefined || shared?.when === undefined || !isWrite(change, step))
        return { ...step, args, needs };
      return { ...step, args, when: shared.when, needs: [...new Set([...needs, ...shared.needs])] };
    }),
  ];
  return true;
}
