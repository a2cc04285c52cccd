import { type DraftValue, isFromStep } from '../draft/draft.ts';
import type { Work } from '../draft/work.ts';
import { ofKind, type Token } from '../words/token.ts';

/** "forward to @bo what you find": the result. */
export const foundAgain =
  /^(?:what(?:ever)? (?:you|it|that|they|comes|came|is|was) ?\w*(?: up| out| there)?|(?:the )?(?:hits?|match(?:es)?|outcome|details|findings?))$/i;

/** "forward what we discussed": nothing that the bot has heard. */
export const talkedOf =
  /\bwhat (?:we|i|you|they|he|she) (?:\w+ )?(?:discussed|talked|said|agreed|decided|wrote|sent|mentioned|planned)\b/i;

/** "tell #ops about it": what it stands for is said, not the word. */
export function isPronoun(text: string): boolean {
  return /^(?:it|this|that|them|these|those)$/i.test(text.trim());
}

/** "DM @ivo the same": the words of the order before. */
export function sameText(tokens: readonly Token[], work: Work): DraftValue | null {
  const raw = tokens.map((token) => token.raw.toLowerCase()).join(' ');
  if (
    !/\bsame\b(?! (?:list|tickets?|project|service|incident|channel|summary))/.test(raw) ||
    ofKind(tokens, 'quote').length > 0
  )
    return null;
  return work.steps.at(-1)?.args.text ?? null;
}

const outcomes: Readonly<Record<string, string>> = {
  'jira.comment': 'Commented on',
  'jira.transition': 'Moved',
  'pagerduty.ack': 'Acknowledged incident',
  'pagerduty.resolve': 'Resolved incident',
  'pagerduty.note': 'Noted on incident',
  'pagerduty.page': 'Paged',
};

/** "close PAY-2 and tell #ops": what was done just before is what is told. */
export function outcomeOf(work: Work): DraftValue | null {
  const done = [...work.steps].reverse().find((step) => outcomes[step.tool] !== undefined);
  const target = done?.args.key ?? done?.args.incident ?? done?.args.service;
  if (done && isFromStep(target)) return [`${outcomes[done.tool]} `, target];
  if (!done || typeof target !== 'string') return null;
  const status = typeof done.args.status === 'string' ? ` to ${done.args.status}` : '';
  return `${outcomes[done.tool]} ${target}${status}`;
}
