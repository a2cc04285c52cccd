import { useState } from 'react';
import { useSandbox } from '../sandbox-context.ts';

interface ComposerProps {
  channel: string;
  /** The label of the box, such as `Message to #ops`. */
  name: string;
  threadTs?: string | undefined;
}

/** Text starting with a slash is a command, as in Slack; anything else becomes a message. */
export function Composer({ channel, name, threadTs }: ComposerProps) {
  const { as, state, send } = useSandbox();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const slash = /^\/\S+/u.exec(text)?.[0];
  const refused = slash !== undefined && threadTs !== undefined;
  const command = state.slack.commands.find((one) => one.command === slash);

  async function submit() {
    if (text.trim() === '' || refused || busy) return;
    setBusy(true);
    const sent =
      slash === undefined
        ? await send('POST', '/api/slack/message', { as, channel, text, ...(threadTs ? { threadTs } : {}) })
        : await send('POST', '/api/slack/command', {
            as,
            channel,
            command: slash,
            text: text.slice(slash.length).trim(),
          });
    setBusy(false);
    if (sent) setText('');
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {refused ? <p className="composer-hint">Slack does not take slash commands in threads.</p> : null}
      {command && !refused ? (
        <p className="composer-hint">
          <code>
            {command.command} {command.usageHint}
          </code>{' '}
          {command.description}
        </p>
      ) : null}
      <div className="composer-row">
        <textarea
          className="input"
          rows={Math.min(6, Math.max(1, text.split('\n').length, Math.ceil(text.length / 60)))}
          value={text}
          aria-label={name}
          placeholder={name}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void submit();
          }}
        />
        <button
          type="submit"
          className="button button-primary"
          disabled={busy || refused || text.trim() === ''}
        >
          Send
        </button>
      </div>
    </form>
  );
}
