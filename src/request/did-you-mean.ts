import type { PlannerAnswer } from '../core/answer.ts';
import { suggest } from '../core/suggest.ts';
import { ways } from './help.ts';

/** A word after `/plan` that was probably meant as one of the bot's own, or as a plan's id. */
export type Misread =
  | { readonly kind: 'word'; readonly typed: string; readonly meant: string }
  | { readonly kind: 'id'; readonly typed: string };

const words = ways
  .flatMap(({ typed }) => typed.map((each) => each.split(' ')[1] ?? ''))
  .filter((word) => /^[a-z-]+$/.test(word));
/** "cancel it" drops the request. */
const isPronoun = /^(?:it|that|this|them|all)$/i;
const withId = /^(?:show|stop|cancel|break[ -]?glass)\s+(?:(?:plan|run)\s+)?(\S+)$/i;

/** The likely intention of a goal that a planner could not, or barely, understand; null for any other goal. */
export function misread(goal: string, answer: PlannerAnswer): Misread | null {
  if (answer.kind === 'plan' || (answer.kind === 'clarify' && !isLost(answer))) return null;
  const id = withId.exec(goal)?.[1];
  if (id !== undefined && !isPronoun.test(id)) return { kind: 'id', typed: id };
  if (answer.kind === 'refuse') return null;
  const meant = /^[a-z-]+$/i.test(goal) ? suggest(goal, words) : null;
  return meant === null ? null : { kind: 'word', typed: goal, meant };
}

const isLost = ({ missing, options }: Extract<PlannerAnswer, { kind: 'clarify' }>): boolean =>
  missing[0] === 'goal' && options.length === 0;
