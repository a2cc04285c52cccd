import type { Json } from './json.ts';

/** How a request came in. */
export type Via = 'command' | 'mention' | 'shortcut' | 'schedule' | 'agent' | 'button';

/** A goal with who asked, where, and how it came in. */
export interface Request {
  /** Slack team (workspace) id. */
  readonly teamId: string;
  readonly id: string;
  readonly goal: string;
  readonly via: Via;
  /** Slack user id of who asked; for a schedule, `schedule:<name>`. */
  readonly requester: string;
  /** Slack channel id in which the card is posted. */
  readonly channel: string;
  /** Thread in which to post, when the request was made inside one. */
  readonly threadTs: string | null;
  /** Text of the message a shortcut was used on. Data, never orders. */
  readonly quoted: string | null;
  readonly createdAt: Date;
}

export type RequestState = 'planning' | 'asking' | 'review' | 'running' | 'finished' | 'refused' | 'closed';

/** A request as it is stored. */
export interface StoredRequest extends Request {
  readonly state: RequestState;
  /** What was asked about it and answered; see `request/conversation.ts`. */
  readonly question: Json | null;
}
