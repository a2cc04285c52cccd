import type { FormValues } from '../../blocks/form-values.ts';
import type { Message, Modal } from '../../blocks/message.ts';

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
  readonly channel: string;
  /** As Slack sent it: `cleanText` undoes its escapes. */
  readonly text: string;
  readonly responseUrl: string;
  readonly triggerId: string;
}

/** A mention of the bot, without the mention itself, or a message to it alone. */
export interface MentionEvent extends Incoming {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly text: string;
}

/** A person's reply in a thread, of ours or not. */
export interface ReplyEvent extends Incoming {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string;
  readonly text: string;
}

export interface ShortcutEvent extends Incoming {
  readonly channel: string;
  readonly responseUrl: string;
  readonly triggerId: string;
  /** The message that it was used on: data, never orders. */
  readonly message: { readonly ts: string; readonly threadTs: string | null; readonly text: string };
}

export interface HomeEvent extends Incoming {}

export interface OpenView {
  readonly id: string;
  readonly hash: string;
  readonly callbackId: string;
  readonly privateMetadata: string;
  readonly values: FormValues;
}

export interface ActionEvent extends Incoming {
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
  readonly triggerId: string;
  readonly view: OpenView;
}

/** What a modal does on submit; `work` starts when Slack has the answer. */
export interface SubmitAnswer {
  readonly answer:
    | { readonly kind: 'close' }
    | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
  readonly work?: () => Promise<void>;
}

/** What the app does with what comes in. Each runs after Slack was acknowledged, except `submit`, which must be quick. */
export interface SlackHandlers {
  command(event: CommandEvent): Promise<void>;
  mention(event: MentionEvent): Promise<void>;
  reply(event: ReplyEvent): Promise<void>;
  shortcut(event: ShortcutEvent): Promise<void>;
  home(event: HomeEvent): Promise<void>;
  action(event: ActionEvent): Promise<void>;
  submit(event: SubmitEvent): Promise<SubmitAnswer>;
  /** Slack held events back for a minute, so some that were meant for us never came. */
  missed(minute: Date): Promise<void>;
  /** The words for a person whose click or command failed inside; `reference` stands in the log too. */
  failed(reference: string): Message;
  /** Shown in place of a modal whose answer takes too long. */
  stillWorking(): Modal;
}
