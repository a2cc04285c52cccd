import type { Manifest } from '../../core/manifest.ts';
import type { Draft, Part } from './draft.ts';
import { emptyWords } from './empty-words.ts';
import type { Heard } from './heard.ts';
import { isSpan, slotsOf, valueAt } from './slots.ts';
import type { Token } from './tokens.ts';

/**
 * A request for a tool that the network has never seen: an operator's own, or one of an MCP server. It is taken by the
 * nouns and verbs of its manifest, its values by their form, and the words that are left over as its text. Null where a
 * word fits nowhere.
 */
export function forUnseenTool(
  { tokens, text }: Heard,
  tools: ReadonlyMap<string, Manifest>,
  seen: ReadonlySet<string>,
): Draft | null {
  const own = tokens.filter(({ section }) => section === 0);
  if (own.length === 0 || own.length < tokens.length) return null;
  const found = [...tools.values()].flatMap((tool) =>
    seen.has(tool.name) ? [] : (draftFor(tool, own, text) ?? []),
  );
  return found.sort((one, other) => other.words - one.words)[0]?.draft ?? null;
}

interface Found {
  readonly draft: Draft;
  /** Words of the request that the manifest has. */
  readonly words: number;
}

function draftFor(tool: Manifest, tokens: readonly Token[], text: string): Found | null {
  const nouns = placesOf(tokens, tool.asked?.nouns ?? []);
  const verbs = placesOf(tokens, tool.asked?.verbs ?? []);
  if (nouns.size === 0 || (tool.effect === 'write' && verbs.size === 0)) return null;
  const args = new Map<string, readonly Part[]>();
  const used = new Set([...nouns, ...verbs]);
  const slots = [...slotsOf(tool)];
  for (const [arg, slot] of slots) {
    if (isSpan(slot)) continue;
    const at = tokens.findIndex(
      (token, place) => !used.has(place) && isSure(token) && valueAt(slot, arg, token) !== undefined,
    );
    const value = at < 0 ? undefined : valueAt(slot, arg, tokens[at] as Token);
    if (value === undefined) continue;
    used.add(at);
    args.set(arg, [{ said: value, from: at, to: at }]);
  }
  for (const [arg, slot] of slots) {
    const found = isSpan(slot) ? behindCue(tokens, tool.asked?.cues?.[arg] ?? [], used) : null;
    if (found === null) continue;
    for (let at = found.cue; at <= found.to; at += 1) used.add(at);
    args.set(arg, [{ said: wordsIn(tokens, text, found.from, found.to), from: found.from, to: found.to }]);
  }
  const left = [...tokens.keys()].filter((at) => !used.has(at) && !isEmpty(tokens[at] as Token));
  const [only, ...others] = left;
  const named =
    only === undefined || others.length > 0
      ? undefined
      : slots.find(
          ([arg, slot]) =>
            !args.has(arg) && !isSpan(slot) && valueAt(slot, arg, tokens[only] as Token) !== undefined,
        );
  if (only !== undefined && named !== undefined) {
    args.set(named[0], [
      { said: valueAt(named[1], named[0], tokens[only] as Token) ?? '', from: only, to: only },
    ]);
    left.length = 0;
  }
  const [wordsArg] = slots.find(([arg, slot]) => isSpan(slot) && !args.has(arg)) ?? [];
  if (left.length > 0) {
    const [from, to] = [left[0] ?? 0, left.at(-1) ?? 0];
    const isRun = left.every(
      (at, nth) =>
        nth === 0 || tokens.slice(left[nth - 1], at).every((token, step) => step === 0 || isEmpty(token)),
    );
    if (wordsArg === undefined || !isRun) return null;
    args.set(wordsArg, [{ said: wordsIn(tokens, text, from, to), from, to }]);
  }
  const draft: Draft = {
    kind: 'plan',
    watch: null,
    steps: [{ tool: tool.name, args, when: null, after: [] }],
  };
  return { draft, words: new Set([...nouns, ...verbs]).size };
}

const wordsIn = (tokens: readonly Token[], text: string, from: number, to: number): string =>
  from === to
    ? (tokens[from]?.values.text ?? tokens[from]?.raw ?? '')
    : text.slice(tokens[from]?.start, tokens[to]?.end);

/** The words behind a cue, up to what is taken or to the end. */
function behindCue(
  tokens: readonly Token[],
  cues: readonly string[],
  used: ReadonlySet<number>,
): { cue: number; from: number; to: number } | null {
  const cue = tokens.findIndex(
    ({ low }, at) => cues.includes(low) && !used.has(at) && at + 1 < tokens.length && !used.has(at + 1),
  );
  if (cue < 0) return null;
  const stop = tokens.findIndex(
    ({ kind, low }, at) => at > cue && (used.has(at) || (kind === 'mark' && /^[,.?!;]$/u.test(low))),
  );
  return { cue, from: cue + 1, to: (stop < 0 ? tokens.length : stop) - 1 };
}

/** A thing that is known by its form or that the workspace calls so. */
const isSure = ({ kind, names }: Token): boolean => kind !== 'word' || Object.keys(names).length > 0;

const isEmpty = ({ kind, low }: Token): boolean =>
  (kind === 'mark' && /^[,.?!:;]$/u.test(low)) || emptyWords.has(low);

const stem = (word: string): string => word.toLowerCase().replace(/(?:ies|es|s)$/u, '');

/** Places of the words of phrases in a request. */
function placesOf(tokens: readonly Token[], phrases: readonly string[]): Set<number> {
  const places = new Set<number>();
  for (const phrase of phrases) {
    const words = phrase.split(/\s+/u).map(stem);
    for (const at of tokens.keys())
      if (words.every((word, nth) => stem(tokens[at + nth]?.low ?? '') === word))
        for (const nth of words.keys()) places.add(at + nth);
  }
  return places;
}
