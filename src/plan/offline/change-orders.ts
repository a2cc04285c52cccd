import type { ArgValue, Step } from '../../core/plan.ts';
import { type Candidate, candidatesFor, saidFor } from './candidates.ts';
import { adopt, type Change, isWrite, staying, toolOf, writesOf } from './changing.ts';
import { unsaid } from './facts.ts';
import { textArgOf } from './takes.ts';
import { is, wordsOf } from './text.ts';

/** Conditions and orders that a change brings: they are read as any request is, and come beside what is there. */

/** The condition that a piece says anew: what it looks at is read as if it stood behind the orders of the plan. */
export function condition(change: Change, span: readonly number[], narrows: boolean): boolean {
  const from = span.find((at) => is(change.text, at, 'if', 'unless'));
  const said = wordsOf(
    change.text,
    span.filter((at) => at >= (from ?? 0)),
  );
  const best = readBehind(change, `${from === undefined ? 'if ' : ''}${said}`);
  const { made } = adopt(change, best?.plan.steps ?? []);
  const when = made.find((step) => isWrite(change, step))?.when;
  if (when === undefined) return false;
  const both = (old: string | undefined): string =>
    narrows && old !== undefined && !old.includes('||') && !when.includes('||') ? `${old} && ${when}` : when;
  const isRead = (step: Step): boolean => !isWrite(change, step);
  const orders = change.steps.filter((step) => isWrite(change, step));
  change.steps = [
    ...[...change.steps, ...made].filter(isRead),
    ...orders.map((step) => ({ ...step, when: both(step.when) })),
  ];
  return true;
}

/** Words read as if they stood behind the orders of the plan, or behind all that it does. */
function readBehind(change: Change, said: string): Candidate | undefined {
  for (const before of [writesOf(change), staying(change)]) {
    const text = change.read(`${saidFor(before)} ${said}`);
    const best = candidatesFor(text, new Map()).find(({ whole }) => whole);
    if (best?.plan.steps.some(({ when }) => when !== undefined)) return best;
  }
  return undefined;
}

/** What the plan is about, for orders that do not say it. */
function aboutOf({ steps, text }: Change): Map<string, string> {
  const given = new Map([['text', unsaid]]);
  for (const arg of ['project', 'service', 'key', 'incident']) {
    const values = steps.map(({ args }) => args[arg]).filter((value) => typeof value === 'string');
    const [value, ...others] = new Set(values);
    if (value !== undefined && others.length === 0) given.set(arg, value);
  }
  const owner = text.catalogue.projects.find(({ key }) => key === given.get('project'))?.service;
  return owner && !given.has('service') ? given.set('service', owner) : given;
}

/** The text of the messages that are there, or what the look-ups found; null where there is neither. */
function messageOf(change: Change, writes: readonly Step[]): ArgValue | null {
  const texts = writes.map((step) => step.args[textArgOf(toolOf(change, step)) ?? '']);
  const said = texts.find((text) => text !== undefined);
  if (said !== undefined) return said;
  const found = staying(change).flatMap((step) => {
    const tool = toolOf(change, step);
    return tool?.effect === 'read' ? ['\n', { ref: `${step.id}.${tool.asked?.tells ?? tool.main}` }] : [];
  });
  return found.length > 0 ? found.slice(1) : null;
}

/** Adds the orders of a piece, under the condition of what they stand beside or instead of. False where it says none. */
export function addOrders(change: Change, span: readonly number[], isInstead: boolean): boolean {
  const { text, gone } = change;
  const first = span.find((at) => !is(text, at, 'empty')) ?? -1;
  const isVague = is(text, first, 'changing') && is(text, first + 1, 'pronoun');
  const words = wordsOf(text, span).replace(/[\s,]+(?:instead|too|as well)$/iu, '');
  const [best] = isVague ? [] : candidatesFor(change.read(words), aboutOf(change));
  const [need] = best?.composed.needs ?? [];
  if (!best || best.composed.left.length > 0 || (need && need.kind !== 'text')) return false;
  const { made } = adopt(change, best.plan.steps);
  if (!made.some((step) => isWrite(change, step))) return false;
  const out = change.steps.filter((step) => isWrite(change, step) && (gone.has(step.id) || isInstead));
  const beside = out.length > 0 ? out : writesOf(change);
  const [when, ...others] = new Set(beside.map((step) => step.when));
  const shared = when === undefined || others.length > 0 ? {} : { when };
  const message = messageOf(change, beside);
  for (const { id } of isInstead ? out : []) gone.add(id);
  const added = made.map((step): Step => {
    const tool = toolOf(change, step);
    const arg = textArgOf(tool);
    const isUnsaid = arg !== null && [unsaid, undefined].includes(step.args[arg] as string | undefined);
    if (isUnsaid && message === null)
      change.ask ??= tool?.asked?.role === 'create' ? 'What is the ticket about?' : 'What should it say?';
    const args = isUnsaid && message !== null ? { ...step.args, [arg]: message } : step.args;
    return { ...(isWrite(change, step) ? shared : {}), ...step, args };
  });
  change.steps = [...change.steps, ...added];
  return true;
}
