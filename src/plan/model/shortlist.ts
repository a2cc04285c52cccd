import MiniSearch, { type SearchResult } from 'minisearch';
import { celType } from '../../core/condition.ts';
import { fieldInfo, type TargetKind } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { earlierPlan, groundOf } from './ground.ts';
import { stem } from './mentions.ts';

/** Tools that the model is told about. More cost tokens and help little: few goals need more than four. */
const shortlistSize = 8;

const stopWords = new Set(
  'a all an and any are as at be by do does for from have if in is it its me more my of on one or our out please so than that the them then there this to up us was we what when with you'.split(
    ' ',
  ),
);

function term(word: string): string | null {
  const lower = word.toLowerCase().replace(/^[#@]/, '');
  return stopWords.has(lower) || lower.length < 2 ? null : stem(lower);
}

interface Entry {
  readonly id: string;
  readonly tool: string;
  readonly keywords: string;
  readonly summary: string;
}

function indexOf(manifests: ReadonlyMap<string, Manifest>): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ['tool', 'keywords', 'summary'],
    processTerm: term,
    searchOptions: {
      boost: { keywords: 3, tool: 2 },
      prefix: (word) => word.length > 3,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(
    [...manifests.values()].map((manifest) => ({
      id: manifest.name,
      tool: manifest.name.replace(/[._]/g, ' '),
      keywords: manifest.keywords.join(' '),
      summary: manifest.summary,
    })),
  );
  return index;
}

/** Finds the manifests for a goal. The search index of a catalogue is kept as long as the catalogue is. */
export function createShortlist(): (input: PlanningInput, extra?: readonly string[]) => Manifest[] {
  const indexes = new WeakMap<ReadonlyMap<string, Manifest>, MiniSearch<Entry>>();
  return (input, extra = []) => {
    const { manifests } = input.catalogue;
    if (manifests.size <= shortlistSize) return sorted([...manifests.values()]);
    const index = indexes.get(manifests) ?? indexOf(manifests);
    indexes.set(manifests, index);
    const must = [...(earlierPlan(input)?.steps ?? []).map((step) => step.tool), ...extra];
    const { text, english } = groundOf(input);
    const hits = ranked(manifests, index.search(`${text} ${english}`), signalsOf(text));
    const quoted =
      input.quoted === null ? [] : index.search(input.quoted.slice(0, 500)).map((h) => String(h.id));
    const order = [...must, ...hits, ...(hits.length < 3 ? [...quoted, ...spread(manifests)] : [])];
    const names = new Set([...new Set(order)].slice(0, Math.max(shortlistSize, new Set(must).size)));
    const chosen = [...names].map((name) => manifests.get(name)).filter((m) => m !== undefined);
    return sorted([
      ...chosen,
      ...chosen.flatMap((m) => twins(m, manifests)).filter((m) => !names.has(m.name)),
    ]);
  };
}

/** Kinds of things that a text names by their form alone, and whether it compares a number. */
function signalsOf(text: string): Set<TargetKind | 'number'> {
  const forms: [TargetKind | 'number', RegExp][] = [
    ['channel', /(^|\s)#[\p{L}\p{N}]/u],
    ['user', /(^|\s)@[\p{L}\p{N}]/u],
    ['issue', /\b[A-Z][A-Z0-9_]+-\d+\b/],
    ['project', /\b[A-Z][A-Z0-9_]{2,19}\b/],
    ['severity', /\b(p|s|sev)-?[1-5]s?\b/i],
    ['number', /[<>≥≤]|\b(over|above|more than|at least|less|fewer|under|below|exceeds?|or more)\b/i],
  ];
  return new Set(forms.filter(([, form]) => form.test(text)).map(([signal]) => signal));
}

/** A channel, person or issue is nearly always an argument of what is meant; a project may be of much else. */
const strength: Partial<Record<TargetKind | 'number', number>> = { channel: 0.8, user: 0.6, issue: 0.6 };

/** How well a manifest takes up the signals: with an argument of the kind, or a number as its main result. */
function takesUp(manifest: Manifest, signals: ReadonlySet<TargetKind | 'number'>): number {
  const kinds = new Set(Object.values(manifest.args.shape).map((schema) => fieldInfo(schema).target));
  const main = manifest.main === undefined ? undefined : manifest.result.shape[manifest.main];
  const counts = main !== undefined && celType(main) === 'int';
  return [...signals]
    .filter((signal) => (signal === 'number' ? counts : kinds.has(signal)))
    .reduce((sum, signal) => sum + (strength[signal] ?? 0.2), 0);
}

/**
 * Names by search score, raised by what their arguments can take up of the text. Those that answer to a word that
 * none before them answers to come first, so that six look-alikes do not crowd out a rarer wish.
 */
function ranked(
  manifests: ReadonlyMap<string, Manifest>,
  hits: readonly SearchResult[],
  signals: ReadonlySet<TargetKind | 'number'>,
): string[] {
  const top = hits[0]?.score ?? 1;
  const byName = new Map(hits.map((hit) => [String(hit.id), hit]));
  const scored = [...manifests.values()].map((manifest) => {
    const hit = byName.get(manifest.name);
    const score = (hit?.score ?? 0) + takesUp(manifest, signals) * top;
    return { name: manifest.name, score, words: hit?.queryTerms ?? [] };
  });
  const order = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const heard = new Set<string>();
  const leading = order.filter(({ words }) => {
    const news = words.filter((word) => !heard.has(word));
    for (const word of words) heard.add(word);
    return news.length > 0;
  });
  return [...new Set([...order.slice(0, 3), ...leading, ...order].map(({ name }) => name))];
}

/** Tools whose arguments contain those of this one, or the reverse: counting beside listing. They cost few tokens. */
function twins(manifest: Manifest, manifests: ReadonlyMap<string, Manifest>): Manifest[] {
  const own = Object.keys(manifest.args.shape);
  return [...manifests.values()].filter((other) => {
    const theirs = Object.keys(other.args.shape);
    if (other === manifest || other.effect !== manifest.effect || Math.min(own.length, theirs.length) < 6)
      return false;
    return own.every((name) => theirs.includes(name)) || theirs.every((name) => own.includes(name));
  });
}

/** One read and one write of every system, for goals whose words match nothing. */
function spread(manifests: ReadonlyMap<string, Manifest>): string[] {
  const first = new Map<string, string>();
  for (const manifest of manifests.values()) {
    const slot = `${manifest.system} ${manifest.effect}`;
    if (!first.has(slot)) first.set(slot, manifest.name);
  }
  return [...first.values()];
}

/** By name, so that equal sets make equal prompts and the vendor's prompt cache can serve them. */
function sorted(manifests: Manifest[]): Manifest[] {
  return manifests.sort((a, b) => (a.name < b.name ? -1 : 1));
}
