import type { PlanDraft } from '../../src/core/plan.ts';

type StepDraft = PlanDraft['steps'][number];

export const countStep: StepDraft = {
  id: 'count',
  tool: 'jira.count',
  why: 'how many are open',
  args: { project: 'OPS', priority: 'P1', status: 'open' },
  needs: [],
};
export const slaStep: StepDraft = {
  id: 'sla',
  tool: 'sla.threshold',
  why: 'how many are allowed',
  args: { project: 'OPS', priority: 'P1' },
  needs: [],
};
export const pageStep: StepDraft = {
  id: 'page',
  tool: 'pagerduty.page',
  why: 'the SLA is breached',
  when: 'count.total > sla.max_open',
  args: {
    service: 'ops',
    text: ['OPS has ', { ref: 'count.total' }, ' open P1 tickets; the SLA allows ', { ref: 'sla.max_open' }],
  },
  needs: ['count', 'sla'],
};

/** The main job: count, compare with the SLA, page when breached. */
export function slaPlan(steps: StepDraft[] = [countStep, slaStep, pageStep]): PlanDraft {
  return {
    goal: 'Check Jira ticket count, compare with SLA, and notify on-call engineer if breached',
    summary: 'Page ops if OPS has more open P1 tickets than its SLA allows',
    steps,
  };
}
