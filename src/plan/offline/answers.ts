import type { Step } from '../../core/plan.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { type Candidate, candidatesFor, saidFor } from './candidates.ts';
import { type Given, listOf } from './steps/memory.ts';
import { lexiconFor } from './words/lexicon.ts';
import { is, readText, saysIn, type Text, wholePhrases } from './words/text.ts';
import type { ThingKind } from './words/thing.ts';

/** A request after the answers that were given about it. */
export interface Answered {
  readonly text: Text;
  readonly given: Given;
}

const kindsOf: Readonly<Record<string, readonly ThingKind[]>> = {
  service: ['service', 'unknown'],
  project: ['project'],
  channel: ['channel', 'user'],
  user: ['user', 'channel'],
  key: ['issue'],
  incident: ['incident', 'number', 'service'],
  priority: ['severity'],
  priority_not: ['severity'],
};

const receivers: readonly string[] = ['channel', 'user'];

/** Questions about no slot. */
const open = ['goal', 'rest', 'condition', 'bound'];
/** Questions whose answers are passed on as they are. */
export const takesAnyWords = (slot: string): boolean => kindsOf[slot] === undefined && !open.includes(slot);

/** What stands around an answer that is passed on: "say “…”", "it’s about …", "move it to …". */
const around: Readonly<Record<string, RegExp>> = {
  text: /^(?:(?:say|saying|that|about)\s+)+/iu,
  summary: /^(?:(?:it['’]?s|it is|title:?|call it|about|that)\s+)+|\s+(?:please|pls)$/giu,
  status: /^(?:(?:please|move|set|put|change|make|it|to|into|in)\s+)+|\s+(?:please|pls)$/giu,
};

/** What an answer names for a slot: the thing of its kind, the words as they are, or what it names for other slots. */
function valuesIn(answer: Text, slot: string): [string, string][] {
  const words = answer.goal
    .trim()
    .replace(around[slot] ?? /^(?:about|that)\s+/iu, '')
    .replace(/^["“]|["”]$/gu, '');
  if (takesAnyWords(slot)) return words === '' ? [] : [[slot, words]];
  // "not ops, checkout"
  const things = answer.words.flatMap((word, at) => (is(answer, at - 1, 'negation') ? [] : word.things));
  const of = (name: string): [string, string][] => {
    const named = (kindsOf[name] ?? []).flatMap((kind): [string, string[]][] => {
      const values = new Set(things.flatMap((one) => (one.kind === kind ? one.value : [])));
      return values.size === 0 ? [] : [[receivers.includes(kind) ? kind : name, [...values]]];
    });
    // "#ops and @ana" are two that get it; a service is no other thing as well.
    const found = named.filter(([slot], at) => at === 0 || receivers.includes(slot));
    // "ops or checkout" answers nothing.
    const isOpen =
      found.flatMap(([, values]) => values).length > 1 && saysIn(answer, answer.words.keys(), 'or');
    return isOpen ? [] : found.map(([slot, values]) => [slot, listOf(values)]);
  };
  const own = of(slot);
  return own.length > 0 ? own : Object.keys(kindsOf).flatMap(of);
}

/** A number alone is one from which on something counts: "5", "5 open P1s". */
export const withNumber = (answer: string): string =>
  /^\d(?!\S*\s*(?:or|and|plus|\+)(?:\s|$))/u.test(answer.trim())
    ? `at least ${answer.trim()}`
    : answer.trim();

/** What an answer does that is a request of its own: it orders something, or asks for a look-up in so many words. */
export function ownRequest(
  answer: Text,
  isText: boolean,
): { tools: readonly string[]; whole: boolean } | null {
  const [best] = candidatesFor(answer, new Map());
  const asks = is(answer, 0, 'asks whether');
  const acts = best?.composed.steps.some(({ tool, isVerbless }) =>
    tool.effect === 'write' ? !isVerbless || best.whole : !isText && (!isVerbless || asks),
  );
  // What is taken as a text may well sound like an order that lacks something: “resolve it”.
  const isPlain = isText || asks ? best?.whole : best?.composed.left.length === 0;
  return best && acts && isPlain ? { tools: toolsOf(best), whole: best.whole } : null;
}

const toolsOf = (one: Candidate | undefined): string[] => one?.plan.steps.map(({ tool }) => tool) ?? [];

/** The tools of a request with the answers that were given about it so far. */
export function pendingTools(input: PlanningInput, read: (goal: string) => Text): readonly string[] {
  const { text, given } = withAnswers(input, read);
  return toolsOf(candidatesFor(text, given)[0]);
}

/** The request with an answer in the place of the words that were asked about: of those, the ones that nobody knows. */
function mended(text: Text, asked: readonly number[], answer: Text): string[] {
  const left = wholePhrases(text, asked);
  const unknown = left.filter((at) => is(text, at, 'unknown'));
  const [first, last] = [unknown[0] ?? left[0], unknown.at(-1) ?? left.at(-1)];
  const from = answer.words.findIndex(
    (_word, at) =>
      !is(answer, at, 'mends', 'changing', 'whoever asks', 'mark', 'negation') || is(answer, at, 'compare'),
  );
  if (first === undefined || last === undefined || from < 0) return [];
  const said = answer.goal.slice(answer.words[from]?.start);
  return [`${text.goal.slice(0, text.words[first]?.start)}${said}${text.goal.slice(text.words[last]?.end)}`];
}

/** The request after an answer that is no value of a slot: said anew, mended, under a condition, or with more words. */
function said({ text, given }: Answered, missing: string, answer: Text, read: (goal: string) => Text): Text {
  const more = `${text.goal}, ${text.watched ? withNumber(answer.goal) : answer.goal}`;
  const [before] = candidatesFor(text, given);
  const isOrder = ({ tool }: Step): boolean => text.lexicon.tools.get(tool)?.effect === 'write';
  const orders = saidFor(before?.plan.steps.filter(isOrder) ?? []);
  const asked = answer.goal.replace(/^(?:only )?(?:if|when)\s+/iu, '');
  const isCondition = missing === 'condition' || asked !== answer.goal;
  const conditional = orders === '' || !isCondition ? [] : [`${orders} if ${asked}`];
  const alone = missing === 'bound' ? [] : [answer.goal];
  // "if there are more than 5" stands where the number would have been said.
  const bare = asked.replace(/^(?:there (?:are|is)|it is|it['’]s)\s+/iu, '');
  const inPlace = mended(text, before?.composed.left ?? [], missing === 'bound' ? read(bare) : answer);
  const ways = [...alone, ...inPlace, ...conditional, more];
  const bestOf = (words: string): Candidate | undefined => candidatesFor(read(words), given)[0];
  const whole = ways.find((words) => bestOf(words)?.whole);
  // What was understood before is not lost: the next question is about all that was said.
  const [next = bestOf(answer.goal)?.composed.left.length === 0 ? answer.goal : more] =
    missing === 'condition' ? conditional : missing === 'bound' ? inPlace : [];
  return read(whole ?? next);
}

/** Whether an answer says how many: a number, a state, or that any will do; "none of these" says nothing. */
const saysBound = (text: Text): boolean =>
  text.words.some(({ things }, at) => things.length > 0 || is(text, at, 'exists any', 'if'));

/** Takes one answer up: the value of the slot that was asked for, or the request in other words. */
function takeUp(so: Answered, missing: string, words: string, read: (goal: string) => Text): Answered {
  const answer = read(missing === 'bound' ? withNumber(words) : words);
  if (missing === 'rest') return { text: answer, given: new Map() };
  if (missing === 'bound' && !saysBound(answer)) return so;
  const values = open.includes(missing) ? [] : valuesIn(answer, missing);
  const own = missing === 'bound' ? null : ownRequest(answer, takesAnyWords(missing));
  // "page checkout", where it was asked which service to page: the name, and no request of its own.
  const isName = !takesAnyWords(missing) && values.some(([slot]) => slot === missing);
  const isPending = (): boolean => {
    const pending = toolsOf(candidatesFor(so.text, so.given)[0]);
    return own?.tools.every((tool) => pending.includes(tool)) ?? false;
  };
  if (own?.whole && !(isName && (!is(answer, 0, 'verb') || isPending()))) return { ...so, text: answer };
  return values.length > 0
    ? { ...so, given: new Map([...so.given, ...values]) }
    : { ...so, text: said(so, missing, answer, read) };
}

/** Whether words only say that nothing is wanted any more: "never mind", "forget it". */
export const isOver = (text: Text): boolean =>
  text.words.some((_word, at) => is(text, at, 'ending')) &&
  text.words.every((_word, at) => is(text, at, 'ending', 'empty', 'pronoun'));

/** Whether the last answer ends the request, whatever was asked. */
export function isDropped(input: PlanningInput): boolean {
  const last = input.answers.at(-1)?.answer;
  return last !== undefined && isOver(readText(last, input, lexiconFor(input.catalogue)));
}

/** The request with all its answers, in the order in which they were given. */
export function withAnswers({ goal, answers }: PlanningInput, read: (goal: string) => Text): Answered {
  return answers.reduce((so, { missing, answer }) => takeUp(so, missing[0] ?? 'goal', answer, read), {
    text: read(goal),
    given: new Map(),
  } as Answered);
}

/** What a request and its answers say in words of their own; what is passed on as it is, is no order. */
export const saidIn = ({ goal, answers }: PlanningInput): string[] => [
  goal,
  ...answers.filter(({ missing }) => !takesAnyWords(missing[0] ?? 'goal')).map(({ answer }) => answer),
];
