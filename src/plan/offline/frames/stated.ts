import { is, isAlone, isAny, isWithin, lowAt, phraseIn, range, type Text, wordsOf } from '../words/text.ts';
import { deniedBehind } from './edges.ts';
import type { Said } from './test.ts';

/** How something stands, and whether it is there at all, as words ask for it. */

type Span = readonly number[];

/** What a phrase of a role that begins here stands for, with the token behind it. */
export function meantBy(
  text: Text,
  span: Span,
  index: number,
  role: string,
): { of: string; end: number } | null {
  const phrase = is(text, index, role) ? phraseIn(text, span, span.indexOf(index), role) : undefined;
  const sense = phrase?.senses.find((one) => one.role === role);
  return phrase && sense ? { of: sense.of, end: index + phrase.length } : null;
}

const states = ['value count status', 'value count assignee', 'value clock state', 'value alarms status'];

/** "is Blocked", "has breached its SLA": one state, also said again of another thing. Two states are two conditions. */
export function statesIn(text: Text, span: Span, asked: boolean): Said[] {
  const negations = span.filter((index) => isAlone(text, index, 'negation') && !is(text, index, 'or'));
  const stateAt = (tokens: readonly number[], value: string, alarm: string | null = null): Said => {
    const before = negations.filter((one) => one < (tokens[0] ?? 0));
    const test = { kind: 'state', is: before.length % 2 === 0, value, alarm } as const;
    return { test, tokens: [...tokens, ...before] };
  };
  const found: Said[] = [];
  for (const [at, index] of span.entries()) {
    if (!is(text, index, 'severity', ...states)) continue;
    // "not acked" is one state, whatever its last word means alone.
    const last = found.at(-1);
    if (last?.test.kind === 'state' && last.test.alarm !== null && last.tokens.includes(index)) continue;
    const level = text.words[index]?.things.find(
      ({ kind, value }) => kind === 'severity' && /^P\d$/u.test(value),
    )?.value;
    const phrase = phraseIn(text, span, at, ...states);
    const meant = phrase?.senses.filter(({ of, arg }) => states.includes(`value ${roleOf(text, of)} ${arg}`));
    const sense = meant?.find(({ of }) => roleOf(text, of) !== 'alarms') ?? meant?.[0];
    const alarm = meant?.find(({ of }) => roleOf(text, of) === 'alarms')?.value ?? null;
    if (level !== undefined) found.push(stateAt([index], level));
    // "can be resolved" and "goes back to To Do" say nothing of how it stands, "if it moves to Done" does.
    const isReached =
      asked && lowAt(text, index - 1) === 'to' && is(text, index - 2, 'verb move', 'also move');
    // "nothing to do" is no status.
    if (isWithin(text, index, (one) => isAny(one, 'readonly'))) continue;
    const isOpen = is(text, index - 2, 'becoming') || (lowAt(text, index - 1) === 'to' && !isReached);
    if (level !== undefined || isOpen || !phrase || sense?.value === undefined) continue;
    const tokens = range(isReached ? index - 2 : index, index + phrase.length);
    // The name of a status is written as the workspace writes it: "In Review" stays so.
    const name = sense.arg === 'status' ? /\p{Lu}.*$/u.exec(wordsOf(text, tokens))?.[0] : undefined;
    found.push(stateAt(tokens, name ?? sense.value, alarm));
  }
  const [first, ...others] = found;
  const isSame = others.every(({ test }) => JSON.stringify(test) === JSON.stringify(first?.test));
  return first && isSame ? [{ ...first, tokens: found.flatMap(({ tokens }) => tokens) }] : [];
}

const roleOf = ({ lexicon }: Text, tool: string): string | undefined => lexicon.tools.get(tool)?.asked?.role;

/** "tell them nothing", "if there are any nothing, otherwise …": what is to be done, and no number. */
const isDenied = (text: Text, index: number): boolean =>
  (is(text, index, 'nobody') && is(text, index + 1, 'mark') && is(text, index + 2, 'else')) ||
  [index - 1, index - 2].some((at) => is(text, at, 'verb write') && deniedBehind(text, at) === index);

/** "any", "none", "there is no"; "nobody assigned" says which. */
export function existsIn(text: Text, span: Span): Said[] {
  const found = span.flatMap((index, at) => {
    const isDenial = is(text, index, 'readonly nothing') || isDenied(text, index);
    const sense = isDenial ? null : meantBy(text, span, index, 'exists');
    return sense && sense.end >= index + (phraseIn(text, span, at, 'value')?.length ?? 0)
      ? [{ of: sense.of, tokens: range(index, sense.end) }]
      : [];
  });
  const some = found.every(({ of }) => of !== 'none');
  const tokens = [...new Set(found.flatMap((one) => one.tokens))];
  return found.length === 0 ? [] : [{ test: { kind: 'exists', some }, tokens }];
}
