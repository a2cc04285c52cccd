import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allManifests } from '../../manifests/all.ts';
import { parseCases } from '../../src/eval/cases.ts';
import { evaluate } from '../../src/eval/evaluate.ts';
import { createOfflinePlanner } from '../../src/plan/offline/planner.ts';
import { testPolicy } from '../support/planning.ts';

const folder = new URL('cases/tools/', import.meta.url);

test.each(readdirSync(folder))('%s: people who ask like this get the plan that they mean', async (file) => {
  const report = await evaluate({
    cases: parseCases(readFileSync(new URL(file, folder), 'utf8')),
    planner: createOfflinePlanner({ playbooks: [] }),
    ...{ manifests: allManifests, policy: testPolicy, now: new Date(0), clock: () => 0, pressButtons: false },
  });
  expect(report.scores.filter(({ right }) => !right).map(({ id }) => id)).toEqual([]);
});
