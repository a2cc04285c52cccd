import type { Manifest } from './manifest.ts';
import type { ArgValue, Plan, Step, Verify } from './plan.ts';
import { refsOf, splitRef } from './refs.ts';
import { type Vocabulary, vocabularyOf } from './step-words.ts';

/** The name of a check's result in its condition. */
export const checkId = 'after';

/**
 * The outcome of a check after a write. `not_checked`: its source could not be read, which says nothing about the write.
 */
export type CheckOutcome = 'helped' | 'did_not_help' | 'not_checked';

/** The check of a write as a read of its own, after all other steps; null if it has none. */
export function checkStep({ id, verify }: Step, steps: readonly Step[]): Step | null {
  if (verify === undefined) return null;
  const { tool, args, holds } = verify;
  const needs = steps.map((step) => step.id);
  const why = `Look up whether ${id} helped.`;
  return { id: checkId, tool, args, needs, success: [holds], why, onError: 'continue', onSkip: 'run' };
}

/** The words for a plan's steps and one check. */
export function checkWords(
  check: Step,
  steps: readonly Step[],
  manifests: ReadonlyMap<string, Manifest>,
): Vocabulary {
  return vocabularyOf([...steps, check], manifests);
}

/** All that a step calls: its tool, and the read that looks whether it helped. */
export function callsOf<Of extends Partial<Pick<Step, 'verify'>>>(step: Of): (Of | Verify)[] {
  return step.verify === undefined ? [step] : [step, step.verify];
}

/** "10 minutes", "45 seconds". */
export function withinWords(seconds: number): string {
  const isMinutes = seconds % 60 === 0;
  const count = isMinutes ? seconds / 60 : seconds;
  return `${count} ${isMinutes ? 'minute' : 'second'}${count === 1 ? '' : 's'}`;
}

/** The steps of the plan whose results a check uses. */
export function evidenceOf(verify: Verify): string[] {
  const bare = verify.holds.replace(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/g, '');
  const named = [...bare.matchAll(/(?<![\w.])([a-z][a-z0-9_]*)\s*\./g)].map(([, id = '']) => id);
  const used = [...named, ...refsOf(verify).map(({ ref }) => splitRef(ref).step)];
  return [...new Set(used)].filter((id) => id !== checkId);
}

/**
 * A changed plan whose checks, and the reads that only they use, are about what its writes are about now: a check of
 * checkout says nothing of a write to search. A check whose evidence has gone is dropped.
 */
export function withChecksOf(before: Pick<Plan, 'steps'>, after: Plan): Plan {
  const old = (step: Step) => before.steps.find(({ id, tool }) => id === step.id && tool === step.tool);
  const ids = new Set(after.steps.map(({ id }) => id));
  const steps = after.steps.map((step) => {
    const { verify: own, ...rest } = step;
    const verify = own ?? old(step)?.verify;
    const isWhole = verify !== undefined && evidenceOf(verify).every((id) => ids.has(id));
    return isWhole ? { ...rest, verify: following(verify, old(step)?.args ?? {}, step.args) } : rest;
  });
  return { ...after, steps: steps.map((step) => followingEvidence(step, steps, old)) };
}

/** `call` with the new values of a changed step in place of its old ones. */
function following<Call extends Pick<Step, 'args'>>(call: Call, was: Step['args'], is: Step['args']): Call {
  const fresh = (value: ArgValue): ArgValue => {
    const arg = Object.keys(was).find((name) => was[name] === value && is[name] !== undefined);
    return (arg === undefined ? undefined : is[arg]) ?? value;
  };
  const args = Object.entries(call.args).map(([name, value]) => [name, fresh(value)]);
  return { ...call, args: Object.fromEntries(args) };
}

/** A read that nothing but one check uses, and that was not changed itself. */
function followingEvidence(read: Step, steps: readonly Step[], old: (step: Step) => Step | undefined): Step {
  const isUsed = ({ when = '', needs, success = [] }: Step) =>
    needs.includes(read.id) ||
    [when, ...success].some((text) => text.match(/[a-z]\w*/g)?.includes(read.id) === true);
  const isChanged = JSON.stringify(old(read)?.args) !== JSON.stringify(read.args);
  const checked = steps.filter(({ verify }) => verify !== undefined && evidenceOf(verify).includes(read.id));
  const [write, another] = checked;
  if (write === undefined || another !== undefined || isChanged || steps.some(isUsed)) return read;
  return following(read, old(write)?.args ?? {}, write.args);
}
