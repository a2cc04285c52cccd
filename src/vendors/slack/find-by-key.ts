import type { MessageMetadata } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { type Call, readAnswer } from './call.ts';
import type { SlackClock } from './clock-skew.ts';
import { linkTo } from './permalink.ts';
import type { PostedMessage } from './port.ts';

const eventType = 'countersign_message';
/** Remaining clock difference after correcting by Slack's responses: their dates are whole seconds. */
const clockSkewMs = 60_000;
/** First window of the search; each further one is four times as long, until now. */
const firstWindowMs = 15 * 60_000;
const timeoutMs = 12_000;

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

export interface Sought {
  readonly channel: string;
  readonly key: string;
  readonly threadTs?: string | null;
  /** By our clock. */
  readonly since: Date;
  readonly signal?: AbortSignal;
}

/**
 * Searches for our own message with `key`, from `since` forward: it is near the beginning, however busy the channel was
 * afterwards. Metadata of other apps is ignored. Throws a VendorError when the end was not reached in time: then its
 * absence is not certain.
 */
export async function findByKey(
  call: Call,
  botUserId: string,
  clock: SlackClock,
  of: Sought,
): Promise<PostedMessage | null> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = of.signal ? AbortSignal.any([of.signal, deadline]) : deadline;
  const until = clock.now().getTime() + clockSkewMs;
  let from = clock.at(of.since).getTime() - clockSkewMs;
  if (from > until) throw cannotTell(of, 'The clock has been changed since then.');
  for (let length = firstWindowMs; from < until; length *= 4) {
    const to = Math.min(from + length, until);
    const ts = await findBetween(call, botUserId, { ...of, signal }, { from, to }).catch((error: unknown) => {
      throw deadline.aborted
        ? cannotTell(of, 'There were too many messages to look through in time.')
        : error;
    });
    if (ts !== null) {
      return { channel: of.channel, ts, link: await linkTo(call, { channel: of.channel, ts }) };
    }
    from = to;
  }
  return null;
}

async function findBetween(
  call: Call,
  botUserId: string,
  of: Sought,
  { from, to }: { from: number; to: number },
): Promise<string | null> {
  const window = { oldest: seconds(from), latest: seconds(to), inclusive: true };
  const common = { channel: of.channel, ...window, limit: 200, include_all_metadata: true } as const;
  for (let cursor = ''; ; ) {
    const ask: Ask = cursor === '' ? common : { ...common, cursor };
    const page = await readPage(call, of.threadTs ?? null, ask, of.signal);
    const found = page.messages.find((message) => isOurs(message, botUserId, of.key));
    if (found) return found.ts;
    const next = page.response_metadata?.next_cursor ?? '';
    if (!page.has_more || next === '') return null;
    if (next === cursor) throw cannotTell(of, 'Slack keeps returning the same page of messages.');
    cursor = next;
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(6);
}

/** Temporary: a later search may have enough time. */
function cannotTell({ channel }: Sought, why: string): VendorError {
  const facts = { channel };
  return new VendorError('slack_cannot_tell', why, { retryable: true, mayHaveHappened: false, facts });
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
  readonly latest: string;
  readonly inclusive: boolean;
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
