import type { z } from 'zod';
import { isOptional } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Entity, EntityKind } from './entity.ts';
import type { Frame, Strange, Text } from './frame.ts';
import { carriesNothing, isA, isMark, joins, lowAt, means, orders, plays, wordsOf } from './heard.ts';
import type { Sense } from './sense.ts';
import { type Takes, takesOf } from './takes.ts';

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
  project: ['project', 'unknown'],
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

const textCues = /^(?:that|saying|says|:|stating|titled|called|about|because|reading|telling)$/u;

/** "too many errors": a bound that nobody can check is no part of what to look for. */
const isVague = (text: Text, index: number): boolean =>
  means(
    text,
    index,
    ({ role }, length) =>
      role === 'vague' &&
      (length > 1 || /^(?:many|bad|unusual|abnormal|crazy|elevated)$/u.test(lowAt(text, index))),
  );

/** Fills one tool's slots from the tokens it is given. */
class Filler {
  private readonly slots = new Map<string, string[]>();
  private readonly used = new Set<number>();
  private readonly filling = new Set<number>();
  private readonly spoken = new Set<number>();
  private readonly left: number[] = [];
  private readonly strange: Strange[] = [];
  private readonly takes: ReadonlyMap<string, Takes>;
  private verb = false;
  private noun = false;
  private either: string | null = null;
  private cue: Cue | null = null;
  private negation: number | null = null;
  private last: string | null = null;
  private joined: { at: number; or: boolean } | null = null;
  private readonly text: Text;
  private readonly tool: Manifest;
  private readonly span: readonly number[];

  constructor(text: Text, tool: Manifest, span: readonly number[]) {
    this.text = text;
    this.tool = tool;
    this.span = span;
    this.takes = new Map(Object.keys(tool.args.shape).map((arg) => [arg, takesOf(tool, arg)]));
  }

  run(): Frame {
    for (let at = 0; at < this.span.length; ) at += this.step(at);
    this.dropCue();
    this.dropNegation();
    const { tool, slots, verb, noun, used, filling, spoken, strange, either } = this;
    return {
      tool,
      slots,
      verb,
      noun,
      used,
      filling,
      spoken,
      left: this.left.filter((index) => !used.has(index)),
      strange,
      either,
    };
  }

  private indexAt(at: number): number {
    return this.span[at] ?? -1;
  }

  private wordAt(at: number): string {
    return lowAt(this.text, this.indexAt(at));
  }

  /** Whether the tokens from here on stand next to each other, so that a phrase of that length fits. */
  private fits(at: number, length: number): boolean {
    return this.indexAt(at + length - 1) === this.indexAt(at) + length - 1;
  }

  private use(indexes: Iterable<number>): void {
    for (const index of indexes) this.used.add(index);
  }

  /** Arguments that look like this and are still free. */
  private free(...looks: readonly Takes[]): string[] {
    return [...this.takes].flatMap(([arg, takes]) =>
      looks.includes(takes) && !this.slots.has(arg) ? [arg] : [],
    );
  }

