import type { PlannerAnswer } from '../../core/answer.ts';
import type { Catalogue } from '../../core/catalogue.ts';
import type { Plan } from '../../core/plan.ts';
import type { PlannerReply } from '../../core/planning.ts';
import { asking } from './questions.ts';

export type Reply = Pick<PlannerReply, 'answer' | 'confidence'> & Partial<Pick<PlannerReply, 'planner'>>;

export const ask = (words: string, missing: string, confidence: number): Reply => ({
  answer: asking(words, missing),
  confidence,
});

/** Why a plan cannot run here: a tool that is not configured, or that this installation does not have. */
export function unavailable(plan: Plan, { manifests, unconfigured }: Catalogue): PlannerAnswer | null {
  const lacking = plan.steps.find(({ tool }) => !manifests.has(tool))?.tool;
  if (lacking === undefined) return null;
  const settings = unconfigured.get(lacking);
  if (settings !== undefined)
    return { kind: 'refuse', reason: 'not_configured', explanation: `${lacking} needs ${settings}.` };
  const explanation = `${lacking} is not part of this installation. Type /plan help to see what is.`;
  return { kind: 'refuse', reason: 'no_tool', explanation };
}
