import { namesOf } from '../../../core/catalogue.ts';
import type { Phrase } from '../words/lexicon.ts';
import { is, isAny, lowAt, range, saysIn } from '../words/text.ts';
import type { Thing, ThingKind } from '../words/thing.ts';
import { lookedBack } from '../words/times.ts';
import { isFit, isNamedBy, mayBeName, mayFollowVerb, meansOnly } from './fitting.ts';
import { continues, explain, type Filling, fill, free, indexAt, isAllOf, targetOf } from './frame.ts';
import { kindsFor, type Takes } from './takes.ts';

/** Which things may stand in which slots. */

/** What may fill a slot only behind a word that asks for it, unless it means nothing else. */
const needsCue = new Set<Takes>(['word', 'person', 'number', 'duration', 'time', 'phrase']);

/** A time that says when something began. */
export const starts = ['since', 'window', 'during'];

/** The thing that begins here, in the slot that a cue asks for or in the first one that takes it. */
export function takeThing(so: Filling, at: number, here: readonly Thing[], phrase?: Phrase): number {
  if (here.length === 0 || (phrase && isAny(phrase, `value ${so.tool.name}`))) return 0;
  for (const byCue of [true, false])
    for (const arg of byCue ? (so.cue?.args ?? []) : so.takes.keys())
      for (const thing of here)
        if (accepts(so, arg, thing, byCue, at) && isListed(so, at + thing.length))
          return put(so, arg, thing, at);
  return takePerson(so, at, here);
}

/** "page ana": who is called by name is nobody's on-call, and never somebody else. */
function takePerson(so: Filling, at: number, here: readonly Thing[]): number {
  const person = here.find(({ kind }) => kind === 'user');
  if (person && isAskedOf(so, at)) {
    explain(so, so.span.slice(at, at + person.length), 'word');
    return person.length;
  }
  const [arg] = free(so, 'service');
  if (!person || arg === undefined || !so.cue?.weak || so.tool.asked?.role !== 'page') return 0;
  so.strange.push({ arg, said: person.value });
  explain(so, so.span.slice(at, at + person.length), 'slot');
  return person.length;
}

/** "is ana on call", "when did ben close PAY-3": the answer says who it is. */
function isAskedOf({ text, tool, span }: Filling, at: number): boolean {
  const role = tool.asked?.role;
  const first = span.find((index) => !is(text, index, 'mark')) ?? -1;
  const asks = is(text, first, 'asks whether', 'until', 'if', 'verb person') && lowAt(text, first) !== 'show';
  return (role === 'person' || role === 'show') && asks && !is(text, (span[at] ?? 0) - 1, 'receiver follows');
}

function accepts(so: Filling, arg: string, thing: Thing, byCue: boolean, at: number): boolean {
  const takes = so.takes.get(arg) ?? 'enum';
  // "P1 → P2": what is left out is ruled out by a word, and goes there by `targetOf`.
  if (arg.endsWith('_not')) return false;
  const before = indexAt(so, at - 1);
  const isNext = so.last === arg && so.filling.has(before) && !so.spoken.has(before);
  const goesOn = takes === 'incident' && (isNext || continues(so, arg));
  // "the open vpn incidents": a name in front of what belongs to it.
  const isBefore = takes === 'service' && thing.value.length > 2 && isNamedBy(so, thing.at + thing.length);
  if (!kindsFor(takes, byCue || goesOn || isBefore).includes(thing.kind)) return false;

  // "this week vs last week": what happened in two times is two look-ups.
  if (starts.includes(arg) && starts.some((one) => one !== arg && so.slots.has(one))) return false;
  const weak = byCue && so.cue?.weak === true;
  if (!byCue && needsCue.has(takes) && !meansOnly(so, arg, takes, thing)) return false;

  if (weak && !mayFollowVerb(so, arg, takes)) return false;
  // "ack 66120, page checkout": numbers make a list, and a service is an incident where it is the only one.
  if (goesOn && thing.kind === 'service') return false;
  // "close OPS-31 OPS-32 and OPS-33": a list needs no commas.
  const isListed = isNext && (takes === 'issue' || takes === 'severity');
  const isFree =
    !so.slots.has(arg) ||
    isAllOf(so, arg) ||
    goesOn ||
    isListed ||
    (takes !== 'number' && (continues(so, arg) || targetOf(so, arg) !== arg));
  return (
    isFree &&
    isFit(so, arg, thing, (byCue && !weak) || goesOn, weak) &&
    (thing.kind !== 'unknown' || mayBeName(so, takes, thing.value, at + thing.length))
  );
}

