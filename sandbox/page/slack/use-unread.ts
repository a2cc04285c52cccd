import { useMemo, useState } from 'react';
import type { Channel } from '../model.ts';

export interface Unread {
  isUnread: (channel: Channel) => boolean;
  markSeen: (channel: string, ts: string | undefined) => void;
}

/** Messages since the page was opened that this person has not seen; kept in memory only. */
export function useUnread(as: string): Unread {
  const [opened] = useState(() => Date.now() / 1000);
  const [seen] = useState(() => new Map<string, number>());
  return useMemo(
    () => ({
      isUnread: (channel) => {
        const last = channel.messages.findLast((message) => message.user !== as);
        return Number(last?.ts ?? 0) > (seen.get(`${as} ${channel.id}`) ?? opened);
      },
      markSeen: (channel, ts) => {
        if (ts !== undefined) seen.set(`${as} ${channel}`, Math.max(opened, Number(ts)));
      },
    }),
    [as, opened, seen],
  );
}
