import type { PlannerAnswer } from '../../../core/answer.ts';
import type { Refusal } from './refusals.ts';

export interface Answered {
  readonly answer: PlannerAnswer;
  readonly confidence: number;
  /** Set for a plan that was taken from a vetted one. */
  readonly planner?: 'playbook';
}

export function refused(refusal: Refusal, confidence: number): Answered {
  return { answer: { kind: 'refuse', ...refusal }, confidence };
}

export function asked(
  question: string,
  missing: readonly string[],
  options: readonly string[],
  confidence: number,
): Answered {
  const short = options.filter((option) => option.length <= 75).slice(0, 5);
  return { answer: { kind: 'clarify', question, missing, options: short }, confidence };
}
