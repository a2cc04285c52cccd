import { celType } from '../../core/cel.ts';
import { cut, head, oneLine } from '../../core/clean-text.ts';
import type { Manifest } from '../../core/manifest.ts';
import { type ArgValue, planLimits, type Ref, type Step } from '../../core/plan.ts';
import { asksFor, asksWhether } from '../../core/question-words.ts';
import { isRef, maxTextOf, splitRef } from '../../core/refs.ts';
import { capital, nounFor, type Vocabulary } from '../../core/step-words.ts';

/** Generated texts: a plan builds them from its steps. */

/** A value with its name: "Open P1 tickets in OPS: 24". */
function namedValue(ref: string, words: Vocabulary): (string | Ref)[] {
  const { about, text, query } = words.steps.get(splitRef(ref).step)?.args ?? {};
  const topic = about ?? text ?? query;
  return [typeof topic === 'string' ? `${topic}: ` : `${capital(nounFor(ref, words))}: `, { ref }];
}

/** Each value that a condition reads, with its name. */
function factsOf(when: string, words: Vocabulary): ArgValue {
  const refs = new Set(when.replace(/"[^"]*"/gu, '').match(/\b[a-z]\w*\.\w+/gu));
  return [...refs].flatMap((ref, nth) => [...(nth > 0 ? ['\n'] : []), ...namedValue(ref, words)]);
}

/** Results listed line by line: numbers and states get the name of what they describe. */
export function namedResults(value: ArgValue, words: Vocabulary): ArgValue {
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

const isNone = (when: string): boolean => /^(?:\w+\.\w+ == 0(?: && | \|\| |$))+$/u.test(when);

/** A statement, and no question: “db is down”. */
const states = (words: string): boolean =>
  !(asksFor(words) || asksWhether(words)) &&
  /^[^?]*\s(?:is|are|was|were|has|have|ist|sind|est|sont|está|están|é|estão)\s/iu.test(words);

/**
 * The default text of a message: the facts of its condition, else a text or result elsewhere in the plan, else a
 * statement that stands nowhere else in it (“page payments, db is down”), else a request to take a look. Null for one that must be dictated and has none of these.
 */
export function madeText(
  step: Step,
  others: readonly Step[],
  words: Vocabulary,
  found: ArgValue | null,
  left: readonly string[] = [],
): ArgValue | null {
  const { when, args, id } = step;
  // A condition that only says there is none gives no facts to report.
  if (when !== undefined && !isNone(when)) return factsOf(when, words);
  const told = others
    .filter((one) => one.id !== id && one.when === when && !one.needs.includes(id))
    .map((one) => one.args.summary ?? one.args.text)
    .find((text) => typeof text === 'string');
  if (told !== undefined) return told as string;
  if (found !== null) return namedResults(found, words);
  const reason = left.find((one) => states(one));
  if (reason !== undefined) return reason;
  return words.scope.get(id)?.asked?.mustSay
    ? null
    : `Please take a look at ${String(args.service ?? args.channel ?? args.key ?? 'this')}.`;
}

/** The argument of a write that people read. */
export const textArgOf = (tool: Manifest | undefined): string | undefined =>
  tool?.effect === 'write'
    ? ['text', 'summary'].find(
        (arg) => arg in tool.args.shape && (arg !== 'text' || !('summary' in tool.args.shape)),
      )
    : undefined;

/** Words that stand for a quoted message. */
const refersToIt =
  /^(?:(?:about|for|on|regarding|with) )?(?:th(?:is|at|ese|ose)|it|the above|(?:th(?:is|at)|the) (?:alert|message|error|issue|problem|thread)|dies(?:e[sm]?)?|das|est[oe]|isso|isto|ça|ceci)[.!]?$/iu;

/**
 * Makes a quoted message the text of a write that has none of its own: one text, or a title with the whole message below
 * it. A text that is longer than the tool takes says that its rest was cut.
 */
export function quoteInto(
  { tool, args }: { readonly tool: Manifest; readonly args: Record<string, ArgValue> },
  quoted: string,
): void {
  const arg = textArgOf(tool);
  const said = arg === undefined ? undefined : args[arg];
  const isOwn = said !== undefined && !(typeof said === 'string' && refersToIt.test(said));
  if (arg === undefined || isOwn || tool.args.shape[arg]?.safeParse(undefined).success) return;
  const text = quoted.trim();
  if (arg === 'summary') {
    args.summary = cut(oneLine(text.split('\n')[0] ?? ''), maxTextOf(tool, arg) ?? planLimits.text);
    if (args.summary === text || !('text' in tool.args.shape)) return;
  }
  args.text = cutAloud(text, maxTextOf(tool, 'text') ?? planLimits.text);
}

const rest = '… (the rest is cut)';
const cutAloud = (text: string, max: number): string =>
  text.length <= max ? text : `${head(text, max - rest.length)}${rest}`;

const isSame = (a: ArgValue, b: ArgValue | null): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a text was generated from its plan, so that it is regenerated when the plan changes. */
export function isMade(step: Step, arg: string, words: Vocabulary): boolean {
  const value = step.args[arg];
  return value !== undefined && isSame(value, madeText(step, [], words, null));
}
