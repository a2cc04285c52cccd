import type { Blank } from './missing-input.ts';
import type { Plan } from './plan.ts';

export type RefuseReason =
  | 'no_tool'
  | 'not_understood'
  | 'out_of_scope'
  | 'dangerous'
  | 'injection'
  | 'not_configured';

/** A reading of the request that the planner was not sure enough to return as the plan. */
export interface Offer {
  /** Exactly one of the `options` of the question. */
  readonly option: string;
  readonly plan: Plan;
}

/** A planner's answer: a plan, one question, or a refusal with its reason. */
export type PlannerAnswer =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | {
      readonly kind: 'clarify';
      /** One question in plain words. */
      readonly question: string;
      /** The missing pieces: `service`, `threshold`, `ticket` … */
      readonly missing: readonly string[];
      /** Likely answers, at most five, each at most 75 characters (they become buttons). */
      readonly options: readonly string[];
      /** Plans that are ready behind an option: choosing it shows the plan instead of asking again. */
      readonly offers?: readonly Offer[];
      /** The plan that only lacks this answer. */
      readonly blank?: Blank;
    }
  | {
      readonly kind: 'refuse';
      readonly reason: RefuseReason;
      /** Why, and the nearest thing that is possible. */
      readonly explanation: string;
    };
