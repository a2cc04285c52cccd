import type { Manifest } from '../core/manifest.ts';
import type { Plan } from '../core/plan.ts';
import { type Parsed, parse } from './parse.ts';
import { goalOf, printBody } from './print.ts';

/** A plan with edited text. The goal stays unless the text names one: it is what the person asked for. */
export function parseRevision(text: string, before: Plan, manifests: ReadonlyMap<string, Manifest>): Parsed {
  const parsed = parse(text, manifests);
  if (parsed.plan === null) return parsed;
  const keeps = isItsOwnGoal(parsed.plan, manifests) && !isItsOwnGoal(before, manifests);
  return keeps ? { plan: { ...parsed.plan, goal: before.goal }, problems: [] } : parsed;
}

/** True for a plan requested in notation: its text is its goal. */
function isItsOwnGoal(plan: Plan, manifests: ReadonlyMap<string, Manifest>): boolean {
  return plan.goal === goalOf(printBody(plan, manifests));
}
