import { cut, oneLine } from '../core/clean-text.ts';
import { type Plan, planLimits, type Step } from '../core/plan.ts';
import type { PlanningInput } from '../core/planning.ts';
import { flat, requested } from './account.ts';
import { emptyWords, isVagueAmount } from './everyday/empty-words.ts';
import { denies, stem, stemsOf } from './everyday/negations.ts';
import { tokenize } from './everyday/tokens.ts';

/** The parts of a request that a plan says it leaves out, from plan to plan. */

/** The plan with the parts that it leaves out, and no others. */
export function withOmissions(plan: Plan, left: readonly string[]): Plan {
  const { omitted: _omitted, ...rest } = plan;
  const all = left.map((one) => cut(oneLine(one).trim(), planLimits.omitted));
  const omitted = [...new Set(all)]
    .filter((one) => one !== '' && !all.some((other) => other !== one && other.includes(one)))
    .slice(0, planLimits.omissions);
  return omitted.length === 0 ? rest : { ...rest, omitted };
}

/** Those of the parts that the person said, apart from spaces and capitals. */
export function saidParts(parts: readonly string[], input: PlanningInput): string[] {
  const said = flat(`${requested(input)}. ${input.change?.words ?? ''}`);
  return parts.filter((part) => said.includes(flat(part)));
}

/**
 * A changed plan with what it leaves out: parts of the words that changed it, and what the plan before it left out, unless
 * those words or the steps that they changed say it, or give the number that it lacked.
 */
export function stillOmitting(was: Plan, now: Plan, words: string, isRestated: boolean): Plan {
  const before = was.omitted ?? [];
  const own = (now.omitted ?? []).filter((part) => isRestated || !before.includes(part));
  const calls = new Set(was.steps.map(callOf));
  const said = own.reduce((text, part) => text.replace(part, ' '), words);
  const brought = stemsOf([said, ...now.steps.map(callOf).filter((call) => !calls.has(call))]);
  const hasNewBound = !boundsOf(now).isSubsetOf(boundsOf(was));
  const isLeft = (part: string): boolean => {
    const telling = tokenize(part).filter(
      (token) => token.kind !== 'mark' && !emptyWords.has(token.low) && !denies(token),
    );
    if (hasNewBound && telling.every(({ low }) => isVagueAmount(low))) return false;
    return telling.length === 0 || telling.some(({ low }) => !brought.has(stem(low)));
  };
  return withOmissions(now, [...before.filter(isLeft), ...own]);
}

const callOf = ({ tool, args, when = '' }: Step): string => [tool, JSON.stringify(args), when].join(' ');

/** The numbers of all conditions. */
const boundsOf = ({ steps }: Plan): Set<string> =>
  new Set(steps.flatMap(({ when = '' }) => when.match(/\b\d+/gu) ?? []));
