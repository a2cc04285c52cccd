import type { PlannerAnswer } from '../core/answer.ts';
import { suggest } from '../core/suggest.ts';
import { ways } from './ways.ts';

/** A word after `/plan` that was probably meant as one of the bot's own, or as the id of a plan. */
export type Misread =
  | { readonly kind: 'word'; readonly typed: string; readonly meant: string }
  | { readonly kind: 'id'; readonly typed: string };

const words = ways
  .flatMap(({ typed }) => typed.map((each) => each.split(' ')[1] ?? ''))
  .filter((word) => /^[a-z-]+$/.test(word));
const withId = /^(?:show|stop|cancel|break[ -]?glass)\s+(?:(?:plan|run)\s+)?(\S+)$/i;

/** What a goal was meant as of which a planner understood nothing; null for a goal like any other. */
export function misread(goal: string, answer: Extract<PlannerAnswer, { kind: 'clarify' }>): Misread | null {
  if (answer.missing[0] !== 'goal' || answer.options.length > 0) return null;
  const id = withId.exec(goal)?.[1];
  if (id !== undefined) return { kind: 'id', typed: id };
  const meant = /^[a-z-]+$/i.test(goal) ? suggest(goal, words) : null;
  return meant === null ? null : { kind: 'word', typed: goal, meant };
}
