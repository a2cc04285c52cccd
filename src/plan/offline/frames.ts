import { z } from 'zod';
import type { Catalogue } from '../../core/catalogue.ts';
import { fieldInfo, isOptional, unwrap } from '../../core/fields.ts';
import type { AskedArg, Manifest } from '../../core/manifest.ts';
import type { Entity, EntityKind } from './entities.ts';
import type { Lexicon, Phrase, Sense } from './lexicon.ts';
import type { Token } from './tokens.ts';

/** A request with everything that was found in it before it is understood. */
export interface Text {
  readonly goal: string;
  readonly tokens: readonly Token[];
  readonly entities: readonly (readonly Entity[])[];
  readonly phrases: readonly (readonly Phrase[])[];
  readonly lexicon: Lexicon;
  readonly catalogue: Catalogue;
  /** Frames that were filled before: the search asks for the same spans again and again. */
  readonly frames: Map<string, Frame>;
}

/** A name that stands where a target belongs and that nothing here has. */
export interface Strange {
  readonly arg: string;
  readonly said: string;
}

/** One tool with the slots that words of the request fill, in whatever order they stand. */
export interface Frame {
  readonly tool: Manifest;
  readonly slots: ReadonlyMap<string, readonly string[]>;
  readonly verb: boolean;
  readonly noun: boolean;
  /** Tokens that a slot, a verb or a noun explains. */
  readonly used: ReadonlySet<number>;
  /** Tokens that fill slots, of those. */
  readonly filling: ReadonlySet<number>;
  /** Tokens of the text that was taken as a message: they weigh less than words that were understood. */
  readonly spoken: ReadonlySet<number>;
  /** Tokens that mean something and that nothing explains. */
  readonly left: readonly number[];
  readonly strange: readonly Strange[];
  /** Two or more targets were named with "or". */
  readonly either: string | null;
}

type Takes = NonNullable<AskedArg['takes']> | EntityKind | 'enum';

const looks = new WeakMap<Manifest, Map<string, Takes>>();

/** What the value of an argument looks like. */
export function takesOf(tool: Manifest, arg: string): Takes {
  const known = looks.get(tool) ?? new Map<string, Takes>();
  looks.set(tool, known);
  const takes = known.get(arg) ?? lookOf(tool, arg);
  known.set(arg, takes);
  return takes;
}

function lookOf(tool: Manifest, arg: string): Takes {
  const declared = tool.asked?.args?.[arg]?.takes;
  if (declared) return declared;
  const schema = tool.args.shape[arg];
  if (schema === undefined) return 'enum';
  const { target } = fieldInfo(schema);
  if (target && target !== 'transition') return target;
  return unwrap(schema) instanceof z.ZodNumber ? 'number' : 'enum';
}

const accepted: Partial<Record<Takes, readonly EntityKind[]>> = {
  topic: ['quote'],
  message: ['quote'],
  phrase: ['quote'],
  word: ['quote', 'unknown', 'service', 'issue', 'project', 'code'],
  person: ['user', 'unknown'],
  code: ['code', 'quote', 'issue', 'incident'],
  query: ['query'],
  incident: ['incident'],
};
/** Accepted only right behind a word that asks for it. */
const whenAsked: Partial<Record<Takes, readonly EntityKind[]>> = {
  incident: ['incident', 'number'],
  service: ['service', 'unknown'],
  code: ['code', 'quote', 'issue', 'incident', 'unknown', 'project', 'service', 'number'],
  query: ['query', 'quote'],
  word: ['quote', 'unknown', 'service', 'issue', 'project', 'code', 'user', 'channel'],
};
/** What may fill a slot without a word in front of it that asks for it. */
const needsCue = new Set<Takes>(['word', 'person', 'number', 'duration', 'time', 'phrase']);

const runs = new Set<Takes>(['topic', 'phrase']);
const stops = new Set<Sense['role']>(['condition', 'compare', 'compareAfter', 'exists', 'negation']);

interface Cue {
  readonly args: readonly string[];
  readonly at: readonly number[];
  /** A verb: whatever stands right behind it may be its target. */
  readonly weak: boolean;
}

