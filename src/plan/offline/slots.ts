import type { z } from 'zod';
import { isOptional } from '../../core/fields.ts';
import type { Entity, EntityKind } from './entity.ts';
import { continues, endsAt, explain, type Filling, fill, free, indexAt, targetOf } from './filling.ts';
import { isA, isMark, isOneOf, means } from './heard.ts';
import type { Sense } from './sense.ts';
import type { Takes } from './takes.ts';

/** Which things may stand in which slots. */

const accepted: Partial<Record<Takes, readonly EntityKind[]>> = {
  topic: ['quote'],
  message: ['quote'],
  phrase: ['quote'],
  word: ['quote', 'unknown', 'service', 'issue', 'project', 'code'],
  person: ['user', 'unknown'],
  code: ['code', 'quote', 'issue', 'incident'],
};
/** Accepted only right behind a word that asks for it. */
const whenAsked: Partial<Record<Takes, readonly EntityKind[]>> = {
  incident: ['incident', 'number'],
  service: ['service', 'unknown'],
  project: ['project', 'unknown'],
  code: ['code', 'quote', 'issue', 'incident', 'unknown', 'project', 'service', 'number'],
  query: ['query', 'quote'],
  word: ['quote', 'unknown', 'service', 'issue', 'project', 'code', 'user', 'channel'],
};
/** What may fill a slot only behind a word that asks for it, unless it means nothing else. */
const needsCue = new Set<Takes>(['word', 'person', 'number', 'duration', 'time', 'phrase']);

/** The thing that begins here, in the slot that a cue asks for or in the first one that takes it. */
export function takeThing(so: Filling, at: number, here: readonly Entity[], own: readonly Sense[]): number {
  if (here.length === 0) return 0;
  if (own.some(({ role }) => role === 'value')) return 0;
  const asked = so.cue?.args ?? [];
  for (const [arg, byCue] of [
    ...asked.map((one) => [one, true] as const),
    ...[...so.takes.keys()].map((one) => [one, false] as const),
  ])
    for (const entity of here)
      if (accepts(so, arg, entity, byCue, at) && isListed(so, at + entity.length))
        return put(so, arg, entity, at);
  return takePerson(so, at, here);
}

/** "page ana": who is called by name is nobody's on-call, and never somebody else. */
function takePerson(so: Filling, at: number, here: readonly Entity[]): number {
  const person = here.find(({ kind }) => kind === 'user');
  const [arg] = free(so, 'service');
  if (!person || arg === undefined || !so.cue?.weak || so.tool.asked?.role !== 'page') return 0;
  so.strange.push({ arg, said: person.value });
  explain(so, so.span.slice(at, at + person.length), 'slot');
  return person.length;
}

function accepts(so: Filling, arg: string, entity: Entity, byCue: boolean, at: number): boolean {
  const takes = so.takes.get(arg) ?? 'enum';
  const weak = byCue && so.cue?.weak === true;
  if (!byCue && needsCue.has(takes) && !meansOnly(so, arg, takes, entity)) return false;
  if (weak && !mayFollowVerb(so, arg, takes)) return false;
  const goesOn = continues(so, arg) && takes === 'incident';
  const kinds = (byCue || goesOn ? whenAsked[takes] : undefined) ?? accepted[takes] ?? [takes as EntityKind];
  return (
    kinds.includes(entity.kind) &&
    (entity.kind !== 'unknown' ||
      takes !== 'service' ||
      mayBeService(so, entity.value, at + entity.length)) &&
    isFit(so, arg, entity, (byCue && !weak) || goesOn) &&
    (!so.slots.has(arg) || (takes !== 'number' && (continues(so, arg) || targetOf(so, arg) !== arg)))
  );
}

/** What a value has to look like beyond its kind. */
function isFit(so: Filling, arg: string, entity: Entity, asked: boolean): boolean {
  const { kind, value, tense } = entity;
  const takes = so.takes.get(arg);
  if (kind === 'unknown' && takes === 'project') return /^[A-Z][A-Z0-9]{1,9}$/u.test(value);
  if (takes === 'incident' && /^\d+$/u.test(value))
    return (asked || kind === 'incident' || value.length > 2) && isNumbered(so, asked);
  // "share the P1s in ops": the project, not the channel that is called like it.
  const index = so.text.entities.findIndex((here) => here.includes(entity));
  if (kind === 'channel' && isA(so.text, index, 'project', 'service'))
    return !isOneOf(so.text, index - 1, 'within');
  return kind !== 'time' || tense !== 'future' || mayBeAhead(so, arg);
}

/** "resolve 4411" may be a ticket: a bare number is an incident where it is called one, or where the verb fits nothing else. */
function isNumbered({ text, span, tool: { name } }: Filling, asked: boolean): boolean {
  const senses = span.flatMap((index) => text.phrases[index] ?? []).flatMap((one) => one.senses);
  const called = senses.some(({ role, of }) => role === 'noun' && of === name);
  return asked || called || senses.every(({ role, of }) => role !== 'verb' || of === name);
}

