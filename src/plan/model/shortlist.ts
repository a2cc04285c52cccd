import MiniSearch from 'minisearch';
import type { Manifest } from '../../core/manifest.ts';
import type { PlanningInput } from '../../core/planning.ts';
import { searchTerm } from './mentions.ts';
import { earlierPlan, personWords } from './person-words.ts';
import { tableLines } from './tables.ts';

/** A catalogue with up to this many tools goes into every prompt completely. */
const wholeCatalogue = 40;
/** Number of tools in the prompt for a larger one: few goals need more than four. */
const shortlistSize = 16;

/** The searchable text of a tool: its name, keywords, and example requests. */
function entryOf({ name, keywords, summary, asked }: Manifest) {
  return {
    id: name,
    tool: name.replace(/[._]/g, ' '),
    words: [...keywords, ...(asked?.verbs ?? []), ...(asked?.nouns ?? [])].join(' '),
    summary,
    examples: (asked?.examples ?? []).join('\n'),
  };
}
type Index = MiniSearch<ReturnType<typeof entryOf>>;

function indexOf(manifests: ReadonlyMap<string, Manifest>): Index {
  const index: Index = new MiniSearch({
    fields: ['tool', 'words', 'summary', 'examples'],
    processTerm: searchTerm,
    searchOptions: {
      boost: { words: 3, tool: 2 },
      prefix: (word) => word.length > 3,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  });
  index.addAll([...manifests.values()].map(entryOf));
  return index;
}

/**
 * The manifests in a prompt: all of them, or those a goal may need. Always includes the tools of the starting point (an
 * earlier plan, a hint, an example). A catalogue's search index is kept as long as the catalogue.
 */
export function createShortlist(): (input: PlanningInput, extra?: readonly string[]) => Manifest[] {
  const indexes = new WeakMap<ReadonlyMap<string, Manifest>, Index>();
  return (input, extra = []) => {
    const { manifests } = input.catalogue;
    // The tables take the room of the tools that the request does not need.
    const hasTables = tableLines(input).length > 0;
    if (manifests.size <= (hasTables ? shortlistSize : wholeCatalogue))
      return sorted([...manifests.values()]);
    const index = indexes.get(manifests) ?? indexOf(manifests);
    indexes.set(manifests, index);
    const steps = [...(earlierPlan(input)?.steps ?? []), ...(input.hint?.steps ?? [])];
    const written = [...manifests.values()].filter((one) => hasTables && one.written !== undefined);
    const must = new Set([...steps.map(({ tool }) => tool), ...written.map(({ name }) => name), ...extra]);
    const { text, english } = personWords(input);
    const found = (words: string): string[] => index.search(words).map(({ id }) => String(id));
    const hits = found(`${text} ${english}`);
    const others =
      hits.length < 3 ? [...found((input.quoted ?? '').slice(0, 500)), ...spread(manifests)] : [];
    const names = [...new Set([...must, ...hits, ...others])].slice(0, Math.max(shortlistSize, must.size));
    return sorted(names.flatMap((name) => manifests.get(name) ?? []));
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
