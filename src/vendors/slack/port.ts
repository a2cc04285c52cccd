/** Tools' port for Slack. The bot's own messages do not go through here. */

export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly link: string;
}

export interface PostedCanvas {
  readonly id: string;
  /** Empty where Slack did not give it. */
  readonly link: string;
}

export interface SlackReader {
  /** A message of the bot with this key in its metadata, posted since `since`, or null. */
  postByKey(channel: string, key: string, since: Date, signal: AbortSignal): Promise<PostedMessage | null>;
  /** Handle (`@ana`) of the catalogue's person with this e-mail address in Slack, or null. */
  handleOf(email: string): Promise<string | null>;
  /** The bot's canvas with this key, created since `since`, or null. */
  canvasByKey(key: string, since: Date, signal: AbortSignal): Promise<PostedCanvas | null>;
  /** Scopes that the token lacks for canvases. */
  missingForCanvases(signal: AbortSignal): Promise<readonly string[]>;
  /** Who can read a channel of the catalogue: everybody in the workspace, its members, or another company too. */
  audienceOf(channel: string): Promise<'everyone' | 'members' | 'outside'>;
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
      /** Address of the thread it came from, as returned by Slack: the only live link in the message. */
      readonly threadLink: string | null;
    },
    signal: AbortSignal,
  ): Promise<PostedMessage>;
  /** Creates a canvas with plain text (inert) in a channel of the catalogue; the key is its last line. */
  createCanvas(
    canvas: { readonly to: string; readonly title: string; readonly text: string; readonly key: string },
    signal: AbortSignal,
  ): Promise<PostedCanvas>;
}

declare module '../../core/ports.ts' {
  interface Readers {
    readonly slack: SlackReader;
  }
  interface Writers {
    readonly slack: SlackWriter;
  }
}
