import { randomUUID } from 'node:crypto';
import { fallbackText } from '../blocks/escape.ts';
import { channelLink, md, mention, plain, section } from '../blocks/layout.ts';
import type { Message, Modal } from '../blocks/message.ts';
import { titled } from '../blocks/note.ts';
import { code, line, link, rich, type Span } from '../blocks/rich.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RunMode } from '../core/run.ts';

/** Private messages for when a message cannot be posted, or something broke. */

const notThere = new Set(['slack_not_in_channel', 'slack_channel_not_found']);

/** How to invite the bot to a channel if that resolves the error, else null. */
export async function invitation(
  error: unknown,
  channel: string,
  botUserId: () => Promise<string>,
): Promise<Message | null> {
  if (!(error instanceof VendorError && notThere.has(error.code))) return null;
  return notInChannel(channel, await botUserId());
}

/** The bot is not in the channel, so nobody there would see the card. */
export function notInChannel(channel: string, botUserId: string): Message {
  // Nobody can be invited into a conversation between two people.
  if (channel.startsWith('D')) {
    const instead = 'Ask in a channel that I am in, or write to me directly. Nothing was run.';
    return titled('I cannot post into a conversation between other people.', [instead]);
  }
  const name = botUserId === '' ? 'Countersign' : mention(botUserId);
  const text = md`I am not in ${channelLink(channel)}, so I cannot post the plan there. Type \`/invite\` ${name} there, then ask again. Nothing was run.`;
  return {
    text: fallbackText('I am not in that channel. Invite me with /invite, then ask again.'),
    blocks: [section(text)],
  };
}

/** The destination and request of a lost message. */
export interface LostAt {
  /** Slack id of a channel; empty if it had none. */
  readonly channel: string;
  /** The goal of the request; empty if it belongs to none. */
  readonly goal: string;
}

/** Tells the person that Slack rejected a message of ours, so that it does not get lost. */
export function undeliverable(
  why: string,
  { channel, goal }: LostAt,
  so = 'Part of the report may be missing from the thread.',
): Message {
  const where = /^[CDG]/.test(channel) ? md` in ${channelLink(channel)}` : md``;
  const about = goal === '' ? md`` : md`\n> ${cut(oneLine(goal), 200)}`;
  const said = cut(oneLine(why), 300);
  return {
    text: fallbackText(`A message could not be posted. ${said} ${so}`),
    blocks: [section(md`*A message could not be posted${where}.*${about}\n${said}\n${so}`)],
  };
}

/** Like `undeliverable`, but for operators, when the receiver could not be reached. `where` is a channel or a person. */
export function lostElsewhere(where: string, why: string, key: string): Message {
  const to = /^[UW]/.test(where) ? mention(where) : channelLink(where);
  const said = cut(oneLine(why), 300);
  return {
    text: fallbackText(`A message could not be posted. ${said}`),
    blocks: [
      section(
        md`*A message to ${to} could not be posted.*\n${said}\nWhoever it was for has not read it. The log has more under \`${key}\`.`,
      ),
    ],
  };
}

interface FailurePort {
  /** Address of the message whose button was pressed; null for anything else. */
  readonly tapped: string | null;
  /** Stops planning the request. */
  close(): Promise<unknown>;
  /** Tells the requester. */
  tell(message: Message): Promise<void>;
  readonly log: Log;
}

/** Reports a failure to its person, with a reference that is also in the log. */
export async function tellFailed(error: unknown, { tapped, close, tell, log }: FailurePort): Promise<void> {
  const reference = randomUUID().slice(0, 8);
  log.error({ reference, ...describeError(error) }, 'Handler failed');
  await close().catch((cause: unknown) => {
    log.warn({ reference, ...describeError(cause) }, 'A request that failed could not be closed');
  });
  await tell(failed(reference, error instanceof VendorError ? error.message : null, tapped));
}

/** Something broke on our side; the reference is in the log. `why` is the system's own explanation, if any. */
function failed(reference: string, why: string | null, tapped: string | null = null): Message {
  const said = why === null ? [] : [[cut(oneLine(why), 300)]];
  const where: Span[][] =
    tapped === null
      ? []
      : [['It was your tap on ', link(tapped, 'this message'), ', which shows whether it counted.']];
  return titled('Something went wrong on my side.', ...where, ...said, [
    'Please try again. If it keeps happening, give whoever runs Countersign this reference: ',
    code(reference),
  ]);
}

/** Shown in a submitted form while the answer takes longer than Slack waits. */
export function stillWorking(): Modal {
  return {
    type: 'modal',
    title: plain('One moment', 24),
    close: plain('Close', 24),
    blocks: [rich([line('Still working on it. The thread will show the result.')])],
  };
}

/** Replaces a card whose plan was tampered with in the database. */
export function cardDamaged(): Message {
  return titled('Closed: this plan is damaged.', [
    'What is stored of it was changed, so it could not be approved. Nothing ran. Ask for it again.',
  ]);
}

/** Replaces the end of a run that cannot be drawn; the requester must not wait for it. */
export function notShown(mode: RunMode): Message {
  const then =
    mode === 'read'
      ? 'It cannot be approved, and nothing was written. Ask for it again.'
      : 'Its steps are in the audit log: whoever runs Countersign can look them up.';
  return titled('I cannot show this plan.', [
    'What is stored of it, or of the plan that it changes, is damaged. ',
    then,
  ]);
}
