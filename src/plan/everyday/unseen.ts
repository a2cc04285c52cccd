import type { Manifest } from '../../core/manifest.ts';
import type { Draft, Part } from './draft.ts';
import { emptyWords } from './empty-words.ts';
import { type Heard, wordsBetween } from './heard.ts';
import { denies } from './negations.ts';
import { isSpan, type Slot, slotsOf, valueAt } from './slots.ts';
import type { Token } from './tokens.ts';

/**
 * Reads a request for a tool that the network has never seen, such as an operator's own or an MCP tool: by the nouns
 * and verbs of its manifest, with values by their form and the remaining words as its text. Null if a word does not fit
 * anywhere.
 */
export function forUnseenTool(heard: Heard, tools: readonly Manifest[]): Draft | null {
  if (heard.tokens.some(({ section }) => section !== 0)) return null;
  const found = tools.flatMap((tool) => {
    const values = valuesFor(askedOf(tool), heard);
    return values === null ? [] : [{ tool: tool.name, ...values }];
  });
  const [best] = found.sort((one, other) => other.words - one.words);
  return best === undefined ? null : oneStep(best.tool, best.args);
}

/** A request has a verb and a noun of the tool, whatever else it says. */
export const isCalled = ({ asked }: Manifest, { tokens }: Heard): boolean =>
  placesOf(tokens, asked?.verbs ?? []).size > 0 && placesOf(tokens, asked?.nouns ?? []).size > 0;

/** How a tool is asked for, by its manifest. */
export const askedOf = (tool: Manifest): Asked => ({
  ...{ tool: tool.name, verbs: tool.asked?.verbs ?? [], nouns: tool.asked?.nouns ?? [] },
  ...{ slots: [...slotsOf(tool)], cues: tool.asked?.cues ?? {} },
  ...{ needsVerb: tool.effect === 'write', takesRest: true },
});

/** A thing that can be asked for in its own words: a tool, or a query that the operator vetted. */
export interface Asked {
  readonly tool: string;
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
  readonly slots: readonly (readonly [string, Slot])[];
  readonly cues: Readonly<Record<string, readonly string[]>>;
  readonly needsVerb: boolean;
  /** Words that are left over are the text that it takes. */
  readonly takesRest: boolean;
  /** Further words that say nothing: "how many" of a query that counts anyway. */
  readonly fillers?: ReadonlySet<string>;
}

interface Found {
  readonly args: ReadonlyMap<string, readonly Part[]>;
  /** Places of the words that it has no place for. */
  readonly left: readonly number[];
  /** Words of the request that it is called by. */
  readonly words: number;
}

/** Its arguments in a request; null where the request does not ask for it, or says more than it can take. */
export function valuesFor(asked: Asked, heard: Heard): Found | null {
  const found = valuesIn(asked, heard);
  return found === null || found.left.length > 0 ? null : found;
}

/** The same, with the words that it cannot take. */
export function valuesIn(asked: Asked, heard: Heard): Found | null {
  const { tokens } = heard;
  const nouns = placesOf(tokens, asked.nouns);
  const verbs = placesOf(tokens, asked.verbs);
  if (nouns.size === 0 || (asked.needsVerb && verbs.size === 0)) return null;
  const args = new Map<string, readonly Part[]>();
  const used = new Set([...nouns, ...verbs]);
  const give = (arg: string, slot: Slot, at: number): void => {
    used.add(at);
    if (slot === 'time' && timeCue.test(tokens[at - 1]?.low ?? '')) used.add(at - 1);
    args.set(arg, [{ said: valueAt(slot, arg, tokens[at] as Token) ?? '', from: at, to: at }]);
  };
  const fits = (arg: string, slot: Slot, at: number): boolean =>
    !used.has(at) &&
    valueAt(slot, arg, tokens[at] as Token) !== undefined &&
    (slot !== 'time' || arg === timeArg(tokens, at, asked));
  for (const [arg, slot] of asked.slots) {
    const at = isSpan(slot)
      ? -1
      : tokens.findIndex((token, place) => isSure(token) && fits(arg, slot, place));
    if (at >= 0) give(arg, slot, at);
  }
  for (const [arg, slot] of asked.slots) {
    const found = isSpan(slot) ? behindCue(tokens, asked.cues[arg] ?? [], used) : null;
    if (found === null) continue;
    for (let at = found.cue; at <= found.to; at += 1) used.add(at);
    args.set(arg, [{ said: wordsBetween(heard, found.from, found.to), from: found.from, to: found.to }]);
  }
  const rest = (): number[] =>
    [...tokens.keys()].filter(
      (at) =>
        !used.has(at) &&
        !isEmpty(tokens[at] as Token) &&
        asked.fillers?.has(tokens[at]?.low ?? '') !== true &&
        !isOfLength(tokens, at),
    );
  const [only = -1, ...others] = rest();
  const fitting = asked.slots.filter(
    ([arg, slot]) =>
      others.length === 0 && only >= 0 && !args.has(arg) && !isSpan(slot) && fits(arg, slot, only),
  );
  // “hour” may be any name, and is a length of time.
  const named = fitting.find(([, slot]) => slot === 'duration' || slot === 'time') ?? fitting[0];
  if (named !== undefined) give(...named, only);
  const left = rest();
  if (left.length > 0) {
    const [from, to] = [left[0] ?? 0, left.at(-1) ?? 0];
    // A value with words of its own before it, such as a version, is one word without them: no sentence, name or “don’t”.
    const said = wordsBetween(heard, from, to);
    const isValue = /^\S+$/u.test(said) && !ordinal.test(said) && isUnnamed(tokens[from] as Token);
    const takes = (arg: string): boolean => (asked.cues[arg] ?? []).length === 0 || isValue;
    const [wordsArg] = asked.slots.find(([arg, slot]) => isSpan(slot) && !args.has(arg) && takes(arg)) ?? [];
    if (!asked.takesRest || wordsArg === undefined || !isRun(left, tokens))
      return { args, left, words: used.size };
    args.set(wordsArg, [{ said: wordsBetween(heard, from, to), from, to }]);
  }
  return { args, left: [], words: used.size };
}

