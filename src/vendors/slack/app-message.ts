import { z } from 'zod';
import type { AppMessageEvent } from './events.ts';
import type { Identity } from './identity.ts';
import { messageWords } from './message-words.ts';
import { appMessageBody } from './payloads.ts';
import { forUs } from './read-events.ts';

const attachmentSchema = z.looseObject({
  title: z.string().nullish(),
  title_link: z.string().nullish(),
  color: z.string().nullish(),
  fields: z.array(z.object({ title: z.coerce.string(), value: z.coerce.string() })).nullish(),
});
type Attachment = z.infer<typeof attachmentSchema>;
const messageSchema = z.looseObject({
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  username: z.string().nullish(),
  bot_profile: z.object({ name: z.string().nullish() }).nullish(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  attachments: z.array(z.unknown()).nullish(),
});

/** Another app's message at the top of a channel, new or changed; null for every other message. */
export function appMessage(body: unknown, bot: Identity): AppMessageEvent | null {
  const sent = appMessageBody.safeParse(body);
  if (!sent.success) return null;
  const { event, event_id: eventId, ...envelope } = sent.data;
  const isNew = !event.subtype || event.subtype === 'bot_message';
  const read = messageSchema.safeParse(isNew ? event : event.message);
  if (!forUs(envelope, bot) || !(isNew || event.subtype === 'message_changed') || !read.success) return null;
  const { data: message } = read;
  const { bot_id: app, user, ts, thread_ts: threadTs } = message;
  if (!app || app === bot.botId || user === bot.botUserId) return null;
  if (threadTs && threadTs !== ts) return null;
  const parts = (message.attachments ?? []).flatMap(
    (one): Attachment | readonly Attachment[] => attachmentSchema.safeParse(one).data ?? [],
  );
  const words = messageWords(message);
  const titled = parts.find(({ title }) => title);
  return {
    key: `event:${eventId}`,
    channel: event.channel,
    app: { id: app, name: message.bot_profile?.name ?? message.username ?? app },
    title: titled?.title ?? words.split('\n').find((line) => line.trim() !== '') ?? '',
    words,
    link: titled?.title_link ?? '',
    color: parts.find(({ color }) => color)?.color ?? null,
    fields: parts.flatMap(({ fields }) => fields ?? []).map(({ title, value }) => [title, value]),
  };
}
