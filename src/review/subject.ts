import type { Catalogue } from '../core/catalogue.ts';
import type { Scope } from '../core/condition.ts';
import type { Finding } from '../core/finding.ts';
import { graphOf, type Node } from '../core/graph.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import type { Policy } from '../core/policy.ts';

/** A plan under review with what the rules look things up in. */
export interface Subject {
  readonly plan: Plan;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Manifests of the steps by step id; a step with an unknown tool is not in it. */
  readonly scope: Scope;
  /** Steps with declared and implied dependencies. */
  readonly graph: readonly Node[];
}

/** One rule: what it finds wrong. A rule never throws on a plan that has passed the schema. */
export type Rule = (subject: Subject) => Finding[];

export function subjectOf(plan: Plan, catalogue: Catalogue, policy: Policy): Subject {
  const scope = new Map<string, Manifest>();
  for (const step of plan.steps) {
    const manifest = catalogue.manifests.get(step.tool);
    if (manifest) scope.set(step.id, manifest);
  }
  return { plan, catalogue, policy, scope, graph: graphOf(plan.steps) };
}
