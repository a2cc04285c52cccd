import { knowsTarget } from '../../../core/catalogue.ts';
import { is, isAlone, lowAt, range, saysIn, type Text } from '../words/text.ts';
import type { Thing } from '../words/thing.ts';
import { endsAt, type Filling, free, indexAt } from './frame.ts';
import { requiredOf, type Takes, takesWhole } from './takes.ts';

/** What a value has to look like for a slot, beyond its kind, and where it has to stand. */

/** A word that stands behind the name of what it belongs to, for a tool that is not asked for by a topic. */
export const isNamedBy = ({ text, tool, takes }: Filling, index: number): boolean =>
  is(text, index, `noun ${tool.name}`) &&
  is(text, index, 'after name') &&
  ![...takes.values()].includes('topic');

/** What a value has to look like beyond its kind. */
export function isFit(so: Filling, arg: string, thing: Thing, asked: boolean, isNext: boolean): boolean {
  const { text, tool, span, takes } = so;
  const { kind, value, at, length } = thing;
  const isNamed = (): boolean => saysIn(text, span, `noun ${tool.name}`);
  // One that is looked up is called one, or asked about by its state; those of a service are listed.
  if (takes.get(arg) === 'incident' && tool.effect === 'read')
    return kind !== 'service' && (asked || thing.sure === true || isInState(text, thing));
  // "close 4411" may be a ticket: a bare number is an incident where it is called one, behind a verb that fits nothing else,
  // or in a workspace behind the one that the tool is named for.
  // "post in ops" speaks of no incident: one goes by its service only where it is called one, too.
  if (takes.get(arg) === 'incident' && (kind === 'service' || /^\d+$/u.test(value))) {
    const { name } = tool;
    const senses = span.flatMap((index) => text.words[index]?.phrases.flatMap((one) => one.senses) ?? []);
    const isOwn =
      (!text.catalogue.open && lowAt(text, at - 1) === tool.asked?.verbs?.[0]) ||
      senses.every(({ role, of }) => role !== 'verb' || of === name);
    // "ack 12" is that one, "ack 12 incidents" is none.
    const isNumber = value.length > 2 || (isNext && !is(text, at + length, `noun ${name}`));
    if ((asked || thing.sure === true) && kind !== 'service') return true;
    // "resolve the checkout one"
    if (kind === 'service' && lowAt(text, at + length) === 'one') return true;
    return (kind !== 'number' || isNumber) && (isNamed() || isOwn);
  }
  // A pasted line has a code in it, and is none.
  const isLine = /\s.*\s/u.test(value) && /(?:^|\s)[A-Z]+[-_]?\d{2,}(?:\s|$)/u.test(value);
  if (takes.get(arg) === 'code' && kind === 'quote' && isLine) return false;
  // "which error code is worst": a plain word is none.
  if (takes.get(arg) === 'code' && kind === 'unknown' && !/[\d_]|\p{Ll}\p{Lu}/u.test(value)) return false;
  // "what is OPS-12": a ticket of a project that is here is no code of an error, unless it is called one.
  if (takes.get(arg) === 'code' && !isNamed() && isOurs(text, thing)) return false;
  // "page payments with the number of open P1s": the priority of tickets is no urgency of a page.
  if (kind === 'severity' && tool.oncePer !== undefined && is(text, at - 1, 'value count status', 'of'))
    return false;
  // "send @ana the open incidents" goes to no channel that is called like them, "post it in incidents" does.
  const isWord = kind === 'channel' && !text.words[at]?.raw.startsWith('#') && isAlone(text, at, 'noun');
  if (isWord && !is(text, at - 1, 'onto')) return false;
  // "share the P1s in ops": the project, not the channel that is called like it; "post in ops" and "post “…” in ops" go there.
  if (kind === 'channel' && is(text, at, 'project', 'service'))
    return !is(text, at - 1, 'within') || is(text, at - 2, 'quote', 'verb message');

  // "post to #ops if P1s are open: “…”": what is said, and nothing to look for.
  if (kind === 'quote' && tool.effect === 'read' && lowAt(text, at - 1) === ':')
    return !range(0, at).some((index) => is(text, index, 'verb write') && !isAlone(text, index, 'value'));
  // "search the runbooks": a service that is called as the verb.
  if (kind === 'service' && isAlone(text, at, `verb ${tool.name}`)) return !opensOrder(so, at);
  if (kind === 'duration') return !isAhead(text, span, thing);
  return kind !== 'time' || isFitTime(so, arg, thing, asked);
}

/** "is 1182 still open", "if 1182 is acked": what goes by its number alone, and is asked about as an incident is. */
function isInState(text: Text, { at, length }: Thing): boolean {
  const next = at + length;
  const state = range(next, next + 3).find((index) => !is(text, index, 'still', 'saying')) ?? next;
  const isBefore = is(text, at - 1, 'asks whether', 'if', 'unless') && is(text, state, 'value alarms status');
  // "nobody has acked 1182"
  return isBefore || is(text, at - 1, 'value alarms status');
}