/** "page ops, checkout is down": behind a comma another target is one only where the list ends or goes on. */
function isListed(so: Filling, at: number): boolean {
  const { text, tool, joined, verb } = so;
  const next = indexAt(so, at);
  if (joined === null || tool.effect === 'read') return true;
  // "page ops and search is slow", "page ops, is search on call": what something is said of is no target.
  const last = next < 0 ? (so.span.at(-1) ?? 0) : next;
  if (verb && saysIn(text, range(joined.at + 1, last + 1), 'saying')) return false;
  if (next < 0) return true;
  return !is(text, joined.at, 'mark') || is(text, next, 'mark', 'condition', `cue ${tool.name}`);
}

/** A channel or a person that the workspace does not have. */
function isNobody({ text, tool }: Filling, kind: ThingKind, value: string): boolean {
  if (text.catalogue.open || tool.effect === 'read' || (kind !== 'channel' && kind !== 'user')) return false;
  return namesOf(text.catalogue, kind).every((name) => name.toLowerCase() !== value.toLowerCase());
}

/** "close PAY-4, not PAY-5": one that is named beside another, and left out. */
function isExcluded({ text, negation, slots, tool, span }: Filling, arg: string, at: number): boolean {
  // "page ops, no payments" may put right what was said.
  const isOpen = lowAt(text, negation ?? -1) === 'no';
  if (negation === null || isOpen || tool.effect === 'read' || !slots.has(arg)) return false;
  const index = span[at] ?? -1;
  return index - negation <= 3 && !saysIn(text, range(negation + 1, index), 'verb', 'mark');
}

function put(so: Filling, arg: string, { value, kind, length }: Thing, at: number): number {
  const takes = so.takes.get(arg);
  const named = takes === 'service' || takes === 'project';
  const known = so.text.catalogue.open || kind === takes || (kind !== 'unknown' && kind !== 'project');
  if (isExcluded(so, arg, at)) {
    explain(so, [so.negation ?? 0, ...so.span.slice(at, at + length)], 'word');
    so.negation = null;
    return length;
  }
  if ((named && !known) || isNobody(so, kind, value)) so.strange.push({ arg, said: value });
  if (so.slots.has(targetOf(so, arg)) && so.joined?.or) so.either = arg;
  fill(so, arg, [takes === 'time' ? seenFrom(so, arg, value) : value], at, length);
  return length;
}

/** "who was on call on saturday": in the past tense it is the last one. */
function seenFrom({ text, tool, span }: Filling, arg: string, value: string): string {
  const isPast = tool.asked?.args?.[arg]?.ahead === true && saysIn(text, span, 'time pastTense');
  return isPast ? lookedBack(text, value) : value;
}

/** "comment on it": a pronoun that stands for the ticket, incident or person that the tool acts on. */
export function pointsAt(so: Filling, phrase: Phrase, first: number): boolean {
  const aims = (kind: Takes): boolean =>
    [...so.takes].some(([arg, takes]) => takes === kind && !so.slots.has(arg));
  // "post them": what was found, and nobody.
  const isSent = isAny(phrase, 'pronoun thing') && is(so.text, first - 1, 'publishing');
  const isAimed = !so.takes.has('text') || is(so.text, so.cue?.at[0] ?? -1, 'onto');
  return (
    (isAny(phrase, 'pronoun thing') && isAimed && (aims('issue') || aims('incident'))) ||
    (isAny(phrase, 'pronoun issue') && aims('issue')) ||
    (isAny(phrase, 'pronoun incident') && aims('incident')) ||
    (isAny(phrase, 'pronoun person') && aims('user') && !isSent)
  );
}
