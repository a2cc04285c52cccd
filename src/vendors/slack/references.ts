import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { type Call, readAnswer } from './call.ts';
import { messageWords } from './message-words.ts';

/** The kinds of things that a message refers to by id. */
type Kind = 'user' | 'channel' | 'group';

/** Names for ids; null where there is none. */
export type NameOf = (kind: Kind, id: string) => Promise<string | null>;

const reference = /<(@|#|!subteam\^)([A-Z0-9]{2,40})(?:\|([^<>]*))?>/g;
const kinds: Readonly<Record<string, Kind>> = { '@': 'user', '#': 'channel' };
/** Maximum look-ups for one message. */
const maxNames = 20;

/**
 * A text in which every reference has a label: Slack sends `<@U0ANA>`, `<#C0OPS|>` and `<!subteam^S0SRE>` in messages, and
 * names only in commands. One that has no name stays as it is.
 */
export async function withLabels(text: string, nameOf: NameOf): Promise<string> {
  const found = new Map([...text.matchAll(reference)].slice(0, maxNames).map((match) => [match[0], match]));
  let labelled = text;
  for (const [whole, [, sign = '', id = '', label = '']] of found) {
    const name = (await nameOf(kinds[sign] ?? 'group', id)) ?? label;
    if (name !== '') labelled = labelled.replaceAll(whole, `<${sign}${id}|${name.replaceAll(/[<>|]/g, '')}>`);
  }
  return labelled;
}

const channelSchema = z.object({ name: z.string().nullish() });
const groupsSchema = z.object({
  usergroups: z.array(z.object({ id: z.string(), handle: z.string().default('') })).default([]),
});

/** Asks Slack; a name that it does not give is not worth a failure, because the id can stand for it. */
export function createNames(call: Call, person: (id: string) => Promise<{ name: string } | null>): NameOf {
  const ask: Record<Kind, (id: string) => Promise<string | null>> = {
    user: async (id) => (await person(id))?.name ?? null,
    async channel(channel) {
      const answer = await call('conversations.info', 'again', (c) => c.conversations.info({ channel }));
      return readAnswer(channelSchema, answer.channel, 'conversations.info').name ?? null;
    },
    async group(id) {
      const answer = await call('usergroups.list', 'again', (c) => c.usergroups.list());
      const { usergroups } = readAnswer(groupsSchema, answer, 'usergroups.list');
      return usergroups.find((one) => one.id === id)?.handle ?? null;
    },
  };
  return (kind, id) =>
    ask[kind](id).catch((error: unknown) => {
      if (error instanceof VendorError) return null;
      throw error;
    });
}

const threadSchema = z.object({
  messages: z.array(z.looseObject({ ts: z.string(), user: z.string().nullish() })).default([]),
});

/** All words of the message that starts a thread, with names in their labels; null if it is our own, or gone. */
export async function wordsAt(
  call: Call,
  botUserId: string,
  nameOf: NameOf,
  { channel, ts }: { readonly channel: string; readonly ts: string },
): Promise<string | null> {
  const of = { channel, ts, limit: 1 };
  const answer = await call('conversations.replies', 'again', (c) => c.conversations.replies(of));
  const { messages } = readAnswer(threadSchema, answer, 'conversations.replies');
  const first = messages.find((one) => one.ts === ts && one.user !== botUserId);
  return first === undefined ? null : withLabels(messageWords(first), nameOf);
}

/** Slack ids of all who wrote the first messages of a thread, the bot aside. */
export async function writersIn(
  call: Call,
  botUserId: string,
  { channel, ts }: { readonly channel: string; readonly ts: string },
): Promise<ReadonlySet<string>> {
  const of = { channel, ts, limit: 200 };
  const answer = await call('conversations.replies', 'again', (c) => c.conversations.replies(of));
  const { messages } = readAnswer(threadSchema, answer, 'conversations.replies');
  return new Set(messages.flatMap(({ user }) => (user && user !== botUserId ? [user] : [])));
}

/** A message that people marked with a pushpin. */
export interface MarkedMessage {
  /** ISO 8601. */
  readonly at: string;
  /** Null for another app. */
  readonly by: string | null;
  readonly words: string;
}

const markedSchema = z.object({
  messages: z
    .array(
      z.looseObject({
        ts: z.string(),
        user: z.string().nullish(),
        reactions: z.array(z.object({ name: z.string() })).default([]),
      }),
    )
    .default([]),
  response_metadata: z.object({ next_cursor: z.string().default('') }).optional(),
});
const mark = 'pushpin';
/** Maximum requests for one thread, of 200 messages each. */
const maxPages = 5;

/** Messages of a thread with a pushpin, oldest first, with names in their labels. */
export async function marked(
  call: Call,
  nameOf: NameOf,
  { channel, ts }: { readonly channel: string; readonly ts: string },
): Promise<MarkedMessage[]> {
  const found: MarkedMessage[] = [];
  let cursor = '';
  for (let page = 0; page < maxPages; page += 1) {
    const of = { channel, ts, limit: 200, ...(cursor === '' ? {} : { cursor }) };
    const answer = await call('conversations.replies', 'again', (c) => c.conversations.replies(of));
    const read = readAnswer(markedSchema, answer, 'conversations.replies');
    for (const one of read.messages) {
      if (!one.reactions.some(({ name }) => name === mark)) continue;
      const words = await withLabels(messageWords(one), nameOf);
      found.push({ at: new Date(Number(one.ts) * 1_000).toISOString(), by: one.user ?? null, words });
    }
    cursor = read.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return found;
}