const isUnnamed = (token: Token): boolean => Object.keys(token.names).length === 0 && !denies(token);

/** “the last deploy”, “the previous version”: which one, and not what it is called. */
const ordinal = /^(?:last|latest|newest|previous|recent|current)$/iu;

const timeCue = /^(?:(since|from|after)|until|till|before)$/u;
const isOpen = /^(?:today|tonight|this )/u;

/** “since 14:00”, “until friday”; a day that is over, without such a word, is the whole of it. */
function timeArg(tokens: readonly Token[], at: number, { slots }: Asked): string | undefined {
  const [token, cue] = [tokens[at], timeCue.exec(tokens[at - 1]?.low ?? '')];
  const isWhole = cue === null && token?.kind === 'time' && !isOpen.test(token.low);
  const wanted = isWhole ? 'during' : cue === null || cue[1] !== undefined ? 'since' : 'until';
  const times = slots.flatMap(([arg, slot]) => (slot === 'time' ? [arg] : []));
  return times.includes(wanted) ? wanted : times[0];
}

/** "last 30 min" and "last hour" are lengths of time. */
const isOfLength = (tokens: readonly Token[], at: number): boolean =>
  /^(?:last|past|previous)$/u.test(tokens[at]?.low ?? '') && tokens[at + 1]?.values.duration !== undefined;

/** Words with nothing but empty ones between them. */
const isRun = (places: readonly number[], tokens: readonly Token[]): boolean =>
  places.every(
    (at, nth) =>
      nth === 0 || tokens.slice(places[nth - 1], at).every((token, step) => step === 0 || isEmpty(token)),
  );

export const oneStep = (
  tool: string,
  args: ReadonlyMap<string, readonly Part[]>,
): Extract<Draft, { kind: 'plan' }> => ({
  ...{ kind: 'plan', watch: null, steps: [{ tool, args, when: null, after: [] }] },
});

/** The words after a cue, up to a used one or the end, or the quotation after it. */
function behindCue(
  tokens: readonly Token[],
  cues: readonly string[],
  used: ReadonlySet<number>,
): { cue: number; from: number; to: number } | null {
  const found = cues
    .map((phrase) => phrase.toLowerCase().split(/\s+/u))
    .flatMap((words) => [...tokens.keys()].map((cue) => ({ cue, words, from: cue + words.length })))
    .find(
      ({ cue, words, from }) =>
        words.every((word, nth) => tokens[cue + nth]?.low === word) &&
        (words.length > 1 || !used.has(cue)) &&
        from < tokens.length &&
        !used.has(from),
    );
  if (found === undefined) return null;
  const { cue, from } = found;
  // A quotation says where its value ends.
  if (tokens[from]?.values.text !== undefined) return { cue, from, to: from };
  const stop = tokens.findIndex(
    ({ kind, low, end }, at) =>
      at > from &&
      (used.has(at) || (kind === 'mark' && /^[,.?!;]$/u.test(low) && tokens[at + 1]?.start !== end)),
  );
  return { cue, from, to: (stop < 0 ? tokens.length : stop) - 1 };
}

/** A token recognised by its form or by a name of the workspace. */
const isSure = ({ kind, names }: Token): boolean => kind !== 'word' || Object.keys(names).length > 0;

const isEmpty = ({ kind, low }: Token): boolean =>
  (kind === 'mark' && /^[,.?!:;]$/u.test(low)) || emptyWords.has(low);

const stem = (word: string): string => word.toLowerCase().replace(/(?:ies|es|s)$/u, '');

/** "roll checkout back", "roll it back": a verb of two words with a name or a pronoun in between. */
const aroundObject = (tokens: readonly Token[], [verb, particle]: readonly string[]): number[] =>
  [...tokens.keys()].flatMap((at) => {
    const [first, object, last] = tokens.slice(at, at + 3);
    if (first === undefined || object === undefined || last === undefined) return [];
    const isObject = Object.keys(object.names).length > 0 || /^(?:it|this|that|them)$/u.test(object.low);
    return isObject && stem(first.low) === verb && stem(last.low) === particle ? [at, at + 2] : [];
  });

/** Positions of the phrases' words in a request. */
function placesOf(tokens: readonly Token[], phrases: readonly string[]): Set<number> {
  const places = new Set<number>();
  for (const phrase of phrases) {
    const words = phrase.split(/\s+/u).map(stem);
    for (const at of tokens.keys())
      if (words.every((word, nth) => stem(tokens[at + nth]?.low ?? '') === word))
        for (const nth of words.keys()) places.add(at + nth);
    if (words.length === 2) for (const at of aroundObject(tokens, words)) places.add(at);
  }
  return places;
}