/** The argument of a tool that takes words for people, or null. */
export function textArgOf(tool: Manifest | undefined): string | null {
  const args = Object.keys(tool?.args.shape ?? {});
  return (tool && args.find((arg) => takesOf(tool, arg) === 'message')) ?? null;
}

/** Fills one tool's slots from the tokens it is given. */
class Filler {
  readonly slots = new Map<string, string[]>();
  readonly used = new Set<number>();
  readonly filling = new Set<number>();
  readonly spoken = new Set<number>();
  readonly left: number[] = [];
  readonly strange: Strange[] = [];
  readonly args: readonly string[];
  verb = false;
  noun = false;
  either: string | null = null;
  private cue: Cue | null = null;
  private negation: number | null = null;
  private last: { arg: string; end: number } | null = null;
  private joined: { at: number; or: boolean } | null = null;

  private readonly text: Text;
  private readonly tool: Manifest;
  private readonly span: readonly number[];

  constructor(text: Text, tool: Manifest, span: readonly number[]) {
    this.text = text;
    this.tool = tool;
    this.span = span;
    this.args = Object.keys(tool.args.shape);
  }

  run(): Frame {
    let at = 0;
    while (at < this.span.length) at += this.step(at);
    this.dropCue();
    this.dropNegation();
    const { tool, slots, verb, noun, used, filling, spoken, strange, either } = this;
    const left = this.left.filter((index) => !used.has(index));
    return { tool, slots, verb, noun, used, filling, spoken, left, strange, either };
  }

  /** How many tokens from here on stand next to each other, so that a phrase of that length fits. */
  private fits(at: number, length: number): boolean {
    return this.span[at + length - 1] === (this.span[at] as number) + length - 1;
  }

  private step(at: number): number {
    const index = this.span[at] as number;
    const told = this.toldFrom(at);
    if (told > 0) return told;
    const entities = (this.text.entities[index] ?? []).filter(({ length }) => this.fits(at, length));
    const phrases = (this.text.phrases[index] ?? []).filter(({ length }) => this.fits(at, length));
    const longest = Math.max(1, entities[0]?.length ?? 1, phrases[0]?.length ?? 1);
    for (let length = longest; length >= 1; length -= 1) {
      const here = entities.filter((entity) => entity.length === length);
      const senses = phrases.find((phrase) => phrase.length === length)?.senses ?? [];
      const own = senses.filter((sense) => sense.of === this.tool.name);
      const took = this.takeEntity(at, here, own) || this.takePhrase(at, length, senses, own);
      if (took > 0) return took;
    }
    return this.takeRest(at);
  }

  /** Behind "that", "saying" or a colon everything is the text, whatever its words mean elsewhere. */
  private toldFrom(at: number): number {
    const [arg] =
      this.cue?.weak === false && this.cue.at.length === 1
        ? this.cue.args.filter((one) => takesOf(this.tool, one) === 'message' && !this.slots.has(one))
        : [];
    const cue = this.text.tokens[this.cue?.at[0] ?? -1]?.low ?? '';
    const quoted = this.text.tokens[this.span[at] as number]?.kind === 'quote';
    return arg !== undefined &&
      !quoted &&
      /^(?:that|saying|says|:|stating|titled|called|about|because|reading|telling)$/u.test(cue)
      ? this.takeWords(arg, at)
      : 0;
  }

  private takeEntity(at: number, here: readonly Entity[], own: readonly Sense[]): number {
    const spoken = own.some(
      ({ role }) => role === 'value' || (role === 'noun' && !here.some((one) => one.kind !== 'number')),
    );
    if (here.length === 0 || spoken) return 0;
    const asked = this.cue;
    for (const arg of asked?.args ?? [])
      for (const entity of here)
        if (this.accepts(arg, entity, true, asked?.weak ?? false)) return this.put(arg, entity, at);
    for (const arg of this.args)
      for (const entity of here)
        if (this.accepts(arg, entity, false, false)) return this.put(arg, entity, at);
    return 0;
  }

