import type { MessageMetadata } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import type { Call } from './call.ts';
import { linkTo } from './permalink.ts';
import type { PostedMessage } from './port.ts';
import { readAnswer } from './read-answer.ts';

const eventType = 'countersign_message';
/** Pages of 200 messages. A busy channel has more only when the message is old. */
const mostPages = 5;
/** Slack's clock and ours may differ by the five minutes that a signature may be off, and a little more. */
const slackMs = 6 * 60_000;

const pageSchema = z.object({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        user: z.string().optional(),
        metadata: z
          .object({ event_type: z.string(), event_payload: z.object({ key: z.string() }).partial() })
          .optional()
          .catch(undefined),
      }),
    )
    .default([]),
  has_more: z.boolean().default(false),
  response_metadata: z.object({ next_cursor: z.string().default('') }).optional(),
});
type Page = z.infer<typeof pageSchema>;

export function keyMetadata(key: string): MessageMetadata {
  return { event_type: eventType, event_payload: { key } };
}

/**
 * Looks for our own message that carries `key`. Metadata of other apps does not count. Throws a VendorError
 * `slack_too_many_messages` when the end was not reached: then nobody can say that it is not there.
 */
export async function findByKey(
  call: Call,
  botUserId: string,
  of: {
    readonly channel: string;
    readonly key: string;
    readonly threadTs?: string | null;
    readonly since: Date;
    readonly signal?: AbortSignal;
  },
): Promise<PostedMessage | null> {
  const oldest = ((of.since.getTime() - slackMs) / 1000).toFixed(6);
  let cursor = '';
  for (let page = 0; page < mostPages; page += 1) {
    const ask: Ask = { channel: of.channel, oldest, limit: 200, include_all_metadata: true, ...at(cursor) };
    const found = await readPage(call, of.threadTs ?? null, ask, of.signal);
    const ours = found.messages.find((message) => isOurs(message, botUserId, of.key));
    if (ours)
      return {
        channel: of.channel,
        ts: ours.ts,
        link: await linkTo(call, { channel: of.channel, ts: ours.ts }),
      };
    cursor = found.response_metadata?.next_cursor ?? '';
    if (!found.has_more || cursor === '') return null;
  }
  throw new VendorError('slack_too_many_messages', 'There are too many messages in Slack to look through.', {
    retryable: false,
    mayHaveHappened: false,
    facts: { channel: of.channel },
  });
}

function at(cursor: string): { cursor?: string } {
  return cursor === '' ? {} : { cursor };
}

function isOurs(message: Page['messages'][number], botUserId: string, key: string): boolean {
  const { metadata } = message;
  return (
    message.user === botUserId && metadata?.event_type === eventType && metadata.event_payload.key === key
  );
}

interface Ask {
  readonly channel: string;
  readonly oldest: string;
  readonly limit: number;
  readonly include_all_metadata: true;
  readonly cursor?: string;
}

async function readPage(call: Call, threadTs: string | null, ask: Ask, signal?: AbortSignal): Promise<Page> {
  const raw =
    threadTs === null
      ? await call('conversations.history', 'again', (c: WebClient) => c.conversations.history(ask), signal)
      : await call(
          'conversations.replies',
          'again',
          (c: WebClient) => c.conversations.replies({ ...ask, ts: threadTs }),
          signal,
        );
  return readAnswer(pageSchema, raw, threadTs === null ? 'conversations.history' : 'conversations.replies');
}
