/** What tools may ask of Slack, and make it do. The bot's own messages do not go through here. */

export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly link: string;
}

export interface SlackReader {
  /** A message of the bot that carries this key in its metadata, posted since `since`, or null. */
  postByKey(channel: string, key: string, since: Date, signal: AbortSignal): Promise<PostedMessage | null>;
  /** Handle (`@ana`) of the person of the catalogue who has this e-mail address in Slack, or null. */
  handleOf(email: string): Promise<string | null>;
}

export interface SlackWriter {
  /** Posts plain text (inert) to a channel or person of the catalogue; the key goes into the metadata. */
  post(
    message: {
      readonly to: string;
      readonly text: string;
      readonly key: string;
      /** Who asked and who approved. */
      readonly context: string;
      /** Address of the thread that it came from, as Slack gave it: the one live link in the message. */
      readonly threadLink: string | null;
    },
    signal: AbortSignal,
  ): Promise<PostedMessage>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly slack: SlackReader;
  }
  interface Writers {
    readonly slack: SlackWriter;
  }
}
