/** Why: a right plan that is written with another tool's name counts as a wrong one. */
import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { predictionOf } from '../../../tools/eval/vocabulary.ts';

test('a step has the name that the cases give its tool', () => {
  const steps = allManifests.map(({ name }, at) => ({
    ...{ id: `step_${at}`, tool: name, why: 'w', args: {}, needs: [] },
    ...({ onError: 'stop', onSkip: 'skip' } as const),
  }));
  const plan = { goal: 'g', summary: 's', inputs: [], assumptions: [], success: [], steps };
  const prediction = predictionOf('x', { kind: 'plan', plan });
  expect(prediction.steps.map(({ tool }) => tool)).toEqual(allManifests.map(({ name }) => name));
});
