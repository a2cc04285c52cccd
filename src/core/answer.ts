import type { Plan } from './plan.ts';

export type RefuseReason = 'no_tool' | 'out_of_scope' | 'dangerous' | 'injection' | 'not_configured';

/** What a planner may answer: a plan, one question, or a refusal with its reason. */
export type PlannerAnswer =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | {
      readonly kind: 'clarify';
      /** One question in plain words. */
      readonly question: string;
      /** What is missing: `service`, `threshold`, `ticket` … */
      readonly missing: readonly string[];
      /** Likely answers, at most five, each at most 75 characters (they become buttons). */
      readonly options: readonly string[];
    }
  | {
      readonly kind: 'refuse';
      readonly reason: RefuseReason;
      /** Why, and the nearest thing that is possible. */
      readonly explanation: string;
    };
