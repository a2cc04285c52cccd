import type { Modal } from '../../blocks/message.ts';

/**
 * Who did it. A user id is one person's only together with the workspace that the payload gives them, so whoever asks
 * Slack about the person compares both; the workspace alone does not tell strangers from colleagues elsewhere in the
 * same company.
 */
export interface Actor {
  readonly userId: string;
  readonly teamId: string;
  /** Home of the person by the payload: a workspace or a company, null where Slack names none. */
  readonly home: string | null;
}

interface Incoming {
  /** The same for every delivery of the same thing, however often it arrives. */
  readonly key: string;
  readonly actor: Actor;
}

export interface CommandEvent extends Incoming {
  readonly type: 'command';
  readonly channel: string;
  /** As Slack sent it: `cleanText` undoes its escapes. */
  readonly text: string;
  readonly responseUrl: string;
  readonly triggerId: string;
}

/** A mention of the bot, without the mention itself, or a message to it alone. */
export interface MentionEvent extends Incoming {
  readonly type: 'mention';
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly text: string;
}

/** A person's reply in a thread, of ours or not. */
export interface ReplyEvent extends Incoming {
  readonly type: 'reply';
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string;
  readonly text: string;
}

export interface ShortcutEvent extends Incoming {
  readonly type: 'shortcut';
  readonly channel: string;
  readonly responseUrl: string;
  readonly triggerId: string;
  /** The message that it was used on: data, never orders. */
  readonly message: { readonly ts: string; readonly threadTs: string | null; readonly text: string };
}

export interface HomeEvent extends Incoming {
  readonly type: 'home';
}

export interface OpenView {
  readonly id: string;
  readonly hash: string;
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** Values of the form by block id; a list for checkboxes. Empty inputs are null. */
  readonly values: Readonly<Record<string, string | readonly string[] | null>>;
}

export interface ActionEvent extends Incoming {
  readonly type: 'action';
  readonly actionId: string;
  /** Value of the button, or of the chosen option. */
  readonly value: string;
  readonly triggerId: string;
  /** Null inside a modal. */
  readonly responseUrl: string | null;
  readonly message: {
    readonly channel: string;
    readonly ts: string;
    readonly threadTs: string | null;
  } | null;
  readonly view: OpenView | null;
}

export interface SubmitEvent extends Incoming {
  readonly type: 'submit';
  readonly triggerId: string;
  readonly view: OpenView;
}

/** Everything that people do in Slack. Plain JSON: it is stored before it is acknowledged. */
export type SlackEvent =
  | CommandEvent
  | MentionEvent
  | ReplyEvent
  | ShortcutEvent
  | HomeEvent
  | ActionEvent
  | SubmitEvent;

/** What a modal shows on submit; `work` starts when Slack has the answer. */
export interface SubmitAnswer {
  readonly answer:
    | { readonly kind: 'close' }
    | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
  readonly work: () => Promise<void>;
}

/** What the app does with what comes in. */
export interface SlackHandlers {
  /** Stores it. Resolves when it may be acknowledged; false when it came before. Throws when it cannot be stored. */
  accept(event: SlackEvent): Promise<boolean>;
  /** Works on what was accepted, after the acknowledgement. Never throws. */
  work(event: Exclude<SlackEvent, SubmitEvent>): Promise<void>;
  /** Checks a form that was accepted; has to be quick. */
  submit(event: SubmitEvent): Promise<SubmitAnswer>;
  /** Slack held events back for a minute, so some that were meant for us never came. */
  missed(minute: Date): Promise<void>;
  /** Shown in place of a modal whose answer takes too long. */
  stillWorking(): Modal;
}