  private accepts(arg: string, entity: Entity, asked: boolean, weak: boolean): boolean {
    const takes = takesOf(this.tool, arg);
    if (!asked && needsCue.has(takes) && !this.aloneMeans(arg, takes, entity)) return false;
    if (
      weak &&
      takes !== 'code' &&
      (this.tool.effect === 'read' || (takes !== 'service' && takes !== 'incident'))
    )
      return false;
    const kinds = (asked ? whenAsked[takes] : undefined) ?? accepted[takes] ?? [takes as EntityKind];
    if (!kinds.includes(entity.kind)) return false;
    if (takes === 'service' && entity.kind === 'unknown' && !this.mayBeService(entity)) return false;
    if (takes === 'incident' && entity.kind === 'number' && entity.value.length < 3) return false;
    if (weak && takes === 'code' && isOptional(this.tool.args.shape[arg] as z.core.$ZodType)) return false;
    if (entity.kind === 'time' && entity.tense === 'future') return false;
    if (takes === 'number' && this.slots.has(arg)) return false;
    return !this.slots.has(arg) || this.continues(arg) || this.target(arg) !== arg;
  }

  /** A bare word is a service where one is asked for; where a topic could stand as well, only one that is no English word. */
  private mayBeService({ value }: Entity): boolean {
    const topical = this.args.some((arg) => takesOf(this.tool, arg) === 'topic');
    const cue = this.text.tokens[this.cue?.at[0] ?? -1]?.low ?? '';
    if (/^[A-Z0-9]+$/u.test(value) && this.text.catalogue.open) return false;
    return !topical || cue !== 'for' || !this.text.lexicon.isEnglish(value.toLowerCase());
  }

  /** A duration or a time needs no word in front where the tool has one place for it only. */
  private aloneMeans(arg: string, takes: Takes, entity: Entity): boolean {
    if (takes === 'time') return entity.tense !== 'present' || entity.value === 'today';
    if (takes === 'duration')
      return (
        arg === 'window' && this.args.filter((other) => takesOf(this.tool, other) === 'duration').length === 1
      );
    if (takes === 'person') return entity.kind === 'user';
    if (takes === 'number') return this.asksForNumber(entity);
    return false;
  }

  /** "3 oldest tickets", "five newest": a number right before the word of an order or a noun of a list. */
  private asksForNumber(entity: Entity): boolean {
    const index = this.text.entities.findIndex((here) => here.includes(entity));
    const after = this.text.phrases[index + entity.length] ?? [];
    const before = this.text.phrases[index - 1] ?? [];
    return [...after, ...before].some(({ senses }) =>
      senses.some(({ role, of, arg }) => of === this.tool.name && role === 'value' && arg === 'order'),
    );
  }

  /** The argument that a value goes to: with "not" before it, the one that leaves it out. */
  private target(arg: string): string {
    return this.negation !== null && this.args.includes(`${arg}_not`) ? `${arg}_not` : arg;
  }

  private continues(arg: string): boolean {
    return this.joined !== null && this.last?.arg === arg;
  }

  private put(arg: string, entity: Entity, at: number): number {
    const to = this.target(arg);
    if (to !== arg && this.negation !== null) this.used.add(this.negation);
    if (to !== arg) this.negation = null;
    const before = this.slots.get(to) ?? [];
    if (before.length > 0 && this.joined?.or) this.either = to;
    if (this.joined && before.length > 0) this.used.add(this.joined.at);
    const { value } = entity;
    this.slots.set(to, before.includes(value) ? before : [...before, value]);
    const closed = !this.text.catalogue.open && ['unknown', 'project'].includes(entity.kind);
    if (
      closed &&
      ['service', 'project'].includes(takesOf(this.tool, arg)) &&
      takesOf(this.tool, arg) !== entity.kind
    )
      this.strange.push({ arg, said: value });
    for (let i = 0; i < entity.length; i += 1) this.fill(at + i);
    for (const token of this.cue?.at ?? []) this.used.add(token);
    this.last = { arg, end: at + entity.length };
    // "for P1 in OPS": the cue has done its work; "on OPS-1 and OPS-2" goes on.
    this.cue = null;
    this.joined = null;
    return entity.length;
  }

