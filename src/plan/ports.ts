import type { PlanDraft } from '../core/plan.ts';
import type { ModelUsage, Planner, PlannerReply, PlanningInput } from '../core/planning.ts';

/** A planner that can be told to stop. Throws when it has no answer; see each implementation for its errors. */
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

/** Money spent on models. */
export interface ModelBudget {
  /** US dollars since 00:00 UTC of the day of `now`, by everything that asks a model. */
  spentToday(now: Date): Promise<number>;
  /** Called once for every answer of a model planner, also when it was of no use. */
  record(usage: ModelUsage, now: Date): Promise<void>;
}
