import type { PlannerAnswer, RefuseReason } from '../core/answer.ts';
import type { PlannedBy } from '../core/plan.ts';
import type { Via } from '../core/request.ts';
import type { RevisionState } from '../core/revision.ts';
import type { RunMode, RunOutcome, StepStatus } from '../core/run.ts';

/** Every member of a union; a missing one does not compile. */
function every<T extends string>(members: Readonly<Record<T, true>>): readonly T[] {
  const isMember = (name: string): name is T => name in members;
  return Object.keys(members).filter(isMember);
}

/** Possible label values. Their series start at 0, so that the first event of a kind counts, too. */
export const vias = every<Via>({
  ...{ command: true, mention: true, shortcut: true, schedule: true, agent: true, button: true },
  ...{ alert: true },
});
export const planners = every<PlannedBy>({ offline: true, model: true, playbook: true, person: true });
export const answers = every<PlannerAnswer['kind']>({ plan: true, clarify: true, refuse: true });
export const refusals = every<RefuseReason>({
  ...{
    no_tool: true,
    not_understood: true,
    out_of_scope: true,
    dangerous: true,
    injection: true,
    not_configured: true,
  },
});
export const decisions = every<Exclude<RevisionState, 'proposed' | 'answered'>>({
  ...{ approved: true, rejected: true, expired: true, superseded: true, cancelled: true },
});
export const outcomes = every<RunOutcome>({
  ...{ done: true, partly: true, failed: true, unknown: true, cancelled: true },
});
export const modes = every<RunMode>({ run: true, read: true, dry_run: true });
export const statuses = every<StepStatus>({ succeeded: true, failed: true, skipped: true, unknown: true });
