import type { PlanDraft } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';

/** A planner that can be stopped. Throws when it has no answer; see each implementation for its errors. */
export interface StoppablePlanner extends Planner {
  plan(input: PlanningInput, signal?: AbortSignal): Promise<PlannerReply>;
}

/** A vetted plan that resembles the goal, shown to the model as an example of form. */
export interface ExamplePlan {
  readonly goal: string;
  readonly plan: PlanDraft;
}

/** Playbooks that match the goal, best first; empty when none does. */
export type FindExamples = (input: PlanningInput) => readonly ExamplePlan[];

/**
 * Money spent on models. A plan's cost is in `PlannerReply.usage`, even if the model was no help; callers of the
 * planner store it, and this reads it back.
 */
export interface ModelBudget {
  /** US dollars since 00:00 UTC of the day of `now`, for all model calls. */
  spentToday(now: Date): Promise<number>;
}
