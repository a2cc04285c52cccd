import type { PlanningInput } from '../core/planning.ts';
import type { Request } from '../core/request.ts';
import type { World } from '../app/world.ts';

/** What a planner is told about a request, and beside it what came of it so far. */
export function planningInput(
  { catalogue, policy, now }: World,
  { goal, quoted }: Request,
  so: Partial<Pick<PlanningInput, 'answers' | 'change' | 'replan'>>,
): PlanningInput {
  return { goal, quoted, catalogue, policy, answers: [], change: null, replan: null, ...so, now: now() };
}
