import type { PlanningInput } from '../../core/planning.ts';
import { candidatesFor } from './candidates.ts';
import type { Given } from './memory.ts';
import { is, type Text } from './text.ts';
import type { ThingKind } from './thing.ts';

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
  incident: ['incident', 'number'],
  priority: ['severity'],
  priority_not: ['severity'],
};

/** The value in an answer for a slot: the thing of its kind, or the words as they are. */
function valueIn(answer: Text, slot: string): [string, string] | null {
  const kinds = kindsOf[slot];
  if (kinds === undefined)
    return answer.goal.trim() === '' ? null : [slot, answer.goal.trim().replace(/^["“]|["”]$/gu, '')];
  const things = answer.words.flatMap((word) => word.things);
  const found = kinds.map((kind) => things.find((one) => one.kind === kind)).find((one) => one !== undefined);
  if (!found) return null;
  const name = found.kind === 'user' ? 'user' : found.kind === 'channel' ? 'channel' : slot;
  return [name, found.value];
}

/** The orders of a request, in its own words, for a condition that is said anew. */
function ordersOf(text: Text): string {
  const [best] = candidatesFor(text, new Map());
  const orders =
    best?.plan.steps
      .filter(({ tool }) => text.lexicon.tools.get(tool)?.effect === 'write')
      .map(({ why }) => why) ?? [];
  return [...new Set(orders)].join(' and ');
}

/** A number alone is one from which on something counts: "5", "5 open P1s". */
export const withNumber = (answer: string): string =>
  /^\d/u.test(answer.trim()) ? `at least ${answer.trim()}` : answer.trim();

/** The request with a number in the place of the vague word that was asked about: from that number on. */
function bounded(text: Text, answer: string): string {
  const at = text.words.findIndex((_word, index) => is(text, index, 'vague'));
  const end = at + (text.words[at]?.phrases.find(({ tags }) => tags.has('vague'))?.length ?? 1) - 1;
  return `${text.goal.slice(0, text.words[at]?.start)}${withNumber(answer)}${text.goal.slice(text.words[end]?.end)}`;
}

/** Takes one answer up: the value of the slot that was asked for, or the request in other words. */
function takeUp(so: Answered, missing: string, answer: string, read: (goal: string) => Text): Answered {
  const said = read(answer);
  const { tools } = said.lexicon;
  const complete = candidatesFor(said, new Map()).some(
    ({ whole, plan }) => whole && plan.steps.some(({ tool }) => tools.get(tool)?.effect === 'write'),
  );
  const again = (goal: string): Answered => ({ ...so, text: read(goal) });
  const orders = missing === 'condition' && !complete ? ordersOf(so.text) : '';
  if (orders !== '') return again(`${orders} if ${answer.replace(/^(?:only )?(?:if|when)\s+/iu, '')}`);
  if (missing === 'goal' || missing === 'condition' || complete) return again(answer);
  if (missing === 'bound') return again(bounded(so.text, answer));
  const value = valueIn(said, missing);
  return value === null
    ? again(`${so.text.goal}, ${answer}`)
    : { ...so, given: new Map([...so.given, value]) };
}

/** The request with all its answers, in the order in which they were given. */
export function withAnswers({ goal, answers }: PlanningInput, read: (goal: string) => Text): Answered {
  return answers.reduce((so, { missing, answer }) => takeUp(so, missing[0] ?? 'goal', answer, read), {
    text: read(goal),
    given: new Map(),
  } as Answered);
}