  private step(at: number): number {
    const told = this.toldFrom(at);
    if (told > 0) return told;
    const entities = (this.text.entities[this.indexAt(at)] ?? []).filter(({ length }) =>
      this.fits(at, length),
    );
    const phrases = (this.text.phrases[this.indexAt(at)] ?? []).filter(({ length }) => this.fits(at, length));
    for (
      let length = Math.max(1, entities[0]?.length ?? 1, phrases[0]?.length ?? 1);
      length >= 1;
      length -= 1
    ) {
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
    if (
      this.cue === null ||
      this.cue.weak ||
      this.cue.at.length !== 1 ||
      !textCues.test(lowAt(this.text, this.cue.at[0] ?? -1))
    )
      return 0;
    const arg = this.free('message').find((one) => this.cue?.args.includes(one));
    return arg === undefined || isA(this.text, this.indexAt(at), 'quote') ? 0 : this.takeWords(arg, at);
  }

  private takeEntity(at: number, here: readonly Entity[], own: readonly Sense[]): number {
    const named = here.some(({ kind }) => kind !== 'number');
    if (here.length === 0 || own.some(({ role }) => role === 'value' || (role === 'noun' && !named)))
      return 0;
    const { args = [], weak = false } = this.cue ?? {};
    for (const arg of args)
      for (const entity of here)
        if (this.accepts(arg, entity, true, weak) && this.isListed(at + entity.length))
          return this.put(arg, entity, at);
    for (const arg of this.takes.keys())
      for (const entity of here)
        if (this.accepts(arg, entity, false, false) && this.isListed(at + entity.length))
          return this.put(arg, entity, at);
    return 0;
  }

  private accepts(arg: string, entity: Entity, asked: boolean, weak: boolean): boolean {
    const takes = this.takes.get(arg) ?? 'enum';
    if (!asked && needsCue.has(takes) && !this.aloneMeans(arg, takes, entity)) return false;
    if (weak && !this.mayFollowVerb(arg, takes)) return false;
    const kinds = (asked ? whenAsked[takes] : undefined) ?? accepted[takes] ?? [takes as EntityKind];
    if (!kinds.includes(entity.kind)) return false;
    if (takes === 'service' && entity.kind === 'unknown' && !this.mayBeService(entity)) return false;
    if (takes === 'project' && entity.kind === 'unknown' && !/^[A-Z][A-Z0-9]{1,9}$/u.test(entity.value))
      return false;
    if (takes === 'incident' && entity.kind === 'number' && entity.value.length < 3) return false;
    if (takes === 'incident' && /^\d+$/u.test(entity.value) && !this.isNumbered(asked && !weak)) return false;
    if (entity.kind === 'time' && entity.tense === 'future' && !this.mayBeAhead(arg)) return false;
    if (takes === 'number' && this.slots.has(arg)) return false;
    return !this.slots.has(arg) || this.continues(arg) || this.target(arg) !== arg;
  }

  /** "resolve 4411" may be a ticket: a bare number is an incident where it is called one, or where the verb fits nothing else. */
  private isNumbered(asked: boolean): boolean {
    const { name } = this.tool;
    const senses = this.span.flatMap((index) => this.text.phrases[index] ?? []).flatMap((one) => one.senses);
    const called = senses.some(({ role, of }) => role === 'noun' && of === name);
    return asked || called || senses.every(({ role, of }) => role !== 'verb' || of === name);
  }

  /** "page checkout", "explain E123": what stands right behind a verb is what it acts on. */
  private mayFollowVerb(arg: string, takes: Takes): boolean {
    if (takes === 'code') return !isOptional(this.tool.args.shape[arg] as z.core.$ZodType);
    return this.tool.effect === 'write' && (takes === 'service' || takes === 'incident');
  }

  /** A bare word is a service where one is asked for; where a topic could stand as well, only one that is no English word. */
  private mayBeService({ value }: Entity): boolean {
    if (/^[A-Z0-9]+$/u.test(value) && this.text.catalogue.open) return false;
    const topical =
      [...this.takes.values()].includes('topic') && lowAt(this.text, this.cue?.at[0] ?? -1) === 'for';
    return !topical || !this.text.lexicon.isEnglish(value.toLowerCase());
  }

  /** Who will be on call can be asked; what will be counted cannot. */
  private mayBeAhead(arg: string): boolean {
    return this.tool.asked?.args?.[arg]?.ahead === true;
  }

  /** A duration or a time needs no word in front where the tool has one place for it only. */
  private aloneMeans(arg: string, takes: Takes, entity: Entity): boolean {
    if (takes === 'time') {
      const day = this.mayBeAhead(arg) ? /^(?:today|tonight|this )/u : /^today$/u;
      return entity.tense !== 'present' || day.test(entity.value);
    }
    if (takes === 'duration')
      return (
        arg === 'window' && [...this.takes.values()].filter((other) => other === 'duration').length === 1
      );
    if (takes === 'person') return entity.kind === 'user';
    if (takes !== 'number') return false;
    // "3 oldest tickets", "five newest": a number next to the word of an order.
    const index = this.text.entities.findIndex((here) => here.includes(entity));
    return [index - 1, index + entity.length].some((at) =>
      means(
        this.text,
        at,
        ({ role, of, arg: other }) => of === this.tool.name && role === 'value' && other === 'order',
      ),
    );
  }

  /** The argument that a value goes to: with "not" before it, the one that leaves it out. */
  private target(arg: string): string {
    return this.negation !== null && this.takes.has(`${arg}_not`) ? `${arg}_not` : arg;
  }

  private continues(arg: string): boolean {
    return this.joined !== null && this.last === arg;
  }

  /** "page ops, checkout is down": behind a comma another target is one only where the list ends or goes on. */
  private isListed(at: number): boolean {
    const mark = this.joined !== null && isMark(this.text, this.joined.at);
    const next = this.indexAt(at);
    return (
      !mark ||
      this.tool.effect === 'read' ||
      next < 0 ||
      isMark(this.text, next) ||
      means(
        this.text,
        next,
        ({ role, of }) => role === 'condition' || (role === 'cue' && of === this.tool.name),
      )
    );
  }

  /** Fills a slot from some tokens; the cue and the negation before it have done their work. */
  private set(arg: string, values: readonly string[], at: number, length: number): void {
    const to = this.target(arg);
    if (to !== arg && this.negation !== null) {
      this.used.add(this.negation);
      this.negation = null;
    }
    this.slots.set(to, [...new Set(values)]);
    const indexes = this.span.slice(at, at + length);
    this.use([...indexes, ...(this.cue?.at ?? [])]);
    for (const index of indexes) this.filling.add(index);
    this.last = arg;
    this.cue = null;
  }

  /** A channel or a person that the workspace does not have. */
  private isNobody(kind: EntityKind, value: string): boolean {
    const { open, channels, people } = this.text.catalogue;
    const name = value.replace(/^[#@]/u, '').toLowerCase();
    if (open || this.tool.effect === 'read') return false;
    if (kind === 'channel') return !channels.some((one) => one.name.toLowerCase() === name);
    return kind === 'user' && !people.some(({ handle }) => handle.toLowerCase() === name);
  }

  private put(arg: string, { value, kind, length }: Entity, at: number): number {
    const before = this.slots.get(this.target(arg)) ?? [];
    if (before.length > 0 && this.joined?.or) this.either = arg;
    if (before.length > 0 && this.joined) this.used.add(this.joined.at);
    const takes = this.takes.get(arg);
    const known = this.text.catalogue.open || kind === takes || (kind !== 'unknown' && kind !== 'project');
    if ((!known && (takes === 'service' || takes === 'project')) || this.isNobody(kind, value))
      this.strange.push({ arg, said: value });
    this.set(arg, [...before, value], at, length);
    this.joined = null;
    return length;
  }

  private takePhrase(at: number, length: number, senses: readonly Sense[], own: readonly Sense[]): number {
    const indexes = this.span.slice(at, at + length);
    const plays = (role: Sense['role']): boolean => own.some((sense) => sense.role === role);
    const value = own.find(
      ({ role, arg = '' }) => role === 'value' && (!this.slots.has(this.target(arg)) || this.continues(arg)),
    );
    this.verb ||= plays('verb');
    this.noun ||= plays('noun');
    if (value) return this.putValue(value, at, length);
    const after = own.find(({ role }) => role === 'after')?.arg;
    const named = after !== undefined && this.takeBefore(after, at);
    const head = plays('verb') || plays('noun');
    if (named || head || plays('also')) this.use(indexes);
    const cues = own.flatMap(({ role, arg }) => (role === 'cue' && arg !== undefined ? [arg] : []));
    if (cues.length > 0 && this.isPartOfName(cues, at)) return 0;
    if (cues.length > 0) {
      this.dropCue();
      this.cue = { args: cues, at: head ? [] : indexes, weak: false };
      return length;
    }
    if (plays('verb')) this.cue = { args: [...this.takes.keys()], at: [], weak: true };
    return named || head || plays('also') ? length : this.takeCommon(senses, indexes);
  }

  /** "to In Review": a preposition with a capital letter belongs to the name that was asked for. */
  private isPartOfName(cues: readonly string[], at: number): boolean {
    const { cue } = this;
    const asked =
      cue?.weak === false &&
      this.free('phrase').some((arg) => cue.args.includes(arg)) &&
      cues.every((arg) => cue.args.includes(arg));
    return asked === true && /^\p{Lu}/u.test(this.text.tokens[this.indexAt(at)]?.raw ?? '');
  }

  private putValue({ arg = '', value = '' }: Sense, at: number, length: number): number {
    const before = this.slots.get(this.target(arg)) ?? [];
    if (before.length > 0 && this.joined) this.used.add(this.joined.at);
    this.set(arg, [...before, value], at, length);
    this.joined = null;
    return length;
  }

  /** `checkout on-call`: the name stands before the word that asks for it. */
  private takeBefore(arg: string, at: number): boolean {
    const index = this.indexAt(at - 1);
    const entity = this.text.entities[index]?.find(
      ({ kind, length }) => length === 1 && (kind === 'service' || kind === 'unknown'),
    );
    if (this.slots.has(arg) || !entity || !this.left.includes(index)) return false;
    this.put(arg, entity, at - 1);
    return true;
  }

  private takeCommon(senses: readonly Sense[], indexes: readonly number[]): number {
    const { length } = indexes;
    const plays = (role: Sense['role'], of?: string): boolean =>
      senses.some((sense) => sense.role === role && (of === undefined || sense.of === of));
    const write = this.tool.effect === 'write';
    if (plays('negation')) {
      this.dropNegation();
      this.dropCue();
      this.negation = indexes[0] ?? null;
      return length;
    }
    if (plays('condition', 'and') || plays('condition', 'or')) {
      // What joins two values of one slot is explained by them.
      const or = plays('condition', 'or');
      this.joined = this.last === null ? null : { at: indexes[0] ?? -1, or };
      if (or) this.left.push(...indexes);
      return length;
    }
    if (plays('gather') && (!write || plays('gather', 'either'))) {
      this.use(indexes);
      return length;
    }
    const somebody =
      plays('anyone') && (this.negation !== null || /^some/u.test(lowAt(this.text, indexes[0] ?? -1)));
    const past = plays('time', 'pastTense') && !this.tool.asked?.present;
    const empty =
      plays('nothing') ||
      plays('time', 'present') ||
      plays('condition', 'but') ||
      (plays('pronoun') && !write);
    return somebody || past || empty ? length : 0;
  }

  private dropCue(): void {
    // A preposition that led nowhere carries nothing; a word such as "labelled" does.
    const empty = (index: number): boolean =>
      isMark(this.text, index) || plays(this.text, index, 'nothing') || joins(this.text, index, 'and');
    this.left.push(...(this.cue?.at ?? []).filter((index) => !empty(index)));
    this.cue = null;
  }

  private dropNegation(): void {
    if (this.negation !== null) this.left.push(this.negation);
    this.negation = null;
  }

  /** What is neither a thing nor a word of the tool: the text that a cue asked for, a topic, a mark, or unexplained. */
  private takeRest(at: number): number {
    const index = this.indexAt(at);
    if (isMark(this.text, index)) {
      if (this.cue?.weak) this.cue = null;
      if (/^[,/+]$/u.test(lowAt(this.text, index)))
        this.joined = this.last === null ? null : { at: index, or: false };
      return 1;
    }
    const { args = [], weak = true } = this.cue ?? {};
    const wanted = weak
      ? undefined
      : this.free('message', 'topic', 'phrase', 'word', 'person').find((arg) => args.includes(arg));
    const bare = this.tool.name.startsWith('jira.') ? undefined : this.free('topic')[0];
    for (const arg of [wanted, bare]) {
      const taken = arg === undefined ? 0 : this.takeWords(arg, at);
      if (taken > 0) return taken;
    }
    this.dropCue();
    this.joined = null;
    this.left.push(index);
    return 1;
  }

  private takeWords(arg: string, at: number): number {
    const takes = this.takes.get(arg);
    const length =
      takes === 'message'
        ? this.textLength(at)
        : takes === 'word' || takes === 'person'
          ? 1
          : this.topicLength(at);
    const indexes = this.span.slice(at, at + length);
    const value = wordsOf(this.text, indexes).replace(/[!?]+$/u, '');
    if (value === '' || !this.fits(at, length) || (takes === 'message' && this.isNoText(indexes))) return 0;
    this.set(arg, [value], at, length);
    if (takes !== 'word') for (const index of indexes) this.spoken.add(index);
    return length;
  }

  /** A text goes on to the end, but for whom it is for: "post the number of open P1s to #ops". */
  private textLength(at: number): number {
    const aimed = this.tool.exactlyOne.flat().some((arg) => this.slots.has(arg));
    const last = this.span.length - 1;
    const target =
      last > at + 1 &&
      isA(this.text, this.indexAt(last), 'channel', 'user') &&
      /^(?:to|into|in|on)$/u.test(this.wordAt(last - 1));
    return target && !aimed && this.tool.exactlyOne.length > 0 ? last - 1 - at : this.span.length - at;
  }

  /** "… but nobody is to be paged" rules something out, and a lone channel is where it goes: neither is a text. */
  private isNoText(indexes: readonly number[]): boolean {
    const { text } = this;
    const tells = (index: number): boolean =>
      means(
        text,
        index,
        ({ role, of }) =>
          (role === 'verb' || role === 'also') && (of === 'pagerduty.page' || of === 'slack.post'),
      );
    const empty = indexes.every(
      (index) => carriesNothing(text, index) || plays(text, index, 'pronoun', 'anyone'),
    );
    const first = indexes[0] ?? -1;
    const conditional =
      joins(text, first, 'if', 'unless') ||
      (joins(text, first - 1, 'and') && orders(text, first)) ||
      means(text, first, ({ role }) => role === 'compare');
    if (empty || conditional) return true;
    const denied = indexes.some(
      (index) =>
        means(text, index, ({ role }) => role === 'negation') &&
        indexes.some((other) => other > index && other <= index + 6 && tells(other)),
    );
    return denied || (indexes.length === 1 && isA(text, indexes[0] as number, 'channel', 'user'));
  }

  /** Words from here on that may be one topic: up to a mark, a thing that has its own slot, or a word of the tool. */
  private topicLength(at: number): number {
    let solid = at;
    for (let end = at; end < this.span.length && this.fits(at, end - at + 1); end += 1) {
      const index = this.indexAt(end);
      if (isMark(this.text, index) && !/^[-–&%/]$/u.test(lowAt(this.text, index))) break;
      const senses = this.text.phrases[index]?.find(({ length }) => this.fits(end, length))?.senses ?? [];
      if (senses.some(({ role }) => stops.has(role)) && !senses.some(({ of }) => of === 'and')) break;
      if (isVague(this.text, index)) break;
      if (end > at && (this.hasPlace(index) || this.leadsOn(end, senses))) break;
      if (
        senses.some(({ of, role }) => of === this.tool.name && role === 'noun') &&
        !/^(?:logs|sql)\./u.test(this.tool.name)
      )
        break;
      const empty =
        senses.some(({ role, of }) => role === 'nothing' || of === 'and') &&
        senses.every(({ role, of }) => ['nothing', 'cue', 'versus'].includes(role) || of === 'and');
      if (!empty) solid = end + 1;
    }
    return solid - at;
  }

  /** A thing with a slot of its own in this tool. */
  private hasPlace(index: number): boolean {
    return (
      this.text.entities[index]?.some(
        ({ kind }) => !['unknown', 'number', 'quote'].includes(kind) && this.free(kind).length > 0,
      ) ?? false
    );
  }

  /** A word that asks for another argument, with a value for it right behind. */
  private leadsOn(at: number, senses: readonly Sense[]): boolean {
    let next = at + 1;
    while (/^(?:the|a|an|our|last|past)$/u.test(this.wordAt(next))) next += 1;
    const last = next === this.span.length - 1;
    return senses.some(({ role, of, arg = '' }) => {
      const takes = this.takes.get(arg);
      if (
        role !== 'cue' ||
        of !== this.tool.name ||
        takes === undefined ||
        this.slots.has(arg) ||
        runs.has(takes)
      )
        return false;
      return (
        isA(this.text, this.indexAt(next), takes as EntityKind) ||
        (takes === 'service' && last && isA(this.text, this.indexAt(next), 'unknown'))
      );
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
