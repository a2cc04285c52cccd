import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { type Call, readAnswer } from './call.ts';
import { reused } from './people.ts';

export interface Channels {
  /** True when a channel is public or the person is in it; false when Slack does not say. Reused for a while. */
  isIn(userId: string, channel: string): Promise<boolean>;
  /** Who can read a channel. Throws a VendorError when Slack does not say. Reused for a while. */
  audienceOf(channel: string): Promise<Audience>;
}

/** Everybody in the workspace, its members alone, or people of another company too. */
export type Audience = 'everyone' | 'members' | 'outside';

const pageSize = 1_000;
/** Maximum pages of members read; anyone on later pages counts as absent. */
const maxPages = 10;

const infoSchema = z.object({
  is_channel: z.boolean().default(false),
  is_private: z.boolean().default(false),
  is_im: z.boolean().default(false),
  is_mpim: z.boolean().default(false),
  is_ext_shared: z.boolean().default(false),
});

type Members = ReadonlySet<string> | 'public';

export function createChannels(
  call: Call,
  { now, keepMs }: { now: () => Date; keepMs: () => number },
): Channels {
  const known = reused(now, (channel) => membersOf(call, channel));
  const audiences = reused(now, (channel) => readAudience(call, channel));
  return {
    audienceOf: (channel) => audiences(channel, keepMs()),
    async isIn(userId, channel) {
      try {
        const members = await known(channel, keepMs());
        return members === 'public' || members.has(userId);
      } catch (error) {
        if (error instanceof VendorError) return false;
        throw error;
      }
    },
  };
}

async function infoOf(call: Call, channel: string): Promise<{ isPublic: boolean; isShared: boolean }> {
  const answer = await call('conversations.info', 'again', (client) =>
    client.conversations.info({ channel }),
  );
  const info = readAnswer(infoSchema, answer.channel, 'conversations.info');
  const isPublic = info.is_channel && !info.is_private && !info.is_im && !info.is_mpim;
  return { isPublic, isShared: info.is_ext_shared };
}

async function readAudience(call: Call, channel: string): Promise<Audience> {
  const { isPublic, isShared } = await infoOf(call, channel);
  if (isShared) return 'outside';
  return isPublic ? 'everyone' : 'members';
}

async function membersOf(call: Call, channel: string): Promise<Members> {
  if ((await infoOf(call, channel)).isPublic) return 'public';
  const members = new Set<string>();
  let cursor = '';
  for (let page = 0; page < maxPages; page += 1) {
    const of = { channel, limit: pageSize, ...(cursor === '' ? {} : { cursor }) };
    const found = await call('conversations.members', 'again', (client) => client.conversations.members(of));
    for (const id of found.members ?? []) members.add(id);
    cursor = found.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return members;
}
