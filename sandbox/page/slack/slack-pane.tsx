import { useEffect } from 'react';
import { useAddress } from '../address.ts';
import { useSandbox } from '../sandbox-context.ts';
import { AppHome } from './app-home.tsx';
import { ChannelList, placesOf } from './channel-list.tsx';
import { Conversation } from './conversation.tsx';
import { Modal } from './modal.tsx';
import { Thread } from './thread.tsx';
import { useUnread } from './use-unread.ts';

export function SlackPane({ narrow }: { narrow: boolean }) {
  const { as, state } = useSandbox();
  const { channels, views } = state.slack;
  const [wanted, setWanted] = useAddress('channel', 'C0OPS');
  const [thread, setThread] = useAddress('thread', '');
  const channel = channels.find((one) => one.id === wanted) ?? channels[0];
  const current = wanted === 'home' ? 'home' : (channel?.id ?? '');
  const unread = useUnread(as);
  const newest = channel?.messages.at(-1)?.ts;
  useEffect(() => unread.markSeen(current, newest), [unread, current, newest]);
  const places = placesOf(channels, (one) => one.id !== current && unread.isUnread(one));
  const root = channel?.messages.find((one) => one.ts === thread);
  const modal = views.at(-1);
  return (
    <div className={root && current !== 'home' ? 'slack slack-with-thread' : 'slack'}>
      <ChannelList
        places={places}
        current={current}
        narrow={narrow}
        onOpen={(id) => {
          setWanted(id);
          setThread('');
        }}
      />
      {current === 'home' || !channel ? <AppHome /> : <Conversation channel={channel} onThread={setThread} />}
      {channel && root && current !== 'home' ? (
        <Thread channel={channel} ts={root.ts} onClose={() => setThread('')} />
      ) : null}
      {modal ? <Modal key={modal.id} view={modal} /> : null}
    </div>
  );
}
