import { certainReply, type Planner, type PlannerReply, type PlanningInput } from '../core/planning.ts';

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

const reply = (explanation: string): PlannerReply =>
  certainReply({ kind: 'refuse', reason: 'out_of_scope', explanation }, 'offline');
const dropped = reply('OK, dropped.');
/** A request of its own, which may mean anything that is open. */
const nothingDropped = reply(
  'That was a request of its own, so nothing was dropped. Cards, runs and watches go on: /plan mine and /plan watches list them, and “cancel” below a card ends it.',
);

/** Ends a request that its person drops; anything else goes to `next`. */
export function droppedFirst(next: Planner): Planner {
  return {
    plan(input) {
      if (input.change !== null) return next.plan(input);
      if (isDropped(input)) return Promise.resolve(dropped);
      return isOver(input.goal) ? Promise.resolve(nothingDropped) : next.plan(input);
    },
  };
}
