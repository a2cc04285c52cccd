import { durationMinutes } from '../../core/duration.ts';
import type { FindExamples } from '../ports.ts';
import { instantiate } from './inputs.ts';
import { inputSamples, type Playbook } from './playbook.ts';
import { createPlaybookSearch } from './search.ts';

/** Minimum similarity between a goal and a playbook's wording for it to serve as an example. */
const nearEnough = 4;

/** The playbook with the wording closest to a goal, as an example of form for a model; empty if none is close. */
export function findExamples(playbooks: readonly Playbook[]): FindExamples {
  const search = createPlaybookSearch(playbooks);
  return ({ goal, catalogue: { manifests } }) =>
    search(goal, 1)
      .filter(({ score }) => score >= nearEnough)
      .flatMap(({ playbook, example }) => {
        const inputs = Object.entries(playbook.inputs);
        const values = Object.fromEntries(
          inputs.map(([name, spec]) => [name, spec.default ?? inputSamples[spec.type]]),
        );
        const { plan } = instantiate(playbook, values, {
          goal: example,
          manifests,
          minutes: durationMinutes,
        });
        return plan === null ? [] : [{ goal: example, plan }];
      });
}
