import { celType } from '../../../core/condition.ts';
import type { ArgValue, Ref, Step } from '../../../core/plan.ts';
import { isRef, splitRef } from '../../../core/refs.ts';
import { capital, nounFor, type Vocabulary } from '../../../core/words.ts';

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

/** Results that are told one under the other: a number says what it counts, and a state what is in it. */
export function toldWith(value: ArgValue, words: Vocabulary): ArgValue {
  const parts = [value].flat();
  const isTerse = (ref: string): boolean => {
    const { step, path } = splitRef(ref);
    const tool = words.scope.get(step);
    const schema = tool?.result.shape[path[0] ?? ''];
    const isState = tool?.effect === 'write' && path[0] === tool.main;
    return isState || (schema !== undefined && /^(?:int|double)$/u.test(celType(schema) ?? ''));
  };
  const isBare = parts.every((part) => part === '\n' || isRef(part));
  if (!isBare || !parts.some((part) => isRef(part) && isTerse(part.ref))) return value;
  return parts.flatMap((part) => (isRef(part) && isTerse(part.ref) ? namedValue(part.ref, words) : [part]));
}

/** A text where nobody said one: the facts of the condition, what another step says, or that somebody is wanted. */
export function madeText(
  { id, args, when }: Step,
  words: Vocabulary,
  others: Iterable<Step> = words.steps.values(),
): ArgValue {
  // "unless there is an incident": that none is there is nothing to tell.
  const isNone = when !== undefined && /^(?:\w+\.\w+ == 0(?: && | \|\| |$))+$/u.test(when);
  if (when !== undefined && !isNone) return factsOf(when, words);
  // What is said in the other case, or once this is done, is nothing for it to say.
  const told = [...others]
    .filter((one) => one.when === when && !one.needs.includes(id))
    .map((one) => one.args.summary ?? one.args.text)
    .find((text) => typeof text === 'string');
  if (typeof told === 'string') return told;
  return `Please take a look at ${String(args.service ?? args.channel ?? args.key ?? 'this')}.`;
}

const isSame = (a: ArgValue, b: ArgValue): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Results that are told without the names that were put before them. */
function withoutNames(value: ArgValue, words: Vocabulary): ArgValue {
  const parts = [value].flat().filter((part) => part === '\n' || isRef(part));
  return parts.length > 0 && isSame(toldWith(parts, words), value) ? parts : value;
}

/** The arguments of a step without what was made of the steps, and those whose text nobody said. */
export function unmade(step: Step, words: Vocabulary): { args: Step['args']; unsaid: readonly string[] } {
  const made = madeText(step, words, []);
  const all = Object.entries(step.args);
  const unsaid = all.flatMap(([arg, value]) => (isSame(value, made) ? [arg] : []));
  const said = all.filter(([arg]) => !unsaid.includes(arg));
  return { args: Object.fromEntries(said.map(([arg, value]) => [arg, withoutNames(value, words)])), unsaid };
}
