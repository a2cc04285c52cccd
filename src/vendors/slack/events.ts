import type { Modal } from '../../blocks/message.ts';

/**
 * Who acted. A user id is only unique together with the workspace in the payload, so look-ups of the person compare
 * both; the workspace alone does not distinguish strangers from colleagues elsewhere in the same company.
 */
export interface Actor {
  readonly userId: string;
  readonly teamId: string;
  /** The person's home in the payload: a workspace or a company, null if Slack names none. */
  readonly home: string | null;
}

interface Incoming {
  /** The same for every delivery of one event, however often it arrives. */
  readonly key: string;
  readonly actor: Actor;
}

export interface CommandEvent extends Incoming {
  readonly type: 'command';
  readonly channel: string;
  /** As sent by Slack: `cleanText` resolves its escapes. */
  readonly text: string;
  readonly responseUrl: string;
  readonly triggerId: string;
}

/** A mention of the bot, without the mention itself, or a direct message to it. */
export interface MentionEvent extends Incoming {
  readonly type: 'mention';
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly text: string;
}

/** Another bot, or a step of a workflow, mentions the bot. Its key counts once for each bot, channel and hour. */
export interface BotMentionEvent extends Incoming {
  readonly type: 'bot_mention';
  readonly channel: string;
  readonly ts: string;
}

/** A person's reply in any thread. */
export interface ReplyEvent extends Incoming {
  readonly type: 'reply';
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string;
  readonly text: string;
}

/** A message of another app, new or changed, at the top of a channel. */
export interface AppMessageEvent {
  /** The same for every delivery of one event. */
  readonly key: string;
  readonly channel: string;
  readonly app: { readonly id: string; readonly name: string };
  readonly title: string;
  readonly words: string;
  readonly link: string;
  /** Colour of its bar. */
  readonly color: string | null;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface ShortcutEvent extends Incoming {
  readonly type: 'shortcut';
  readonly channel: string;
  readonly responseUrl: string;
  readonly triggerId: string;
  /** The message it was used on: data, never orders. */
  readonly message: { readonly ts: string; readonly threadTs: string | null; readonly text: string };
}

/** A person opens the App Home, or the direct conversation with the bot. */
export interface HomeEvent extends Incoming {
  readonly type: 'home';
  /** The direct channel; absent for the App Home. */
  readonly messages?: string;
}

/** A person presses the stop button that Slack shows while the bot is at work in a thread. */
export interface StopEvent extends Incoming {
  readonly type: 'stop';
  readonly channel: string;
  readonly threadTs: string;
}

export interface OpenView {
  readonly id: string;
  readonly hash: string;
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** Form values by block id; a list for checkboxes. Empty inputs are null. */
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

/** Every action of people in Slack. Plain JSON: it is stored before it is acknowledged. */
export type SlackEvent =
  | CommandEvent
  | MentionEvent
  | BotMentionEvent
  | ReplyEvent
  | ShortcutEvent
  | HomeEvent
  | StopEvent
  | ActionEvent
  | SubmitEvent;

/** A modal's response to a submission; `work` starts once Slack has it. */
export interface SubmitAnswer {
  readonly answer:
    | { readonly kind: 'close' }
    | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
  readonly work: () => Promise<void>;
}

/** The app's handlers for incoming events. */
export interface SlackHandlers {
  /** Stores it. Resolves when it may be acknowledged; false for a repeated one. Throws when it cannot be stored. */
  accept(event: SlackEvent): Promise<boolean>;
  /** Stores another app's message if it is an alert to the operator; false for every other. */
  acceptAppMessage(event: AppMessageEvent): Promise<boolean>;
  workAppMessage(event: AppMessageEvent): Promise<void>;
  /** Processes an accepted event, after the acknowledgement. Never throws. */
  work(event: Exclude<SlackEvent, SubmitEvent>): Promise<void>;
  /** Checks an accepted form; must be quick. */
  submit(event: SubmitEvent): Promise<SubmitAnswer>;
  /** Slack held events back for a minute, so some of ours were lost. */
  missed(minute: Date): Promise<void>;
  /** Shown instead of a modal whose response takes too long. */
  stillWorking(): Modal;
}
