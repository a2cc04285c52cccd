import type { Fields } from './fields.ts';

/** A message as the workspace keeps it. Ephemeral ones stand in the same list and the Web API never shows them. */
export interface Message {
  readonly ts: string;
  readonly channel: string;
  /** User id of the author; the bot's own user id for the bot, USLACKBOT for Slack's own notices. */
  readonly user: string;
  readonly botId?: string;
  readonly threadTs?: string;
  readonly ephemeralFor?: string;
  text: string;
  blocks: Fields[];
  attachments: Fields[];
  metadata?: MessageMetadata;
  edited?: { readonly user: string; readonly ts: string };
  /** What people chose in stateful elements of this message: user, block id, action id. */
  readonly entries: Map<string, Record<string, Record<string, Fields>>>;
  /** Who is notified: user ids, user group ids, `here`, `channel`, `everyone`. */
  mentions: string[];
}

export interface MessageMetadata {
  readonly event_type: string;
  readonly event_payload: Fields;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** A direct message with this person. */
  readonly im?: string;
  /** User ids, the bot's among them where it is a member. */
  readonly members: Set<string>;
}

/** A modal or an App Home as Slack keeps it. */
export interface View {
  readonly id: string;
  readonly user: string;
  readonly rootId: string;
  readonly previousId: string | null;
  /** What the app sent, with block ids filled in. */
  definition: Fields;
  /** Changes with every update. */
  hash: string;
  /** State of elements that are used before the submission: block id, action id, state. */
  values: Record<string, Record<string, Fields>>;
  /** Field errors of the last submission: block id, message. */
  errors: Record<string, string>;
  /** What Slack itself says at the top of the modal, such as a connection problem. */
  notice?: string;
  /** Response URLs a submission of this view carries. */
  responseUrls: Fields[];
}

export interface CommandDeclaration {
  /** With its slash. */
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
  /** Slack turns names and links in the text into `<@U…|name>`, `<#C…|name>` and `<https://…>`. */
  readonly shouldEscape: boolean;
}

/** What the app has declared about itself; `slack-manifest.yml` is read into this. */
export interface AppDeclaration {
  readonly scopes: readonly string[];
  readonly events: readonly string[];
  readonly homeTab: boolean;
  readonly messagesTab: boolean;
  readonly commands: readonly CommandDeclaration[];
  readonly shortcuts: readonly { name: string; callbackId: string; type: 'message' | 'global' }[];
}

/** What a person-side method says about the delivery it caused. */
export interface Outcome {
  /** False when there was nothing to deliver, such as a message in a channel the bot is not in. */
  readonly delivered: boolean;
  /** The app answered within three seconds. */
  readonly acknowledged: boolean;
  /** The app answered, but too late. */
  readonly late: boolean;
  /** What came with the acknowledgement. */
  readonly response?: unknown;
  /** Slack's error code when the delivery failed. */
  readonly error?: string;
  /** HTTP status of the app's answer, over HTTP only. */
  readonly status?: number;
  /** The app asked Slack not to repeat this event. */
  readonly noRetry?: boolean;
  /** Field errors the modal now shows, by block id, whether Slack or the app found them. */
  readonly fieldErrors?: Readonly<Record<string, string>>;
  /** Timestamp of a message that the person posted. */
  readonly ts?: string;
}
