import { useState } from 'react';
import type { Person } from '../world.ts';
import { Dialog } from './dialog.tsx';
import { PopupMenu } from './popup-menu.tsx';
import { Avatar } from './slack/avatar.tsx';

interface HeaderProps {
  people: readonly Person[];
  as: string;
  theme: 'light' | 'dark';
  connected: boolean;
  onAs: (id: string) => void;
  onTheme: (theme: 'light' | 'dark') => void;
  onReset: () => void;
}

export function Header({ people, as, theme, connected, onAs, onTheme, onReset }: HeaderProps) {
  const [asking, setAsking] = useState(false);
  const me = people.find((one) => one.id === as);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <header className="top">
      <h1>Countersign sandbox</h1>
      <span className="connection" role="status">
        {connected ? '' : 'Connection lost, trying again…'}
      </span>
      <label className="act-as">
        <Avatar id={as} name={me?.realName ?? as} />
        <span className="act-as-label">Act as</span>
        <select className="input" value={as} onChange={(event) => onAs(event.target.value)}>
          {people.map((one) => (
            <option key={one.id} value={one.id}>
              {one.realName}, {one.title}
            </option>
          ))}
        </select>
      </label>
      <PopupMenu
        name="Settings"
        items={[
          { name: `Use the ${other} theme`, run: () => onTheme(other) },
          { name: 'Start over', run: () => setAsking(true) },
        ]}
      />
      {asking ? (
        <Dialog title="Start over?" className="dialog-small" onClose={() => setAsking(false)}>
          <div className="dialog-body">
            <p>
              Messages, issues and pages go back to how they were at the start. The bot keeps its own records.
            </p>
          </div>
          <footer className="dialog-foot">
            <button type="button" className="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
            <button
              type="button"
              className="button button-danger"
              onClick={() => {
                setAsking(false);
                onReset();
              }}
            >
              Start over
            </button>
          </footer>
        </Dialog>
      ) : null}
    </header>
  );
}
