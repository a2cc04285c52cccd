import { useLayoutEffect, useRef } from 'react';
import type { Message as MessageState } from '../model.ts';
import { Message } from './message.tsx';

interface MessageListProps {
  name: string;
  messages: MessageState[];
  channel: string;
  onThread?: (ts: string) => void;
}

/** Follows the newest message while the reader is at the end, and stays put when they have scrolled up. */
export function MessageList({ name, messages, channel, onThread }: MessageListProps) {
  const ref = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card that grows must move the view, too
  useLayoutEffect(() => {
    if (atEnd.current && ref.current) ref.current.scrollTop = ref.current.scrollHeight;
  }, [messages]);
  return (
    <div
      ref={ref}
      className="messages"
      role="log"
      aria-label={name}
      onScroll={({ currentTarget: box }) => {
        atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      }}
    >
      <div className="messages-inner">
        {messages.map((message) => (
          <Message
            key={`${message.ts} ${message.ephemeralFor ?? ''}`}
            message={message}
            channel={channel}
            {...(onThread ? { onThread } : {})}
          />
        ))}
      </div>
    </div>
  );
}
