import MiniSearch from 'minisearch';
import type { Manifest } from '../../core/manifest.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { earlierPlan, groundOf } from './ground.ts';
import { stem } from './mentions.ts';

/** Tools that the model is told about. More cost tokens and help little: few goals need more than four. */
export const shortlistSize = 8;

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
    const hits = index.search(groundOf(input).text).map((hit) => String(hit.id));
    const quoted =
      input.quoted === null ? [] : index.search(input.quoted.slice(0, 500)).map((h) => String(h.id));
    const order = [...must, ...hits, ...(hits.length < 3 ? [...quoted, ...spread(manifests)] : [])];
    const chosen = [...new Set(order)].slice(0, Math.max(shortlistSize, new Set(must).size));
    return sorted(chosen.map((name) => manifests.get(name)).filter((m) => m !== undefined));
  };
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
