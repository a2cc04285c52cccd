import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { threadRules } from '../../../src/commands/case-threads.ts';
import { reviewDraft } from '../../../src/review/review.ts';
import { parseCases } from '../../../tools/eval/cases.ts';
import { evaluate } from '../../../tools/eval/evaluate.ts';
import { everydayPlanner } from '../../support/everyday.ts';
import { testPolicy } from '../../support/planning.ts';

const folder = new URL('../../../planner/cases/tools/', import.meta.url);

test.each(readdirSync(folder))('%s: people who ask like this get the plan that they mean', async (file) => {
  const report = await evaluate({
    cases: parseCases(readFileSync(new URL(file, folder), 'utf8')),
    planner: everydayPlanner,
    review: reviewDraft,
    threads: threadRules,
    ...{ manifests: allManifests, policy: testPolicy, now: new Date(0), clock: () => 0 },
  });
  expect(report.scores.filter(({ right }) => !right).map(({ id }) => id)).toEqual([]);
});
