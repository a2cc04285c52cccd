import type { AskedRole } from '../../core/manifest.ts';
import type { EntityKind } from './entity.ts';
import type { Text } from './frame.ts';
import type { Phrase, Sense } from './sense.ts';

/** Small questions about the words of a request, asked by every stage. */

export const lowAt = (text: Text, index: number): string => text.tokens[index]?.low ?? '';

/** Whether a word stands in one of the small lists of words.yml. */
export const isOneOf = (text: Text, index: number, ...lists: readonly string[]): boolean =>
  lists.some((name) => text.lexicon.small.get(name)?.has(lowAt(text, index)));

export const isMark = (text: Text, index: number): boolean => text.tokens[index]?.kind === 'mark';

/** Whether a phrase that begins here has a sense that fits. */
export function means(text: Text, index: number, fits: (sense: Sense, length: number) => boolean): boolean {
  return text.phrases[index]?.some(({ length, senses }) => senses.some((one) => fits(one, length))) ?? false;
}

export const plays = (text: Text, index: number, ...roles: readonly Sense['role'][]): boolean =>
  means(text, index, ({ role }, length) => length === 1 && roles.includes(role));

/** "lots of", "too many": a bound that only a number makes one. */
export const vagueAt = (text: Text, index: number): Phrase | undefined =>
  text.phrases[index]?.find(({ senses }) => senses.some(({ role }) => role === 'vague'));

export const joins = (text: Text, index: number, ...kinds: readonly string[]): boolean =>
  means(text, index, ({ role, of }) => role === 'condition' && kinds.includes(of));

export const orders = (text: Text, index: number): boolean =>
  means(text, index, ({ role, of }) => role === 'verb' && text.lexicon.tools.get(of)?.effect === 'write');

/** Whether a tool, named as senses name it, plays one of these parts. */
export const isRole = (text: Text, of: string, ...roles: readonly AskedRole[]): boolean => {
  const role = text.lexicon.tools.get(of)?.asked?.role;
  return role !== undefined && roles.includes(role);
};

/** A word that calls or writes to people: with a negation before it, it is ruled out. */
export const tells = (text: Text, index: number): boolean =>
  means(
    text,
    index,
    ({ role, of }) => (role === 'verb' || role === 'also') && isRole(text, of, 'page', 'message'),
  );

/** A verb that asks for something and changes nothing. */
export const asks = (text: Text, index: number): boolean =>
  means(text, index, ({ role, of }) => role === 'verb' && text.lexicon.tools.get(of)?.effect === 'read');

export function isA(text: Text, index: number, ...kinds: readonly EntityKind[]): boolean {
  return text.entities[index]?.some(({ kind }) => kinds.includes(kind)) ?? false;
}

/** A thing with a name, as against a number, a time or a word. */
export const isThing = (text: Text, index: number): boolean =>
  text.entities[index]?.some(({ kind }) => !['unknown', 'number', 'time'].includes(kind)) ?? false;

export const carriesNothing = (text: Text, index: number): boolean =>
  isMark(text, index) || (plays(text, index, 'nothing') && !isThing(text, index));

export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_one, at) => from + at);

/** A text for the tokens of a span, short for those that stand next to each other. */
export const spanKey = (span: readonly number[]): string => {
  const [first = 0, last = 0] = [span[0], span.at(-1)];
  return last - first + 1 === span.length ? `${first}-${last}` : span.join(' ');
};

/** The words of the request from one token to another, without the marks at their ends. */
export function wordsOf(text: Text, indexes: readonly number[]): string {
  const said = text.goal.slice(text.tokens[indexes[0] ?? 0]?.start, text.tokens[indexes.at(-1) ?? 0]?.end);
  return indexes.length === 0 ? '' : said.replace(/^[\s,;:.–—-]+|[\s,;:.–—-]+$/gu, '');
}

/** The longest phrase at a place of a span that has a sense that fits and ends inside the span. */
export function phraseIn(
  text: Text,
  span: readonly number[],
  at: number,
  fits: (sense: Sense) => boolean,
): Phrase | undefined {
  const index = span[at] as number;
  return text.phrases[index]?.find(
    ({ length, senses }) => span[at + length - 1] === index + length - 1 && senses.some(fits),
  );
}

/** Whether a span says nothing but words of these roles, and at least one of them. */
export function isAll(text: Text, span: readonly number[], ...roles: readonly Sense['role'][]): boolean {
  let seen = false;
  for (let at = 0; at < span.length; ) {
    const phrase = phraseIn(text, span, at, ({ role }) => roles.includes(role));
    if (phrase) seen = true;
    else if (!carriesNothing(text, span[at] as number) && !joins(text, span[at] as number, 'and'))
      return false;
    at += phrase?.length ?? 1;
  }
  return seen;
}

/** Whether a span carries nothing at all. */
export function isEmpty(text: Text, span: readonly number[]): boolean {
  for (let at = 0; at < span.length; ) {
    const index = span[at] as number;
    const empty = phraseIn(
      text,
      span,
      at,
      ({ role, of }) => role === 'nothing' || (role === 'time' && of === 'present'),
    );
    if (isThing(text, index) || (!empty && !isMark(text, index))) return false;
    at += empty?.length ?? 1;
  }
  return true;
}

/** "page ops should PAY have more than 5": a condition that begins with its verb. */
export const isInverted = (text: Text, index: number): boolean =>
  lowAt(text, index) === 'should' &&
  !isA(text, index - 1, 'channel', 'user') &&
  (isThing(text, index + 1) || isOneOf(text, index + 1, 'inverted'));

/** "if there are any, …" points back; "if there are any open P1s" asks something of its own. */
export function isMarker(
  text: Text,
  at: number,
  { length, senses }: Phrase,
  to = text.tokens.length,
): boolean {
  const points =
    length > 1 && lowAt(text, at) === 'if' && senses.some(({ of }) => of === 'so' || of === 'else');
  const next = at + length;
  return !points || next >= to || isMark(text, next) || (orders(text, next) && !plays(text, next, 'value'));
}

const heads = new Set<Sense['role']>(['verb', 'exists', 'negation', 'readonly', 'value', 'compare']);

/** What stands at a place in front of a clause: a connector, or politeness. */
function connector(text: Text, at: number, to: number): Phrase | undefined {
  const found = text.phrases[at]?.find(
    (one) =>
      at + one.length <= to &&
      one.senses.some(({ role }) => role === 'condition') &&
      isMarker(text, at, one, to),
  );
  const head = means(
    text,
    at,
    ({ role }, length) => length > (found?.length ?? 0) && (role === 'verb' || role === 'readonly'),
  );
  return head ? undefined : found;
}

/** Connectors and politeness in front of a clause, and where it begins. */
export function leadOf(text: Text, from: number, to: number): { lead: Set<string>; start: number } {
  const lead = new Set<string>();
  let at = from;
  while (at < to) {
    const phrase = connector(text, at, to);
    for (const { role, of } of phrase?.senses ?? []) if (role === 'condition') lead.add(of);
    if (lead.has('ifFirst')) lead.add('if');
    const longest = text.phrases[at]?.find(({ length }) => at + length <= to);
    const polite =
      longest?.senses.some(({ role }) => role === 'nothing') &&
      !longest.senses.some(({ role }) => heads.has(role)) &&
      !isThing(text, at);
    const mark = isMark(text, at) && !means(text, at, ({ role }) => role === 'compare');
    if (!phrase && !polite && !mark) break;
    at += phrase?.length ?? (polite ? (longest?.length ?? 1) : 1);
  }
  return { lead, start: at };
}
