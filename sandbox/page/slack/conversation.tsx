import { Icon } from '../icon.tsx';
import type { Channel } from '../model.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';

interface ConversationProps {
  channel: Channel;
  onThread: (ts: string) => void;
}

export function Conversation({ channel, onThread }: ConversationProps) {
  const messages = channel.messages.filter((one) => one.threadTs === undefined || one.threadTs === one.ts);
  const name = channel.isIm ? channel.name : `#${channel.name}`;
  return (
    <div className="conversation">
      <header className="conversation-head">
        <h3>{name}</h3>
        <span className="muted topic">{channel.topic}</span>
      </header>
      {messages.length === 0 ? (
        <p className="empty">
          Nothing here yet. Try{' '}
          <code>
            /plan Check Jira ticket count, compare with SLA, and notify on-call engineer if breached
          </code>
        </p>
      ) : (
        <MessageList
          name={`Messages in ${name}`}
          messages={messages}
          channel={channel.id}
          onThread={onThread}
        />
      )}
      <Composer channel={channel.id} name={`Message to ${name}`} />
    </div>
  );
}

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
