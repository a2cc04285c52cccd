import type { Fields } from './fields.ts';

/** A stored message. Ephemeral ones are in the same list, but the Web API never returns them. */
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
  /** People's choices in stateful elements of this message: user, block id, action id. */
  readonly entries: Map<string, Record<string, Record<string, Fields>>>;
  /** Emoji names by the people who reacted with them. */
  readonly reactions: Map<string, Set<string>>;
  /** Who is notified: user ids, user group ids, `here`, `channel`, `everyone`. */
  mentions: string[];
}

/** A document in the tabs of a channel. */
export interface Canvas {
  readonly id: string;
  readonly channel: string;
  readonly title: string;
  readonly markdown: string;
  /** Seconds since 1970. */
  readonly created: number;
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
  /** User ids, including the bot's where it is a member. */
  readonly members: Set<string>;
}

/** A stored modal or App Home. */
export interface View {
  readonly id: string;
  readonly user: string;
  readonly rootId: string;
  readonly previousId: string | null;
  /** The app's view, with block ids added. */
  definition: Fields;
  /** Changes with every update. */
  hash: string;
  /** State of elements used before the submission: block id, action id, state. */
  values: Record<string, Record<string, Fields>>;
  /** Field errors of the last submission: block id, message. */
  errors: Record<string, string>;
  /** Slack's own message at the top of the modal, such as a connection problem. */
  notice?: string;
  /** Response URLs in a submission of this view. */
  responseUrls: Fields[];
}

export type SessionState = 'active' | 'processing' | 'suspended' | 'closed';

/** The state of an agent in a thread. */
export interface AgentThread {
  readonly channel: string;
  readonly threadTs: string;
  /** The words beside its name, until it posts there; empty for none. */
  readonly status: string;
  /** With a stop button while it is `processing`; null before its first one. */
  readonly session: SessionState | null;
  readonly title: string | null;
}

/** Requests that an agent suggests in a direct conversation. */
export interface Prompts {
  readonly channel: string;
  readonly title: string | null;
  readonly prompts: readonly { readonly title: string; readonly message: string }[];
}

export interface CommandDeclaration {
  /** With its slash. */
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
  /** Slack turns names and links in the text into `<@U…|name>`, `<#C…|name>` and `<https://…>`. */
  readonly shouldEscape: boolean;
}

/** The app's own declaration; `slack-manifest.yml` is read into this. */
export interface AppDeclaration {
  readonly scopes: readonly string[];
  readonly events: readonly string[];
  /** Declared as an agent: it has sessions, with a status and a stop button. */
  readonly isAgent: boolean;
  readonly homeTab: boolean;
  readonly messagesTab: boolean;
  readonly commands: readonly CommandDeclaration[];
  readonly shortcuts: readonly { name: string; callbackId: string; type: 'message' | 'global' }[];
}

/** The outcome of the delivery caused by a person's action. */
export interface Outcome {
  /** False when there was nothing to deliver, such as a message in a channel without the bot. */
  readonly delivered: boolean;
  /** The app answered within three seconds. */
  readonly acknowledged: boolean;
  /** The app answered, but too late. */
  readonly late: boolean;
  /** The body of the acknowledgement. */
  readonly response?: unknown;
  /** Slack's error code when the delivery failed. */
  readonly error?: string;
  /** HTTP status of the app's answer, over HTTP only. */
  readonly status?: number;
  /** The app asked Slack not to repeat this event. */
  readonly noRetry?: boolean;
  /** Field errors the modal now shows, by block id, from Slack or the app. */
  readonly fieldErrors?: Readonly<Record<string, string>>;
  /** Timestamp of a message posted by the person. */
  readonly ts?: string;
}
