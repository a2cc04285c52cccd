import { BlockList } from '../blocks/block-list.tsx';
import { actionIdOf, entryOf } from '../blocks/field-value.ts';
import { clockTime } from '../blocks/slack-date.ts';
import { Mrkdwn } from '../blocks/text.tsx';
import { Icon } from '../icon.tsx';
import type { Message as MessageState } from '../model.ts';
import { PopupMenu } from '../popup-menu.tsx';
import { useDirectory, useSandbox } from '../sandbox-context.ts';
import { Avatar } from './avatar.tsx';
import { Boundary } from './boundary.tsx';

interface MessageProps {
  message: MessageState;
  channel: string;
  /** Opens the thread of this message; absent inside a thread. */
  onThread?: (ts: string) => void;
}

export function Message({ message, channel, onThread }: MessageProps) {
  const { as, state, send } = useSandbox();
  const name =
    useDirectory().nameOf(message.user) ?? (message.user === 'USLACKBOT' ? 'Slackbot' : message.user);
  const app = message.isBot;
  const time = clockTime(new Date(Number(message.ts) * 1000), new Date());
  const hidden = message.ephemeralFor !== undefined;
  const shortcuts = state.slack.messageShortcuts.map((one) => ({
    name: one.name,
    run: () =>
      void send('POST', '/api/slack/shortcut', { as, channel, ts: message.ts, callbackId: one.callbackId }),
  }));
  const items = [
    ...(onThread ? [{ name: 'Reply in thread', run: () => onThread(message.ts) }] : []),
    ...shortcuts,
  ];
  return (
    <article
      className={hidden ? 'message message-private' : 'message'}
      aria-label={`${name}, ${time}`}
      data-ts={message.ts}
    >
      <Avatar id={message.user} name={name} app={app} />
      <div className="message-body">
        {hidden ? (
          <p className="private-mark">
            <Icon name="eye" />
            Only visible to you
          </p>
        ) : null}
        <header className="message-head">
          <strong>{name}</strong>
          {app ? <span className="app-mark">App</span> : null}
          <time>{time}</time>
          {message.edited && !app ? <span className="muted">(edited)</span> : null}
        </header>
        <Boundary what="message">
          <MessageContent message={message} channel={channel} />
        </Boundary>
        {onThread && message.replyCount > 0 ? (
          <button type="button" className="link-button" onClick={() => onThread(message.ts)}>
            {message.replyCount === 1 ? '1 reply' : `${message.replyCount} replies`}
          </button>
        ) : null}
      </div>
      {hidden || items.length === 0 ? null : (
        <div className="message-menu">
          <PopupMenu name="Message actions" items={items} />
        </div>
      )}
    </article>
  );
}

function MessageContent({ message, channel }: { message: MessageState; channel: string }) {
  const { as, send } = useSandbox();
  return (
    <>
      {message.blocks.length > 0 ? (
        <BlockList
          blocks={message.blocks}
          onAct={(blockId, element, value) =>
            send('POST', '/api/slack/click', {
              as,
              channel,
              ts: message.ts,
              blockId,
              actionId: actionIdOf(element),
              value: entryOf(element, value),
            })
          }
        />
      ) : (
        <Mrkdwn text={message.text} />
      )}
    </>
  );
}
