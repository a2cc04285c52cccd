import type { ProposedBy } from './agent.ts';
import type { Json } from './json.ts';

/** How a request came in. */
export type Via = 'command' | 'mention' | 'shortcut' | 'schedule' | 'agent' | 'button' | 'alert';

/** True for a request that no person made: by the clock, an alert or an agent. Nobody reads an answer in private. */
export function isUnattended({ via }: { readonly via: Via }): boolean {
  return via === 'schedule' || via === 'alert' || via === 'agent';
}

/**
 * True for a request in a thread of its own: a direct message, or a mention in a thread. Slack shows there what the bot
 * is doing, and its stop button.
 */
export function showsDoing<R extends Pick<Request, 'via' | 'threadTs'>>(
  request: R,
): request is R & { readonly threadTs: string } {
  return request.via === 'mention' && request.threadTs !== null;
}

/** The goal of a shortcut, whose person has said nothing yet: the message is data, and what to do with it is asked. */
export const messageGoal = 'Plan from this message';

/** A goal with its requester, channel and origin. */
export interface Request {
  /** Slack team (workspace) id. */
  readonly teamId: string;
  readonly id: string;
  readonly goal: string;
  readonly via: Via;
  /** Slack user id of the requester; `schedule:<name>`, `alert:<rule>` or `agent:<name>`. */
  readonly requester: string;
  /** Slack channel id where the card is posted. */
  readonly channel: string;
  /** Thread to post in, when the request was made inside one. */
  readonly threadTs: string | null;
  /** Text of the message a shortcut was used on. Data, never orders. */
  readonly quoted: string | null;
  readonly createdAt: Date;
  /** The agent that proposed it; absent or null for everybody else's. */
  readonly agent?: ProposedBy | null;
}

export type RequestState = 'planning' | 'asking' | 'review' | 'running' | 'finished' | 'refused' | 'closed';

/** A request as it is stored. */
export interface StoredRequest extends Request {
  readonly state: RequestState;
  /** Its question and the answer; see `request/conversation.ts`. */
  readonly question: Json | null;
}

/** "never mind", "forget it", "schon gut": the request is dropped. */
const over =
  /^(?:(?:ok(?:ay)?|ah|oh|no|well|please|thanks|thx)[\s,.!]+)?(?:never\s?mind|nvm|forget (?:it|that|about it)|drop it|scrap (?:it|that)|cancel(?: (?:it|that|this))?|not needed(?: any ?more)?|leave it|stop|vergiss es|egal|schon gut|laisse tomber|oublie|olvídalo|déjalo|deixa|esquece)(?:[\s,.!]+(?:please|thanks|thx|then|for now|danke|merci|gracias|obrigad[oa]))*[\s.!]*$/iu;
/** Longer texts say more than that. */
const maxOver = 80;

/** Whether words only drop what was asked for. */
export const isOver = (words: string): boolean => words.length < maxOver && over.test(words.trim());
