import { conditionOf } from '../conditions/conditions.ts';
import { withoutQuotes } from '../words/quotes.ts';
import { type DraftStep, readsOf } from './draft.ts';
import { isImpossible } from './guards.ts';
import type { Work } from './work.ts';

/** What a request asks for and takes back in one breath, and the question that settles it. */
interface Conflict {
  readonly question: string;
  /** The steps that go when the answer is to leave it. */
  readonly steps: readonly DraftStep[];
}

export interface OpenConflict {
  readonly question: string;
  readonly missing: 'contradiction' | 'condition';
  readonly options: readonly string[];
}

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

const keepsOpen = /\b(?:keep|leave) (?:it|them|\S+-\d+|the \w+) (?:open|unresolved|unclosed)\b/i;
const staysPut =
  /\b(?:keep|leave|(?:must|should|has to|have to|needs to) (?:stay|remain)|stays|remains) (?:it|them|[A-Z][A-Z0-9]+-\d+|the \w+|its \w+|) ?(?:as |in |at )?(?:unchanged|as is|as it is|untouched|blocked|in progress|done|to do|[A-Z]\w+)/;
/** The same bound twice, once to tell and once not to. */
const twice = /\b((?:more|fewer|less) than|over|under|above|below|at least|at most) (\d+)\b.*\b\1 \2\b/i;
const silence = /\b(?:stay|stays|keep|remain) (?:silent|quiet)\b|\bsay nothing\b/i;
const nothingPosted =
  /\bnothing (?:may|should|must|can|shall|is to) be (?:posted|sent|said)\b|\bno (?:slack )?(?:messages?|posts?) (?:may|should|must|can|at all)\b/i;
const nobodyPaged =
  /\b(?:nobody|no one|no-one) (?:may|should|must|can|shall|is to|has to|gets?) (?:be )?(?:paged|woken|called|woken up)\b/i;

function conflictsOf(work: Work): Conflict[] {
  const goal = withoutQuotes(work.goal);
  const found: Conflict[] = [];
  const add = (holds: boolean, tools: RegExp, question: string): void => {
    const steps = work.steps.filter((step) => tools.test(step.tool));
    if (holds && steps.length > 0) found.push({ question, steps });
  };
  const unconditional = work.steps.every((step) => step.when === null);
  add(
    keepsOpen.test(goal),
    /^(jira\.transition|pagerduty\.resolve)$/,
    'The request says both to close it and to keep it open. Which one is meant?',
  );
  add(
    staysPut.test(goal) && unconditional,
    /^jira\.transition$/,
    'The request says both to move it and to leave it where it is. Which one is meant?',
  );
  add(
    twice.test(goal) && silence.test(goal),
    /^slack\.post$/,
    'The request says both to post it and to stay silent. Which one is meant?',
  );
  const forbidden = work.steps.find(
    ({ tool }) =>
      work.forbidden.has(tool) ||
      (tool === 'pagerduty.page' && nobodyPaged.test(goal)) ||
      (tool === 'slack.post' && nothingPosted.test(goal)),
  );
  if (forbidden) {
    const what = doing[forbidden.tool] ?? forbidden.tool;
    found.push({
      question: `The request says both to ${what} and not to. Which one is meant?`,
      steps: work.steps.filter(({ tool }) => tool === forbidden.tool || work.forbidden.has(tool)),
    });
  }
  return found;
}

/** "More than 10 and fewer than 5": the answer takes the place of the bounds. */
function settleBounds(work: Work): OpenConflict | null {
  const impossible = work.steps.filter((step) => isImpossible(step.when));
  const [first] = impossible;
  if (!first?.when) return null;
  work.lastReads = [...new Set(readsOf(first.when))];
  const answer = work.given.condition ? conditionOf(work.given.condition, false, work) : null;
  if (answer === null || isImpossible(answer))
    return {
      question: 'No number is on both sides of that condition. From which number on should it happen?',
      missing: 'condition',
      options: [],
    };
  for (const step of impossible) step.when = answer;
  return null;
}

/** The question for a request that both asks for and forbids the same thing, or null; an answer settles it. */
export function contradictionIn(work: Work): OpenConflict | null {
  const bounds = settleBounds(work);
  if (bounds) return bounds;
  for (const { question, steps } of conflictsOf(work)) {
    if (work.given.wanted === undefined)
      return { question, missing: 'contradiction', options: ['Do it', 'Leave it'] };
    const left = work.given.wanted ? work.steps : work.steps.filter((step) => !steps.includes(step));
    work.steps.splice(0, work.steps.length, ...left);
  }
  return null;
}
