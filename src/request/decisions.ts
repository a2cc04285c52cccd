import { writeCardRef } from '../blocks/card-ref.ts';
import type { Message, Say } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { code } from '../blocks/rich.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Who } from '../core/person.ts';
import { isOver } from '../core/request.ts';
import { get } from '../store/requests.ts';
import { latest, revisionOf } from '../store/revisions.ts';
import type { TeamDb } from '../store/tables.ts';
import { cardsOfThread } from '../store/threads.ts';
import type { RequestContext } from './context.ts';
import { notApproved, severalWaiting } from './words.ts';

/** A message of a thread. */
type Written = Who & { readonly channel: string; readonly threadTs: string; readonly ts: string };
type Click = Who & { readonly teamId: string; readonly value: string };

/** A word in a card's thread that does the same as its button. */
export type DecidedInWords =
  | { readonly kind: 'approval'; readonly click: Click & { readonly from: 'card' } }
  | {
      readonly kind: 'rejection';
      readonly click: Click & { readonly reason: string; readonly isExplained: boolean };
    }
  | { readonly kind: 'stop'; readonly click: Click };

/** Nothing but the word: "I would not approve that" and "stop the deploy" are talk, or a change. */
const decision =
  /^(?:please |i (?!\w{1,9}ed\b))?(approved?|reject(?:ed)?|cancel(?:led)?|stop)(?: (?:it|this|that|(?:this|the) (?:plan|page|run)))?(?:,? please)?(?:\s*[:–—-]\s*(\S.*)|[.!]*)$/isu;

/** Words that their writer may take for an approval: “yes do it”, “lgtm”, “aprove”, “approve pls”, “i approved this”. */
const agreeing =
  /^(?:(?:i|yes|yep|ok|okay|sure|please|pls|and|the|this|that|it|plan|lgtm|go ahead|do it|ship it|app?roved?|appr?ove?|appprove)[\s,.!]{0,3}){1,6}$/iu;
const approving = /lgtm|go ahead|do it|ship it|app?p?r?ove?d?\b/iu;

/** An approval in words, said where no card is that it could be about. */
export const isAgreement = (words: string): boolean =>
  (agreeing.test(words.trim()) && approving.test(words)) ||
  /^app/iu.test(decision.exec(words.trim())?.[1] ?? '');

/** The reply to an approval in words where there is no card. */
export function approvedNothing(): Message {
  return titled('Nothing was approved.', [
    'A plan is approved with the button on its card, or with ',
    code('approve'),
    ' as a reply below it. What waits for you:',
  ]);
}

/**
 * The decision that a message makes about the card of its thread; null for other words, and where there is no card. It
 * counts for a card that was shown before it was written.
 */
export async function decidedInWords(
  words: string,
  { channel, threadTs, ts, userId, home }: Written,
  { db, teamId }: TeamDb,
  say: Say,
): Promise<DecidedInWords | 'unclear' | null> {
  const [, verb = '', reason = ''] = decision.exec(words) ?? [];
  const isNearly = verb === '' && agreeing.test(words) && approving.test(words);
  const isOfRequester = verb === '' && isOver(words);
  if (verb === '' && !isNearly && !isOfRequester) return null;
  const cards = await cardsOfThread(db, { teamId, channel, threadTs, before: ts });
  const [found, ...others] = cards;
  if (found === undefined) return null;
  if (isOfRequester && (await get(db, teamId, found.requestId))?.requester !== userId) return null;
  if (isNearly) {
    await say(notApproved());
    return 'unclear';
  }
  if (others.length > 0) {
    await say(severalWaiting());
    return 'unclear';
  }
  const isApproval = /^app/iu.test(verb);
  // An approval is for the card that was read; whoever ends a plan means it in any revision.
  const newest = isApproval ? null : await latest(db, teamId, found.requestId);
  const card = newest !== null && (newest.cardTs ?? ts) < ts ? newest : found;
  const click = { userId, home, teamId, value: writeCardRef(revisionOf(card)) };
  if (isApproval) return { kind: 'approval', click: { ...click, from: 'card' } };
  if (/^rej/iu.test(verb))
    return {
      kind: 'rejection',
      click: { ...click, reason: reason || 'rejected in the thread', isExplained: reason !== '' },
    };
  return { kind: 'stop', click };
}

/** Nothing but thanks, or words that need no answer. */
const closing =
  /^(?:(?:ok(?:ay)?|k|thanks?|thank you|thx|ty|cheers|great|good|cool|nice|perfect|got it|will do|done|on it|noted|danke|merci|gracias|obrigad[oa]|a lot|so much|:[\w+-]+:|\p{Emoji_Presentation})[\s,.!]{0,3}){1,6}$/iu;

/** In a thread in which only its requester wrote, words that name no other person are meant for the bot. */
export async function isForTheBot(
  words: string,
  { channel, threadTs, userId }: Written,
  { slack, log }: Pick<RequestContext, 'slack' | 'log'>,
): Promise<boolean> {
  if (closing.test(words) || /(?<!\S)@\p{L}/u.test(words)) return false;
  try {
    return [...(await slack.writersIn({ channel, ts: threadTs }))].every((writer) => writer === userId);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    log.warn(describeError(error), 'A thread could not be read');
    return false;
  }
}
