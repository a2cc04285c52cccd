import { Icon } from '../icon.tsx';
import type { Channel } from '../model.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';

interface ThreadProps {
  channel: Channel;
  ts: string;
  onClose: () => void;
}

export function Thread({ channel, ts, onClose }: ThreadProps) {
  const messages = channel.messages.filter((one) => one.ts === ts || one.threadTs === ts);
  return (
    <aside className="thread" aria-label="Thread">
      <header className="conversation-head">
        <h3>Thread</h3>
        <button type="button" className="icon-button" aria-label="Close thread" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <MessageList key={ts} name="Thread messages" messages={messages} channel={channel.id} />
      <Composer channel={channel.id} threadTs={ts} name="Reply in thread" />
    </aside>
  );
}
