import { celType } from '../../core/condition.ts';
import type { ArgValue, Ref, Step } from '../../core/plan.ts';
import { isRef, splitRef } from '../../core/refs.ts';
import { capital, nounFor, type Vocabulary } from '../../core/words.ts';
import { argsThatTake } from './takes.ts';

/** Texts that nobody said: a plan makes them of its steps. */

/** A value with its name: "Open P1 tickets in OPS: 24". */
function namedValue(ref: string, words: Vocabulary): (string | Ref)[] {
  const { about, text, query } = words.steps.get(splitRef(ref).step)?.args ?? {};
  const topic = about ?? text ?? query;
  return [...(typeof topic === 'string' ? [topic, ': '] : [`${capital(nounFor(ref, words))}: `]), { ref }];
}

/** Each value that a condition looks at, named. */
function factsOf(when: string, words: Vocabulary): ArgValue {
  const refs = new Set(when.replace(/"[^"]*"/gu, '').match(/[a-z]\w*\.\w+/gu));
  return [...refs].flatMap((ref, index) => [...(index > 0 ? ['\n'] : []), ...namedValue(ref, words)]);
}

/** Results that are told one under the other: a number says what it counts. */
export function toldWith(value: ArgValue, words: Vocabulary): ArgValue {
  const parts = [value].flat();
  const isNumber = (ref: string): boolean => {
    const { step, path } = splitRef(ref);
    const schema = words.scope.get(step)?.result.shape[path[0] ?? ''];
    return schema !== undefined && /^(?:int|double)$/u.test(celType(schema) ?? '');
  };
  const isBare = parts.every((part) => part === '\n' || isRef(part));
  if (!isBare || !parts.some((part) => isRef(part) && isNumber(part.ref))) return value;
  return parts.flatMap((part) => (isRef(part) && isNumber(part.ref) ? namedValue(part.ref, words) : [part]));
}

/** A text where nobody said one: the facts of the condition, what another step says, or that somebody is wanted. */
export function madeText(
  { args, when }: Step,
  words: Vocabulary,
  others: Iterable<Step> = words.steps.values(),
): ArgValue {
  // "unless there is an incident": that none is there is nothing to tell.
  const isNone = when !== undefined && /^(?:\w+\.\w+ == 0(?: && | \|\| |$))+$/u.test(when);
  if (when !== undefined && !isNone) return factsOf(when, words);
  const told = [...others]
    .map((one) => one.args.summary ?? one.args.text)
    .find((text) => typeof text === 'string');
  if (typeof told === 'string') return told;
  return `Please take a look at ${String(args.service ?? args.channel ?? args.key ?? 'this')}.`;
}

/** Stands for a text that nobody said, until it is made. */
export const unsaid = 'See the plan.';

/** Results that are told without the names that were put before them. */
function withoutNames(value: ArgValue, words: Vocabulary): ArgValue {
  const parts = [value].flat().filter((part) => part === '\n' || isRef(part));
  return parts.length > 0 && isSame(toldWith(parts, words), value) ? parts : value;
}

const isSame = (a: ArgValue, b: ArgValue): boolean => JSON.stringify(a) === JSON.stringify(b);

const mapArgs = (step: Step, make: (value: ArgValue, arg: string) => ArgValue): Step => ({
  ...step,
  args: Object.fromEntries(Object.entries(step.args).map(([arg, value]) => [arg, make(value, arg)])),
});

/** A step without what was made of the steps: its texts are unsaid, and its results have no names. */
export function unmade(step: Step, words: Vocabulary): Step {
  const made = madeText(step, words, []);
  return mapArgs(step, (value) => (isSame(value, made) ? unsaid : withoutNames(value, words)));
}

/** A step that is done in any case: a text that told of its condition still tells what it looked at. */
export function unbound({ when, ...step }: Step, words: Vocabulary): Step {
  if (when === undefined) return step;
  const facts = withoutNames(madeText({ ...step, when }, words, []), words);
  return mapArgs(step, (value) => (value === unsaid ? facts : value));
}

/** A step with its texts made of the steps, and its results named. */
export function remade(step: Step, words: Vocabulary): Step {
  const tool = words.scope.get(step.id);
  const texts = tool ? argsThatTake(tool, 'message', 'results') : [];
  const made = (value: ArgValue): ArgValue =>
    value === unsaid ? madeText(step, words, []) : toldWith(value, words);
  return mapArgs(step, (value, arg) => (texts.includes(arg) ? made(value) : value));
}
