import { withoutQuotes } from '../words/quotes.ts';
import { isImpossible } from './guards.ts';
import type { Work } from './work.ts';

const doing: Readonly<Record<string, string>> = {
  'jira.comment': 'comment',
  'jira.transition': 'move a ticket',
  'jira.create': 'create a ticket',
  'pagerduty.page': 'page',
  'pagerduty.note': 'add a note',
  'pagerduty.ack': 'acknowledge',
  'pagerduty.resolve': 'resolve',
  'slack.post': 'post',
};

/** The question for a request that both asks for and forbids the same thing, or null. */
export function contradictionIn(work: Work): string | null {
  const closes = work.steps.some((step) => /^(jira\.transition|pagerduty\.resolve)$/.test(step.tool));
  if (
    closes &&
    /\b(?:keep|leave) (?:it|them|\S+-\d+|the \w+) (?:open|unresolved|unclosed)\b/i.test(
      withoutQuotes(work.goal),
    )
  ) {
    return 'The request says both to close it and to keep it open. Which one is meant?';
  }
  const moves = work.steps.some((step) => step.tool === 'jira.transition');
  if (
    moves &&
    /\b(?:keep|leave|(?:must|should|has to|have to|needs to) (?:stay|remain)|stays|remains) (?:it|them|[A-Z][A-Z0-9]+-\d+|the \w+|its \w+|) ?(?:as |in |at )?(?:unchanged|as is|as it is|untouched|blocked|in progress|done|to do|[A-Z]\w+)/.test(
      withoutQuotes(work.goal),
    ) &&
    !work.steps.some((step) => step.when !== null)
  )
    return 'The request says both to move it and to leave it where it is. Which one is meant?';
  if (work.steps.some((step) => isImpossible(step.when)))
    return 'No number is on both sides of that condition. From which number on should it happen?';
  // The same bound twice, once to tell and once not to.
  const plain = withoutQuotes(work.goal);
  const twice =
    /\b((?:more|fewer|less) than|over|under|above|below|at least|at most) (\d+)\b.*\b\1 \2\b/i.test(plain) &&
    /\b(?:stay|stays|keep|remain) (?:silent|quiet)\b|\bsay nothing\b/i.test(plain);
  if (twice && work.steps.some((step) => step.tool === 'slack.post'))
    return 'The request says both to post it and to stay silent. Which one is meant?';
  const silent =
    /\bnothing (?:may|should|must|can|shall|is to) be (?:posted|sent|said)\b|\bno (?:slack )?(?:messages?|posts?) (?:may|should|must|can|at all)\b/i.test(
      withoutQuotes(work.goal),
    );
  const asleep =
    /\b(?:nobody|no one|no-one) (?:may|should|must|can|shall|is to|has to|gets?) (?:be )?(?:paged|woken|called|woken up)\b/i.test(
      withoutQuotes(work.goal),
    );
  const both = work.steps.find(
    (step) =>
      work.forbidden.has(step.tool) ||
      (asleep && step.tool === 'pagerduty.page') ||
      (silent && step.tool === 'slack.post'),
  );
  if (!both) return null;
  if (work.given.wanted === true) return null;
  if (work.given.wanted === false) {
    const left = work.steps.filter((step) => !work.forbidden.has(step.tool));
    work.steps.splice(0, work.steps.length, ...left);
    return null;
  }
  const what = doing[both.tool] ?? both.tool;
  return `The request says both to ${what} and not to. Which one is meant?`;
}
