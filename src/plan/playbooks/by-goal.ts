import type { Planner, PlanningInput } from '../../core/planning.ts';
import { isDropped } from '../dropped.ts';
import { nearPlaybook } from './match-goal.ts';
import type { Playbook } from './playbook.ts';
import { createPlaybookSearch } from './search.ts';

/** Maximum examples of playbooks to compare. */
const looked = 12;

/**
 * Plans a goal that resembles a playbook's example from that playbook; anything else goes to `next`. Only vetted plans
 * are matched by resemblance.
 */
export function playbooksByGoal(playbooks: readonly Playbook[], next: Planner): Planner {
  const search = playbooks.length === 0 ? null : createPlaybookSearch(playbooks);
  return {
    plan(input) {
      const isPlain =
        input.change === null && input.replan === null && !input.catalogue.open && !isDropped(input);
      const near =
        search === null || !isPlain
          ? null
          : nearPlaybook(input.goal, search(input.goal, looked), input, givenIn(input));
      if (near === null) return next.plan(input);
      return Promise.resolve({ answer: near, planner: 'playbook', confidence: 0.95, usage: null, notes: [] });
    },
  };
}

const givenIn = ({ answers }: PlanningInput): Map<string, string> =>
  new Map(answers.map(({ missing, answer }) => [missing[0] ?? '', answer.trim()]));
