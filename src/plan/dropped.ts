import { certainReply, type Planner, type PlannerReply, type PlanningInput } from '../core/planning.ts';
import { isOver } from '../core/request.ts';

/** Whether the last answer ends the request, whatever the question was. */
export function isDropped({ answers }: PlanningInput): boolean {
  const last = answers.at(-1)?.answer;
  return last !== undefined && isOver(last);
}

const dropped: PlannerReply = certainReply(
  { kind: 'refuse', reason: 'out_of_scope', explanation: 'OK, dropped.' },
  'offline',
);

/** Ends a request that its person drops; anything else goes to `next`. */
export function droppedFirst(next: Planner): Planner {
  return {
    plan(input) {
      if (input.change !== null) return next.plan(input);
      return isDropped(input) ? Promise.resolve(dropped) : next.plan(input);
    },
  };
}
