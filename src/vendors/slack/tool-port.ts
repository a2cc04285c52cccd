import { clean, fallbackText } from '../../blocks/escape.ts';
import { addressLink, context, md } from '../../blocks/layout.ts';
import type { Block } from '../../blocks/message.ts';
import { line, rich } from '../../blocks/rich.ts';
import type { LinkHosts } from '../../core/address.ts';
import { cut, head, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';
import type { SlackGateway } from './gateway.ts';
import type { PostedMessage, SlackReader, SlackWriter } from './port.ts';

/** The operator's channels and people. */
export interface AddressBook {
  /** Id of a channel (`#ops`) or person (`@ana`); null if the catalogue does not list it. */
  find(name: string): { channel: string } | { userId: string } | null;
  /** Handle (`@ana`) of a person by Slack user id; null if the catalogue does not list them. */
  handleOf(userId: string): string | null;
}

type Outgoing = Parameters<SlackWriter['post']>[0];

/** Length of rich text that Slack accepts in one piece. */
const pieceLength = 2_800;

/**
 * Slack for the tools. Text is inert: it is sent as rich text, which Slack does not parse, so no mention, link or
 * broadcast in it is live.
 */
export function createSlackToolPort(
  gateway: SlackGateway,
  addresses: AddressBook,
): { reader: SlackReader; writer: SlackWriter; hosts: LinkHosts } {
  return {
    hosts: ['slack.com', '*.slack.com', '*.slack-gov.com'],
    reader: {
      async postByKey(to, key, since, signal) {
        const channel = await channelOf(gateway, addresses, to, signal);
        return gateway.findByKey({ channel, key, since, signal });
      },
      async audienceOf(channel) {
        const found = addresses.find(channel);
        if (found === null || !('channel' in found)) throw notListed(channel);
        return gateway.audienceOf(found.channel);
      },
      async handleOf(email) {
        const userId = await gateway.userByEmail(email);
        return userId === null ? null : addresses.handleOf(userId);
      },
      canvasByKey: (key, since, signal) => gateway.canvasByKey(key, since, signal),
      missingForCanvases: (signal) => gateway.missingForCanvases(signal),
    },
    writer: {
      post: (message, signal) => post(gateway, addresses, message, signal),
      async createCanvas({ to, title, text, key }, signal) {
        const channel = await openedFor(gateway, addresses, to, signal);
        return gateway.createCanvas({ channel, title: oneLine(title), text, key }, signal);
      },
    },
  };
}

async function post(
  gateway: SlackGateway,
  addresses: AddressBook,
  message: Outgoing,
  signal: AbortSignal,
): Promise<PostedMessage> {
  const channel = await openedFor(gateway, addresses, message.to, signal);
  const blocks = [rich(pieces(clean(message.text)).map((piece) => line(piece))), ...footer(message)];
  const content = { text: fallbackText(message.text, 1_000), blocks };
  const posted = await gateway.post({ channel, message: content, key: message.key, repeat: 'never', signal });
  return { ...posted, link: await gateway.linkTo(posted.channel, posted.ts) };
}

/** Who requested it, and the link to their thread. */
function footer({ context: words, threadLink }: Outgoing): Block[] {
  const parts = [
    ...(words === '' ? [] : [md`${cut(words, 600)}`]),
    ...(threadLink === null ? [] : [addressLink(threadLink, 'Open the thread')]),
  ];
  return parts.length === 0 ? [] : [context(parts)];
}

/** Any error before the message is sent: nothing was posted. */
async function openedFor(...of: Parameters<typeof channelOf>): Promise<string> {
  try {
    return await channelOf(...of);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const { code, message, retryable, retryAfterMs, facts } = error;
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    throw new VendorError(code, message, { retryable, mayHaveHappened: false, ...wait, facts, cause: error });
  }
}

async function channelOf(
  gateway: SlackGateway,
  addresses: AddressBook,
  to: string,
  signal: AbortSignal,
): Promise<string> {
  const address = /^[CDG][A-Z0-9]{4,}$/.test(to) ? { channel: to } : addresses.find(to);
  if (address === null) throw notListed(to);
  return 'channel' in address ? address.channel : gateway.openDirect(address.userId, signal);
}

function notListed(to: string): VendorError {
  const message = `${to} is not a channel or person of countersign.yml.`;
  return new VendorError('slack_unknown_target', message, {
    retryable: false,
    mayHaveHappened: false,
    facts: { to },
  });
}

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.length <= pieceLength ? rest.length : splitAt(rest);
    found.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return found;
}

/** At a line end or space if there is one in the last fifth, never inside a surrogate pair. */
function splitAt(text: string): number {
  const piece = head(text, pieceLength);
  const gap = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf(' '));
  return gap > pieceLength * 0.8 ? gap + 1 : piece.length;
}
