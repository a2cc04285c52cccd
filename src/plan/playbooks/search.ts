import MiniSearch from 'minisearch';
import type { PlanDraft } from '../../core/plan.ts';
import { instantiate } from './inputs.ts';
import { inputSamples, type Playbook } from './playbook.ts';

export interface Found {
  readonly playbook: Playbook;
  /** The example that is nearest to the goal. */
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

/** Plans of the playbooks nearest to a goal, filled with sample values: examples of form for a model. */
export function createPlaybookExamples(
  playbooks: readonly Playbook[],
): (input: { readonly goal: string }) => { goal: string; plan: PlanDraft }[] {
  const search = createPlaybookSearch(playbooks);
  return ({ goal }) => {
    const nearest = [...new Set(search(goal, 6).map((found) => found.playbook))].slice(0, 2);
    return nearest.map((playbook) => {
      const values = Object.fromEntries(
        Object.entries(playbook.inputs).map(([name, spec]) => [name, inputSamples[spec.type]]),
      );
      const example = playbook.examples[0] ?? playbook.summary;
      return { goal: example, plan: instantiate(playbook, values, example, () => 60) };
    });
  };
}
