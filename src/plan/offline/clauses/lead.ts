import type { Phrase } from '../words/lexicon.ts';
import { is, isAlone, isAny, range, type Text } from '../words/text.ts';

/** What stands in front of a clause. */

/** "if there are any, …" points back; "if there are any open P1s" asks something of its own. */
function isMarker(text: Text, at: number, phrase: Phrase, to: number): boolean {
  const points = phrase.length > 1 && is(text, at, 'if') && isAny(phrase, 'so', 'else');
  const next = at + phrase.length;
  // "tell dev when it is please"
  const rest = range(next, to).find((index) => !is(text, index, 'addressing', 'mark')) ?? to;
  // "if not just tell me"
  const verb = is(text, next, 'only') ? next + 1 : next;
  const isOrder = is(text, verb, 'verb write') && !isAlone(text, verb, 'value');
  // "if there is | none": what is there stands behind it.
  const isOpen = next >= to && isAny(phrase, 'so') && is(text, next, 'exists', 'negation');
  return !points || (rest >= to && !isOpen) || is(text, next, 'mark') || isOrder;
}

const heads = [
  'verb',
  'noun alarm',
  'exists',
  'negation',
  'readonly',
  'value',
  'compare',
  'nothing of a topic',
];

/** Connectors and politeness in front of a clause, and where it begins. */
export function leadOf(text: Text, from: number, to: number): { lead: Set<string>; start: number } {
  const lead = new Set<string>();
  let at = from;
  while (at < to) {
    const here = text.words[at]?.phrases.filter(({ length }) => at + length <= to) ?? [];
    const [longest] = here;
    // "when you get a chance" is no condition.
    const isKind = longest?.tags.has('nothing') === true;
    const found = here.find(
      (one) =>
        one.tags.has('condition') &&
        isMarker(text, at, one, to) &&
        !(isKind && longest.length > one.length + 1),
    );
    const isHead = text.words[at]?.phrases.some(
      (one) => one.length > (found?.length ?? 0) && isAny(one, 'verb', 'noun', 'readonly'),
    );
    // "next on call for ops": at the very start nothing came before.
    const isFirst = at === 0 && found !== undefined && isAny(found, 'value') && found.tags.has('then');
    const joins = isHead || isFirst ? undefined : found;
    for (const { role, of } of joins?.senses ?? []) if (role === 'condition') lead.add(of);
    if (lead.has('ifFirst')) lead.add('if');
    // "ben asked me to …": what is asked for is what follows.
    const errand = is(text, at, 'user') ? at + 1 : at;
    const isErrand = is(text, errand, 'errand') && (errand > at || at === 0 || is(text, at - 1, 'empty'));
    // "my boss wants to know …"
    const asker = is(text, at, 'definite') ? at + 1 : at;
    const isCurious = is(text, asker, 'nobody yet') && is(text, asker + 1, 'curious');
    if (isErrand || isCurious) {
      const begun = isErrand ? errand : asker + 1;
      at = begun + (text.words[begun]?.phrases[0]?.length ?? 1);
      continue;
    }
    const isPolite =
      longest?.tags.has('nothing') &&
      !isAny(longest, ...heads, ...(text.plan ? ['cue'] : [])) &&
      !is(text, at, 'thing');
    if (!joins && !isPolite && !(is(text, at, 'mark') && !is(text, at, 'compare'))) break;
    at += joins?.length ?? (isPolite ? longest?.length : undefined) ?? 1;
  }
  return { lead, start: at };
}
