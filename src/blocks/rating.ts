import type { ContextActionsBlock, FeedbackButtons } from '@slack/types';
import type { Revision } from '../core/revision.ts';
import { writeCardRef } from './card-ref.ts';
import { actionIds } from './ids.ts';
import { plain } from './layout.ts';
import { limits } from './limits.ts';

const ratings = ['helpful', 'unhelpful'] as const;
export type Rating = (typeof ratings)[number];

/** Slack's feedback buttons. Not every workspace knows them, so the caller needs a fallback message. */
export function ratingBlock(revision: Revision): ContextActionsBlock {
  const button = (text: string, rating: Rating): FeedbackButtons['positive_button'] => ({
    text: plain(text, limits.buttonText),
    value: `${rating}:${writeCardRef(revision)}`,
    accessibility_label: `Rate this as ${text.toLowerCase()}`,
  });
  const positive = button('Helpful', 'helpful');
  const negative = button('Not helpful', 'unhelpful');
  return {
    type: 'context_actions',
    block_id: 'rating',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: actionIds.rate,
        positive_button: positive,
        negative_button: negative,
      },
    ],
  };
}

/** The rating and the revision in a button's value; null for a value we did not write. */
export function readRating(text: string): { readonly rating: Rating; readonly value: string } | null {
  const at = text.indexOf(':');
  const rating = ratings.find((one) => one === text.slice(0, at));
  return rating === undefined ? null : { rating, value: text.slice(at + 1) };
}
