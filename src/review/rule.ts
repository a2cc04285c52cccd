import type { Catalogue } from '../core/catalogue.ts';
import type { Scope } from '../core/condition.ts';
import type { Finding } from '../core/finding.ts';
import { graphOf, type Node } from '../core/graph.ts';
import type { Plan } from '../core/plan.ts';
import type { Policy } from '../core/policy.ts';
import { vocabularyOf } from '../core/step-words.ts';

/** A plan under review with the data that rules need. */
export interface Subject {
  readonly plan: Plan;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Slack id of the channel whose thread reports the results, or null if unknown. */
  readonly home: string | null;
  /** Manifests of the steps by step id; a step with an unknown tool is missing. */
  readonly scope: Scope;
  /** Steps with declared and implied dependencies. */
  readonly graph: readonly Node[];
}

/** The basis of a review. */
export interface Against {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly home?: string | null;
}

/** One rule, which returns its findings. A rule never throws on a plan that has passed the schema. */
export type Rule = (subject: Subject) => Finding[];

export function subjectOf(plan: Plan, { catalogue, policy, home = null }: Against): Subject {
  const { scope } = vocabularyOf(plan.steps, catalogue.manifests);
  return { plan, catalogue, policy, home, scope, graph: graphOf(plan.steps) };
}