/** "page checkout", "explain E123": what stands right behind a verb is what it acts on. */
function mayFollowVerb({ tool }: Filling, arg: string, takes: Takes): boolean {
  if (takes === 'code') return !isOptional(tool.args.shape[arg] as z.core.$ZodType);
  return tool.effect === 'write' && (takes === 'service' || takes === 'incident');
}

/** A bare word is a service where one is asked for; where a topic could stand as well, only one that is no English word. */
function mayBeService(so: Filling, value: string, next: number): boolean {
  const { text, tool } = so;
  // "page the backup of search": a role names nobody.
  if (tool.effect === 'write' && text.lexicon.small.get('nobody yet')?.has(value.toLowerCase())) return false;
  if (/^[A-Z0-9]+$/u.test(value) && text.catalogue.open) return false;
  const topical = free(so, 'topic').length > 0;
  return !topical || (!text.lexicon.isEnglish(value.toLowerCase()) && endsAt(so, next));
}

/** Who will be on call can be asked; what will be counted cannot. */
const mayBeAhead = ({ tool }: Filling, arg: string): boolean => tool.asked?.args?.[arg]?.ahead === true;

/** A duration or a time needs no word in front where the tool has one place for it only. */
function meansOnly(so: Filling, arg: string, takes: Takes, entity: Entity): boolean {
  const { text, tool, takes: all } = so;
  if (takes === 'time') {
    const day = mayBeAhead(so, arg) ? /^(?:today|tonight|this )/u : /^today$/u;
    return entity.tense !== 'present' || day.test(entity.value);
  }
  if (takes === 'duration')
    return arg === 'window' && [...all.values()].filter((other) => other === 'duration').length === 1;
  const index = text.entities.findIndex((here) => here.includes(entity));
  // "…, to @lin": who gets the tickets is not who they are assigned to.
  if (takes === 'person') return entity.kind === 'user' && !isOneOf(text, index - 1, 'receiver follows');
  if (takes !== 'number') return false;
  // "3 oldest tickets", "five newest": a number next to the word of an order.
  const orders = ({ role, of, arg: other }: Sense): boolean =>
    of === tool.name && role === 'value' && other === 'order';
  return [index - 1, index + entity.length].some((at) => means(text, at, orders));
}

/** "page ops, checkout is down": behind a comma another target is one only where the list ends or goes on. */
function isListed(so: Filling, at: number): boolean {
  const { text, tool, joined, heads } = so;
  const next = indexAt(so, at);
  if (joined === null || tool.effect === 'read' || next < 0) return true;
  // "page ops and search is slow": what something is said of is no target.
  if (heads.has('verb') && isOneOf(text, next, 'saying')) return false;
  if (!isMark(text, joined.at)) return true;
  return (
    isMark(text, next) ||
    means(text, next, ({ role, of }) => role === 'condition' || (role === 'cue' && of === tool.name))
  );
}

/** A channel or a person that the workspace does not have. */
function isNobody({ text, tool }: Filling, kind: EntityKind, value: string): boolean {
  const { open, channels, people } = text.catalogue;
  if (open || tool.effect === 'read') return false;
  const names = { channel: channels.map(({ name }) => name), user: people.map(({ handle }) => handle) };
  const known = kind === 'channel' || kind === 'user' ? names[kind] : null;
  const bare = value.replace(/^[#@]/u, '').toLowerCase();
  return known !== null && !known.some((name) => name.toLowerCase() === bare);
}

function put(so: Filling, arg: string, { value, kind, length }: Entity, at: number): number {
  const takes = so.takes.get(arg);
  const named = takes === 'service' || takes === 'project';
  const known = so.text.catalogue.open || kind === takes || (kind !== 'unknown' && kind !== 'project');
  if ((named && !known) || isNobody(so, kind, value)) so.strange.push({ arg, said: value });
  if (so.slots.has(targetOf(so, arg)) && so.joined?.or) so.either = arg;
  fill(so, arg, [value], at, length);
  return length;
}

/** "comment on it": a pronoun that stands for the ticket, incident or person that the tool acts on. */
export function pointsAt(so: Filling, senses: readonly Sense[]): boolean {
  const kinds = { issue: 'issue', incident: 'incident', person: 'user' } as const;
  const said = senses.flatMap(({ role, of }) => (role === 'pronoun' ? [of] : []));
  const aims = (kind: string): boolean =>
    [...so.takes].some(([arg, takes]) => takes === kind && !so.slots.has(arg) && arg !== so.last);
  const thing = !so.takes.has('text') || isOneOf(so.text, so.cue?.at[0] ?? -1, 'onto');
  return said.some((of) =>
    of === 'thing'
      ? thing && (aims('issue') || aims('incident'))
      : of in kinds && aims(kinds[of as keyof typeof kinds]),
  );
}
