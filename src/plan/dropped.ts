import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';

/** "never mind", "forget it", "schon gut": the request is dropped. */
const over =
  /^(?:(?:ok(?:ay)?|ah|oh|no|well|please|thanks|thx)[\s,.!]+)?(?:never\s?mind|nvm|forget (?:it|that|about it)|drop it|scrap (?:it|that)|cancel(?: (?:it|that|this))?|not needed(?: any ?more)?|leave it|stop|vergiss es|egal|schon gut|laisse tomber|oublie|olvídalo|déjalo|deixa|esquece)(?:[\s,.!]+(?:please|thanks|thx|then|for now|danke|merci|gracias|obrigad[oa]))*[\s.!]*$/iu;
/** Longer texts say more than that. */
const maxLength = 80;

/** Whether the words only drop the request. */
export const isOver = (words: string): boolean => words.length < maxLength && over.test(words.trim());

/** Whether the last answer ends the request, whatever the question was. */
export function isDropped({ answers }: PlanningInput): boolean {
  const last = answers.at(-1)?.answer;
  return last !== undefined && isOver(last);
}

const dropped: PlannerReply = {
  answer: { kind: 'refuse', reason: 'out_of_scope', explanation: 'OK, dropped.' },
  ...{ planner: 'offline', confidence: 1, usage: null, notes: [] },
};

/** Ends a request that its person drops; anything else goes to `next`. */
export function droppedFirst(next: Planner): Planner {
  return {
    plan(input) {
      const isTakenBack = input.change === null && (isDropped(input) || isOver(input.goal));
      return isTakenBack ? Promise.resolve(dropped) : next.plan(input);
    },
  };
}