/** "search the runbooks …", "search azure logs for …", unlike "search incidents": a verb with what it looks through. */
function opensOrder({ text, tool }: Filling, verb: number): boolean {
  const nouns = text.words[verb + 1]?.phrases.filter(({ tags }) => tags.has(`noun ${tool.name}`)) ?? [];
  return is(text, verb + 1, 'articles') || nouns.some(({ length }) => is(text, verb + 1 + length, 'about'));
}

/** "in 15 minutes count …", "if it is still over 5 in 15 minutes": a time to come, which nothing looks back on. */
function isAhead(text: Text, span: readonly number[], { at, length }: Thing): boolean {
  if (lowAt(text, at - 1) !== 'in') return false;
  return is(text, at + length, 'verb') || span.some((index) => lowAt(text, index) === 'still');
}

/** "opened on friday" has an end and "since friday" has none: where a tool tells them apart, so do the words. */
function isFitTime({ text, tool, takes, cue }: Filling, arg: string, thing: Thing, asked: boolean): boolean {
  const isWhole = (one: string): boolean => takesWhole(tool, one);
  const next = thing.at + thing.length;
  // "from monday on"
  const goesOn = /^(?:on|onwards?)$/u.test(lowAt(text, next)) && !is(text, next + 1, 'thing');
  const isOver = thing.whole === true && !goesOn;
  if (isWhole(arg)) return isOver;
  const others = asked ? (cue?.args ?? []) : takes.keys();
  if (isOver && others.some(isWhole)) return false;
  return thing.tense !== 'future' || tool.asked?.args?.[arg]?.ahead === true;
}

/** A project, a service or a ticket of this workspace. */
const isOurs = (text: Text, { value, at }: Thing): boolean =>
  !text.catalogue.open &&
  (is(text, at, 'project', 'service') ||
    (/-\d+$/u.test(value) && knowsTarget(text.catalogue, 'issue', value)));

/** "page checkout", "explain E123": what stands right behind a verb is what it acts on. */
export function mayFollowVerb({ tool }: Filling, arg: string, takes: Takes): boolean {
  if (takes === 'code') return requiredOf(tool).includes(arg);
  return tool.effect === 'write' && (takes === 'service' || takes === 'incident');
}

/** A bare word is a service where one is asked for; where a topic could stand as well, only one that is no English word. */
export function mayBeName(so: Filling, takes: Takes, value: string, next: number): boolean {
  const { text, tool } = so;
  const low = value.toLowerCase();
  // "a ticket for the gap in telemetry", "a ticket for ana": behind a word that may begin a text only who is known is a person.
  // "what does this mean": where people are known, a plain word is none of them.
  if (takes === 'person')
    return (
      !so.cue?.args.some((arg) => so.takes.get(arg) === 'message') &&
      (/^\p{Lu}/u.test(value) || !text.lexicon.isEnglish(low))
    );
  if (takes === 'project') return /^[A-Z][A-Z0-9]{1,9}$/u.test(value);
  if (takes !== 'service') return true;
  // "page the backup of search": a role names nobody.
  if (tool.effect === 'write' && text.lexicon.isIn(low, 'nobody yet')) return false;
  // "wake up Tom": without a list of services a capital is a person.
  if (/^(?:[A-Z0-9]+|\p{Lu}\p{Ll}+)$/u.test(value) && text.catalogue.open) return false;
  const isPlaced = endsAt(so, next) || isNamedBy(so, indexAt(so, next));
  return free(so, 'topic').length === 0 || (!text.lexicon.isEnglish(low) && isPlaced);
}

/** A duration or a time needs no word in front where the tool has one place for it only. */
export function meansOnly(
  so: Filling,
  arg: string,
  takes: Takes,
  { kind, tense, value, at, length }: Thing,
): boolean {
  const { text, tool, takes: all } = so;
  if (takes === 'time') {
    return tense !== 'present' || /^(?:today|tonight|this )/u.test(value);
  }
  if (takes === 'duration')
    return arg === 'window' && [...all.values()].filter((other) => other === 'duration').length === 1;
  // "…, to @lin": who gets the tickets is not who they are assigned to.
  // Nor is who made them: "created by @lin", "tickets @lin raised".
  if (takes === 'person')
    return (
      kind === 'user' &&
      !is(text, at - 1, 'receiver follows') &&
      !is(text, at + length, 'making') &&
      !(lowAt(text, at - 1) === 'did' && lowAt(text, at + length) === 'open') &&
      lowAt(text, at - 1) !== 'by'
    );
  // "3 oldest tickets", "five newest": a number next to the word of an order.
  const orders = `value ${tool.name} order`;
  return takes === 'number' && (is(text, at - 1, orders) || is(text, at + length, orders));
}