  private fill(at: number): void {
    this.used.add(this.span[at] as number);
    this.filling.add(this.span[at] as number);
  }

  private takePhrase(at: number, length: number, senses: readonly Sense[], own: readonly Sense[]): number {
    const indexes = this.span.slice(at, at + length);
    const value = own.find(
      ({ role, arg = '' }) => role === 'value' && (!this.slots.has(this.target(arg)) || this.continues(arg)),
    );
    if (value) return this.putValue(value, at, length);
    const after = own.find(({ role }) => role === 'after');
    if (after?.arg && this.takeBefore(after.arg, at)) for (const index of indexes) this.used.add(index);
    const verb = own.some(({ role }) => role === 'verb');
    const noun = own.some(({ role }) => role === 'noun');
    const cues = own.flatMap(({ role, arg }) => (role === 'cue' && arg !== undefined ? [arg] : []));
    if (verb || noun) for (const index of indexes) this.used.add(index);
    if (verb && !this.verb) this.verb = true;
    if (noun) this.noun = true;
    const wanted =
      this.cue?.weak === false &&
      this.cue.args.some((arg) => takesOf(this.tool, arg) === 'phrase' && !this.slots.has(arg));
    if (
      wanted &&
      cues.length > 0 &&
      cues.every((arg) => this.cue?.args.includes(arg)) &&
      /^\p{Lu}/u.test(this.text.tokens[indexes[0] as number]?.raw ?? '')
    )
      return 0;
    if (cues.length > 0) return this.putCue(cues, indexes, verb || noun);
    if (verb) this.cue = { args: this.args, at: [], weak: true };
    const also = own.some(({ role }) => role === 'also');
    if (also) for (const index of indexes) this.used.add(index);
    if (verb || noun || also || (after && this.used.has(indexes[0] as number))) return length;
    return this.takeCommon(senses, indexes);
  }

  private putCue(args: readonly string[], indexes: readonly number[], head: boolean): number {
    this.dropCue();
    this.cue = { args, at: head ? [] : indexes, weak: false };
    return indexes.length;
  }

  private putValue({ arg = '', value = '' }: Sense, at: number, length: number): number {
    const to = this.target(arg);
    const own =
      this.text.phrases[this.span[at] as number]?.find((phrase) => phrase.length === length)?.senses ?? [];
    if (own.some((sense) => sense.of === this.tool.name && sense.role === 'verb')) this.verb = true;
    if (own.some((sense) => sense.of === this.tool.name && sense.role === 'noun')) this.noun = true;
    this.put(arg, { kind: 'unknown', length, value }, at);
    this.strange.splice(0, this.strange.length, ...this.strange.filter(({ said }) => said !== value));
    this.last = { arg: to, end: at + length };
    return length;
  }

  /** `checkout on-call`: the name stands before the word that asks for it. */
  private takeBefore(arg: string, at: number): boolean {
    if (this.slots.has(arg) || at === 0) return false;
    const index = this.span[at - 1] as number;
    const entity = this.text.entities[index]?.find(
      ({ kind, length }) => length === 1 && (kind === 'service' || kind === 'unknown'),
    );
    if (!entity || !this.left.includes(index)) return false;
    this.left.splice(this.left.indexOf(index), 1);
    this.put(arg, entity, at - 1);
    return true;
  }

  private takeCommon(senses: readonly Sense[], indexes: readonly number[]): number {
    const roles = new Set(
      senses.map(({ role, of }) => (role === 'condition' || role === 'time' ? `${role} ${of}` : role)),
    );
    const index = indexes[0] as number;
    if (roles.has('negation')) {
      this.dropNegation();
      this.negation = index;
      this.dropCue();
      return indexes.length;
    }
    if (roles.has('condition and') || roles.has('condition or'))
      return this.join(index, indexes.length, roles.has('condition or'));
    const either = senses.some(({ role, of }) => role === 'gather' && of === 'either');
    if (roles.has('gather') && this.tool.effect === 'write' && !either) return 0;
    if (roles.has('gather')) for (const one of indexes) this.used.add(one);
    if (roles.has('time pastTense') && !this.tool.asked?.present) return indexes.length;
    if (
      roles.has('condition but') ||
      (roles.has('pronoun') && this.tool.effect === 'read') ||
      (roles.has('anyone') && /^some/u.test(this.text.tokens[index]?.low ?? '')) ||
      roles.has('gather') ||
      roles.has('time present') ||
      roles.has('nothing') ||
      (roles.has('anyone') && this.negation !== null)
    )
      return indexes.length;
    return 0;
  }

