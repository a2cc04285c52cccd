import { useEffect, useMemo, useState } from 'react';
import { useAddress } from '../address.ts';
import type { Channel } from '../model.ts';
import { useSandbox } from '../sandbox-context.ts';
import { AppHome } from './app-home.tsx';
import { ChannelList, directMessages, placesOf } from './channel-list.tsx';
import { Conversation, Thread } from './conversation.tsx';
import { Modal } from './modal.tsx';

export function SlackPane({ narrow }: { narrow: boolean }) {
  const { as, state, send } = useSandbox();
  const { channels, views } = state.slack;
  const [wanted, setWanted] = useAddress('channel', 'C0OPS');
  const [thread, setThread] = useAddress('thread', '');
  const channel = channelAt(channels, wanted);
  const current = channel ? (channel.isIm ? directMessages : channel.id) : wanted;
  const newest = channel?.messages.at(-1)?.ts;
  const unread = useUnread(as);
  useEffect(() => unread.markSeen(channel?.id ?? '', newest), [unread, channel?.id, newest]);
  const unopened = wanted === directMessages && channel === undefined;
  useEffect(() => {
    // Slack creates the direct messages with an app when a person first opens the app.
    if (unopened) void send('POST', '/api/slack/home', { as });
  }, [unopened, as, send]);
  const places = placesOf(channels, (one) => one.id !== channel?.id && unread.isUnread(one));
  const root = channel?.messages.find((one) => one.ts === thread);
  const modal = views.at(-1);
  return (
    <div className={root ? 'slack slack-with-thread' : 'slack'}>
      <ChannelList
        places={places}
        current={current}
        narrow={narrow}
        onOpen={(id) => {
          setWanted(id);
          setThread('');
        }}
      />
      {channel ? <Conversation key={channel.id} channel={channel} onThread={setThread} /> : null}
      {channel && root ? <Thread channel={channel} ts={root.ts} onClose={() => setThread('')} /> : null}
      {wanted === 'home' ? <AppHome /> : null}
      {modal ? <Modal key={modal.id} view={modal} /> : null}
    </div>
  );
}

/** The requested channel, or the first one if this person is not in it; none for the home tab. */
function channelAt(channels: Channel[], wanted: string): Channel | undefined {
  if (wanted === 'home') return undefined;
  if (wanted === directMessages) return channels.find((one) => one.isIm);
  return channels.find((one) => one.id === wanted) ?? channels[0];
}

interface Unread {
  isUnread: (channel: Channel) => boolean;
  markSeen: (channel: string, ts: string | undefined) => void;
}

/** Messages since the page was opened that this person has not seen; kept in memory only. */
function useUnread(as: string): Unread {
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
