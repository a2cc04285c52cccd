import type { Manifest } from '../manifest.ts';
import type { Plan } from '../plan.ts';
import { type Parsed, parse } from './parse.ts';
import { goalOf, printBody } from './print.ts';

/** A plan whose text was changed. Unless the text names a goal, the goal stays: it is what somebody asked for. */
export function parseRevision(text: string, before: Plan, manifests: ReadonlyMap<string, Manifest>): Parsed {
  const parsed = parse(text, manifests);
  if (parsed.plan === null) return parsed;
  const keeps = isItsOwnGoal(parsed.plan, manifests) && !isItsOwnGoal(before, manifests);
  return keeps ? { plan: { ...parsed.plan, goal: before.goal }, problems: [] } : parsed;
}

/** True for a plan that was asked for in notation: its text is its goal. */
function isItsOwnGoal(plan: Plan, manifests: ReadonlyMap<string, Manifest>): boolean {
  return plan.goal === goalOf(printBody(plan, manifests));
}