  /** "P1 and P2": what joins two values of one slot is explained by them. */
  private join(index: number, length: number, or: boolean): number {
    this.joined = this.last === null ? null : { at: index, or };
    if (or) this.left.push(index);
    return length;
  }

  private dropCue(): void {
    const cue = this.cue;
    this.cue = null;
    // A preposition that led nowhere carries nothing; a word such as "labelled" does.
    for (const index of cue?.at ?? []) if (!this.isEmpty(index)) this.left.push(index);
  }

  private dropNegation(): void {
    if (this.negation !== null) this.left.push(this.negation);
    this.negation = null;
  }

  private isEmpty(index: number): boolean {
    const here = this.text.phrases[index] ?? [];
    const one = here.find(({ length }) => length === 1)?.senses ?? [];
    return (
      this.text.tokens[index]?.kind === 'mark' ||
      one.some(({ role, of }) => role === 'nothing' || (role === 'condition' && of === 'and'))
    );
  }

  /** What is neither a thing nor a word of the tool: the text that a cue asked for, a topic, a mark, or unexplained. */
  private takeRest(at: number): number {
    const index = this.span[at] as number;
    const token = this.text.tokens[index] as Token;
    const wanted = this.cue?.weak
      ? undefined
      : this.cue?.args.find(
          (arg) =>
            !this.slots.has(arg) &&
            (takesOf(this.tool, arg) === 'message' ||
              runs.has(takesOf(this.tool, arg)) ||
              takesOf(this.tool, arg) === 'word' ||
              takesOf(this.tool, arg) === 'person'),
        );
    if (token.kind === 'mark') {
      if (token.raw === ',' || token.raw === '/' || token.raw === '+')
        this.joined = this.last ? { at: index, or: false } : null;
      return 1;
    }
    if (wanted !== undefined) {
      const taken = this.takeWords(wanted, at);
      if (taken > 0) return taken;
    }
    const bare = this.args.find(
      (arg) =>
        takesOf(this.tool, arg) === 'topic' &&
        !needsCue.has('topic') &&
        !this.slots.has(arg) &&
        !this.tool.name.startsWith('jira.'),
    );
    if (bare !== undefined) {
      const taken = this.takeWords(bare, at);
      if (taken > 0) return taken;
    }
    this.dropCue();
    this.joined = null;
    this.left.push(index);
    return 1;
  }

  private takeWords(arg: string, at: number): number {
    const takes = takesOf(this.tool, arg);
    const length =
      takes === 'message'
        ? this.span.length - at
        : takes === 'word' || takes === 'person'
          ? 1
          : this.topicLength(at);
    if (length === 0) return 0;
    const indexes = this.span.slice(at, at + length);
    const [first, last] = [indexes[0] as number, indexes.at(-1) as number];
    if (last - first + 1 !== indexes.length) return 0;
    if (takes === 'message' && this.isNoText(indexes)) return 0;
    const value = this.text.goal
      .slice(this.text.tokens[first]?.start, this.text.tokens[last]?.end)
      .replace(/[\s,;.:!?–—-]+$/u, '');
    if (value === '') return 0;
    this.slots.set(this.target(arg), [value]);
    if (this.target(arg) !== arg && this.negation !== null) this.used.add(this.negation);
    if (this.target(arg) !== arg) this.negation = null;
    for (const index of indexes) {
      this.used.add(index);
      this.filling.add(index);
      if (takes !== 'word') this.spoken.add(index);
    }
    for (const token of this.cue?.at ?? []) this.used.add(token);
    this.last = { arg, end: at + length };
    this.cue = null;
    return length;
  }

