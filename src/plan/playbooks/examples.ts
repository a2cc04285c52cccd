import MiniSearch from 'minisearch';
import { minutesOf } from '../offline/times.ts';
import type { FindExamples } from '../ports.ts';
import { instantiate } from './inputs.ts';
import { inputSamples, type Playbook } from './playbook.ts';

/** How near a goal must be to a playbook's wording for the playbook to serve as an example. */
const nearEnough = 4;

/** Playbooks whose wording is near a goal, as examples of form for a model: best first, at most two. */
export function findExamples(playbooks: readonly Playbook[]): FindExamples {
  const search = new MiniSearch<{ id: number; words: string }>({ fields: ['words'] });
  search.addAll(
    playbooks.map(({ examples, summary }, id) => ({ id, words: [...examples, summary].join(' ') })),
  );
  return ({ goal }) =>
    search
      .search(goal, { fuzzy: 0.2, prefix: true })
      .filter(({ score }) => score >= nearEnough)
      .slice(0, 2)
      .flatMap(({ id }) => {
        const playbook = playbooks[id];
        if (!playbook) return [];
        const values = Object.fromEntries(
          Object.entries(playbook.inputs).map(([name, { type, default: own }]) => [
            name,
            own ?? inputSamples[type],
          ]),
        );
        const example = playbook.examples[0] ?? playbook.summary;
        return [{ goal: example, plan: instantiate(playbook, values, example, minutesOf) }];
      });
}
