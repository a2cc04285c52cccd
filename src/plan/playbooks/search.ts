import MiniSearch from 'minisearch';
import type { Playbook } from './playbook.ts';

export interface Found {
  readonly playbook: Playbook;
  /** The example closest to the goal. */
  readonly example: string;
  readonly score: number;
}

/** Finds playbooks by their examples, names and summaries. */
export function createPlaybookSearch(
  playbooks: readonly Playbook[],
): (goal: string, limit: number) => Found[] {
  const entries = playbooks.flatMap((playbook) =>
    playbook.examples.map((example) => ({ playbook, example })),
  );
  const index = new MiniSearch({
    fields: ['example', 'name', 'summary'],
    searchOptions: { fuzzy: 0.2, prefix: true },
  });
  index.addAll(
    entries.map(({ playbook, example }, id) => ({
      id,
      example,
      name: playbook.name.replaceAll('-', ' '),
      summary: playbook.summary,
    })),
  );
  return (goal, limit) =>
    index
      .search(goal)
      .slice(0, limit)
      .flatMap((hit) => {
        const entry = entries[Number(hit.id)];
        return entry ? [{ ...entry, score: hit.score }] : [];
      });
}
