import { dependenciesOf } from './graph.ts';
import type { Manifest } from './manifest.ts';
import type { Plan } from './plan.ts';

/**
 * A plan without what the review looked up by itself about its problem: a runbook or an error that no step uses and
 * whose failure holds nothing back. It belongs to the words of that plan alone, and is looked up anew for others.
 */
export function asOrdered(plan: Plan, manifests: ReadonlyMap<string, Pick<Manifest, 'system'>>): Plan {
  const used = new Set(plan.steps.flatMap(dependenciesOf));
  const steps = plan.steps.filter(
    ({ id, tool, onError }) =>
      onError !== 'continue' ||
      used.has(id) ||
      !['errors', 'runbooks'].includes(manifests.get(tool)?.system ?? ''),
  );
  return steps.length === 0 || steps.length === plan.steps.length ? plan : { ...plan, steps };
}
