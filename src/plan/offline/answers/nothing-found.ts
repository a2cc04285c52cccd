import type { Catalogue } from '../../../core/catalogue.ts';
import type { Reading } from '../words/normalise.ts';
import { lineOf } from '../words/token.ts';
import { type Answered, asked, refused } from './answers.ts';
import { noToolFor, outOfScopeFor } from './refusals.ts';

const domain =
  /\b(ticket|bug|story|incident|pagerduty|on-call|runbook|error|exception|code|sla|threshold|breached|log|splunk|kql|sql|summary|note|page|notify|comment|status|service|project|channel|label|assignee|alert|outage|deploy|server|database|it|that|this|thing|something|everything|someone|escalate|find|again|problem|help|usual|ok|one|same|open|tool|tools|up|down)\b|§(?!num|quote|dur)/;

/** A whole sentence without a word of this trade and without anything that could point to it. */
function isForeignTalk(reading: Reading): boolean {
  const words = reading.tokens.filter((token) => token.kind === 'word');
  const points = /\b(?:same|again|last time|note|comment|page|tell|close|it|that|them)\b/i.test(reading.goal);
  return words.length >= 3 && reading.understood >= 0.4 && !points && !domain.test(lineOf(reading.tokens));
}

/** A sentence in English without a name, a number or a pointer in it, of which nothing could be read. */
function namesNothing(reading: Reading): boolean {
  const words = reading.tokens.filter((token) => token.kind === 'word');
  const things = reading.tokens.some((token) => !/^(word|mark|number)$/.test(token.kind));
  const points = /\b(?:same|again|last time|help|thing|it|that|this|those|them|usual|note|comment)\b/i.test(
    reading.goal,
  );
  const told = /\b(?:told|tell|informed|someone|somebody|anyone|page|paged|notified)\b/i.test(reading.goal);
  return (
    !told && reading.language === 'en' && reading.understood >= 0.4 && words.length >= 4 && !things && !points
  );
}

export const englishBest = 'I read English best. Could you say in English what should be looked up or done?';

/** Most of the words are of no language known here: what was found in them may not be what is meant. */
export function isUnread(reading: Reading): boolean {
  const words = reading.tokens.filter(
    (token) => token.kind === 'word' && token.start !== token.end && /^\p{Ll}{2,}$/u.test(token.raw),
  );
  return reading.language === 'en' && reading.understood < 0.4 && words.length >= 3;
}

/** Nothing in the goal could be planned: an honest answer about why. */
export function nothingFound(reading: Reading, { manifests }: Catalogue): Answered {
  const scope = outOfScopeFor(reading.goal) ?? noToolFor(reading.goal, manifests.keys());
  if (scope) return refused(scope, 0.8);
  if (isForeignTalk(reading) || namesNothing(reading)) {
    const explanation =
      'That is outside of what this bot does: it plans incident work with tickets, on-call, incidents, logs, runbooks and messages.';
    return refused({ reason: 'out_of_scope', explanation }, 0.6);
  }
  if (reading.language === 'en' && reading.understood < 0.5) {
    return asked(englishBest, ['goal'], [], 0.3);
  }
  return asked(
    'What should be looked up or done? For example: count open P1 tickets in a project, or page a service.',
    ['goal'],
    [],
    0.3,
  );
}
