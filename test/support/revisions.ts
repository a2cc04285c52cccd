import { basisOf } from '../../src/approval/basis.ts';
import { type PlanDraft, planSchema } from '../../src/core/plan.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Facts } from '../../src/core/read-results.ts';
import { type Revision, type Sealed, seal } from '../../src/core/revision.ts';
import type { StepResult } from '../../src/core/run.ts';
import type { ResolvedTarget } from '../../src/core/tool.ts';
import { testCatalogue, testPolicy } from './catalogue.ts';
import { countStep, pageStep, slaPlan, slaStep } from './plans.ts';

export const pagesAna: ResolvedTarget = {
  step: 'page',
  arg: 'service',
  kind: 'service',
  value: 'ops',
  label: 'pages Ana Ruiz, on call for ops until 18:00 UTC',
  identity: 'PANA01',
};

/** Other values of what is sealed, and the rules it is sealed under. */
type Changes = Partial<Omit<Sealed, 'policy'>> & { readonly policy?: Policy };

/** A sealed revision of a plan, asked for by Ben at noon, open for half an hour. */
export function revisionOf(draft: PlanDraft, { policy = testPolicy, ...change }: Changes = {}): Revision {
  const plan = planSchema.parse(draft);
  const of = { plan, targets: change.targets ?? [] };
  return seal({
    format: 1,
    teamId: 'T0SANDBOX',
    requestId: 'req-1',
    number: 1,
    requester: 'U0BEN',
    authors: ['U0BEN'],
    plan,
    ...basisOf(of, { catalogue: testCatalogue(), policy }),
    targets: [],
    planner: 'offline',
    notes: [],
    estimate: { p50Ms: null, p95Ms: null, usd: 0 },
    createdAt: '2026-03-02T12:00:00.000Z',
    expiresAt: '2026-03-02T12:30:00.000Z',
    ...change,
  });
}

/** The main job, with a guessed project and an estimate. */
export function slaRevision(change: Changes = {}): Revision {
  const inputs = [
    { name: 'project', value: 'OPS', source: 'default' as const },
    { name: 'priority', value: 'P1', source: 'default' as const },
  ];
  return revisionOf(
    { ...slaPlan(), inputs },
    { targets: [pagesAna], estimate: { p50Ms: 2_100, p95Ms: 5_200, usd: 0.0021 }, ...change },
  );
}

/** The results of its reads, so that each of its writes would be made. */
export function wouldWrite({ sealed }: Revision): Facts {
  const { manifests } = testCatalogue();
  const at = sealed.createdAt;
  return sealed.plan.steps.map(({ id: stepId, tool }): StepResult => {
    const about = { stepId, tool, attempts: 1, startedAt: at, finishedAt: at };
    if (manifests.get(tool)?.effect === 'read')
      return { ...about, status: 'succeeded', result: { total: 24, max_open: 20 }, reason: null };
    return { ...about, status: 'skipped', result: null, reason: { code: 'dry_run', message: 'described' } };
  });
}

/** Twelve steps, five of which write. */
export function longPlan(): PlanDraft {
  const reads = Array.from({ length: 7 }, (_, index) => ({
    ...countStep,
    id: `count_${index + 1}`,
    args: { project: 'OPS', priority: `P${(index % 5) + 1}`, status: 'open', window: 'P1D' },
    why: 'how many came in today',
  }));
  const posts = ['ops', 'general'].map((channel, index) => ({
    id: `post_${index + 1}`,
    tool: 'slack.post',
    why: 'everybody should know',
    when: `count_${index + 1}.total > 10`,
    args: { channel: `#${channel}`, text: ['P1 today: ', { ref: 'count_1.total' }, '.'] },
    needs: [`count_${index + 1}`],
    onError: 'continue' as const,
  }));
  const rest = [
    { ...slaStep, id: 'sla' },
    { ...pageStep, id: 'page', when: 'count_1.total > sla.max_open', needs: ['count_1', 'sla'] },
    {
      id: 'ticket',
      tool: 'jira.create',
      why: 'to follow it up',
      args: { project: 'OPS', summary: 'Too many P1 tickets today', priority: 'P2', type: 'Task' },
      needs: ['page'],
    },
  ].map((step) => ({
    ...step,
    args: JSON.parse(JSON.stringify(step.args).replaceAll('count.total', 'count_1.total')),
  }));
  return {
    goal: 'Count what came in today for every priority, tell #ops and #general when it is a lot, page ops when the SLA is breached and open a follow-up ticket',
    summary: 'Count today’s tickets by priority, announce and page when there are too many',
    assumptions: ['Today means the last 24 hours.'],
    steps: [...reads, ...posts, ...rest],
    success: ['count_1.total >= 0'],
  };
}
