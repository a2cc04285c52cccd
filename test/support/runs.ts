import { basisOf } from '../../src/approval/basis.ts';
import { type Plan, type PlanDraft, planSchema } from '../../src/core/plan.ts';
import { type Sealed, seal } from '../../src/core/revision.ts';
import { decide } from '../../src/store/decide.ts';
import { propose } from '../../src/store/propose.ts';
import type { RunKey } from '../../src/store/runs.ts';
import type { Db } from '../../src/store/tables.ts';
import { testCatalogue, testPolicy } from './catalogue.ts';
import { givenRequest, minutes, TEAM } from './store.ts';

export const REQUESTER = 'U0BEN';
export const APPROVER = 'U0CHIARA';

/** Two people more than in the catalogue of other tests, so that names show in messages. */
export const runCatalogue = testCatalogue({
  people: [
    { handle: 'ana', id: 'U0ANA' },
    { handle: 'ben', id: REQUESTER },
    { handle: 'chiara', id: APPROVER },
  ],
});

export const runPolicy = testPolicy;

export function planOf(steps: PlanDraft['steps'], more: Partial<PlanDraft> = {}): Plan {
  return planSchema.parse({ goal: 'Check OPS against the SLA', summary: 'Check and page', steps, ...more });
}

/** Count, compare, page: the plan that most people start with. */
export function slaPlan(more: Partial<PlanDraft> = {}): Plan {
  return planOf(
    [
      { id: 'count', tool: 'jira.count', why: 'to compare', args: { project: 'OPS', priority: 'P1' } },
      { id: 'sla', tool: 'sla.threshold', why: 'to compare', args: { project: 'OPS', priority: 'P1' } },
      {
        id: 'page',
        tool: 'pagerduty.page',
        why: 'they have to know',
        needs: ['count', 'sla'],
        when: 'count.total > sla.max_open',
        args: {
          service: 'ops',
          text: [
            'OPS has ',
            { ref: 'count.total' },
            ' open P1 tickets; the SLA allows ',
            { ref: 'sla.max_open' },
          ],
        },
      },
    ],
    more,
  );
}

/** A plan as it was sealed, two minutes after noon, by somebody who may. */
export function sealedOf(id: string, plan: Plan, changes: Partial<Sealed> = {}): Sealed {
  return {
    format: 1,
    teamId: TEAM,
    requestId: id,
    number: 1,
    requester: REQUESTER,
    authors: [REQUESTER],
    plan,
    ...basisOf({ plan, targets: [] }, { catalogue: runCatalogue, policy: runPolicy }),
    targets: [],
    planner: 'offline',
    notes: [],
    estimate: { p50Ms: null, p95Ms: null, usd: 0 },
    createdAt: minutes(1).toISOString(),
    expiresAt: minutes(30).toISOString(),
    ...changes,
  };
}

/** Stores a request with this plan and has it approved; the run is stored and waits to be started. */
export async function approvedRun(
  db: Db,
  id: string,
  plan: Plan,
  changes: Partial<Sealed> = {},
): Promise<RunKey & { digest: string }> {
  const { digest } = await proposed(db, id, plan, changes);
  const about = { teamId: TEAM, requestId: id, number: 1, digest, reason: null };
  const runId = `run-${id}-1`;
  const decided = await decide(db, { ...about, to: 'approved', by: APPROVER, now: minutes(2), runId });
  if (!decided.ok) throw new Error(`the approval was refused: ${decided.why}`);
  return { teamId: TEAM, runId, digest };
}

/** Stores a request with this plan as a revision that waits for a decision. */
export async function proposed(
  db: Db,
  id: string,
  plan: Plan,
  changes: Partial<Sealed> = {},
): Promise<{ digest: string }> {
  await givenRequest(db, id, { requester: REQUESTER });
  const { sealed, bytes, digest } = seal(sealedOf(id, plan, changes));
  const times = { createdAt: minutes(1), expiresAt: new Date(sealed.expiresAt) };
  const about = { teamId: TEAM, requestId: id, number: 1, digest, bytes, authors: sealed.authors };
  await propose(db, {
    ...about,
    targets: [],
    nudgeAt: null,
    origin: { planner: 'offline' },
    ...times,
    actor: REQUESTER,
    cause: id,
  });
  return { digest };
}

/** Caps that are out of the way of tests which write a lot. */
export const roomyPolicy = {
  ...runPolicy,
  caps: { ...runPolicy.caps, pagesPerHour: 1_000, postsPerHour: 1_000 },
};
