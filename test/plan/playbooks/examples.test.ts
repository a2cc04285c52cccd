import { expect, test } from 'vitest';
import { allManifests } from '../../../manifests/all.ts';
import { loadPlaybooks } from '../../../src/plan/playbooks/load.ts';
import { findExamples } from '../../../src/plan/playbooks/match-goal.ts';
import { planningInput } from '../../support/planning.ts';

test('a model gets the playbook nearest to a goal as an example with sample values, or none', () => {
  const find = findExamples(loadPlaybooks('playbooks', allManifests));
  const [example] = find(
    planningInput('compare the open tickets of PAY with the SLA and page on-call when breached'),
  );
  expect(example?.plan.steps.map(({ tool }) => tool)).toEqual([
    'jira.count',
    'sla.threshold',
    'pagerduty.page',
  ]);
  expect(JSON.stringify(example?.plan)).not.toMatch(/\{(project|priority|service)\}/);
  expect(find(planningInput('zzz qqq'))).toEqual([]);
});