  /** "… but nobody is to be paged" rules something out, and a lone channel is where it goes: neither is a text. */
  private isNoText(indexes: readonly number[]): boolean {
    const said = (index: number, fits: (sense: Sense) => boolean): boolean =>
      this.text.phrases[index]?.some(({ senses }) => senses.some(fits)) ?? false;
    const tells = ({ role, of }: Sense): boolean =>
      (role === 'verb' || role === 'also') && (of === 'pagerduty.page' || of === 'slack.post');
    const denied = indexes.some(
      (index) =>
        said(index, ({ role }) => role === 'negation') &&
        indexes.some((other) => other > index && other <= index + 6 && said(other, tells)),
    );
    return (
      denied ||
      (indexes.length === 1 &&
        (this.text.entities[indexes[0] as number]?.some(
          ({ kind }) => kind === 'channel' || kind === 'user',
        ) ??
          false))
    );
  }

  /** Words from here on that may be one topic: up to a mark, a thing that has its own slot, or a word of the tool. */
  private topicLength(at: number): number {
    let end = at;
    let solid = at;
    while (end < this.span.length && this.fits(at, end - at + 1)) {
      const index = this.span[end] as number;
      const token = this.text.tokens[index] as Token;
      if (token.kind === 'mark' && !/^[-–&%/]$/u.test(token.raw)) break;
      const phrase = this.text.phrases[index]?.find(({ length }) => this.fits(end, length));
      const senses = phrase?.senses ?? [];
      if (senses.some(({ role }) => stops.has(role)) && !senses.some(({ of }) => of === 'and')) break;
      if (end > at && (this.hasPlace(index) || this.leadsOn(end, senses))) break;
      if (
        senses.some(({ of, role }) => of === this.tool.name && role === 'noun') &&
        !/^logs\.|^sql/u.test(this.tool.name)
      )
        break;
      end += 1;
      const empty =
        senses.length > 0 &&
        senses.every(
          ({ role, of }) => role === 'nothing' || role === 'cue' || role === 'versus' || of === 'and',
        ) &&
        senses.some(({ role, of }) => role === 'nothing' || of === 'and');
      if (!empty) solid = end;
    }
    return solid - at;
  }

  /** A thing with a slot of its own in this tool. */
  private hasPlace(index: number): boolean {
    return (this.text.entities[index] ?? []).some(
      (entity) =>
        !['unknown', 'number', 'quote'].includes(entity.kind) &&
        this.args.some((arg) => takesOf(this.tool, arg) === entity.kind && !this.slots.has(arg)),
    );
  }

  /** A word that asks for another argument, with a value for it right behind. */
  private leadsOn(at: number, senses: readonly Sense[]): boolean {
    const cued = senses.flatMap(({ role, of, arg }) =>
      role === 'cue' && of === this.tool.name && arg !== undefined && !this.slots.has(arg) ? [arg] : [],
    );
    if (cued.length === 0) return false;
    let next = at + 1;
    while (
      next < this.span.length &&
      /^(?:the|a|an|our|last|past)$/u.test(this.text.tokens[this.span[next] as number]?.low ?? '')
    )
      next += 1;
    const entities = this.text.entities[this.span[next] ?? -1] ?? [];
    return cued.some((arg) => {
      const takes = takesOf(this.tool, arg);
      const kinds =
        takes === 'service' ? ['service', ...(next === this.span.length - 1 ? ['unknown'] : [])] : [takes];
      return !runs.has(takes) && entities.some(({ kind }) => kinds.includes(kind));
    });
  }
}

/** Reads the tokens of a span as one tool. */
export function fillFrame(text: Text, tool: Manifest, span: readonly number[]): Frame {
  const key = `${tool.name} ${span.join(' ')}`;
  const known = text.frames.get(key);
  if (known) return known;
  const frame = new Filler(text, tool, span).run();
  text.frames.set(key, frame);
  return frame;
}
