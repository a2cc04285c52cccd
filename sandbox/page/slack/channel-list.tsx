import type { Channel } from '../model.ts';

export interface Place {
  id: string;
  name: string;
  group: 'Channels' | 'Countersign app';
  unread: boolean;
}

interface ChannelListProps {
  places: Place[];
  current: string;
  narrow: boolean;
  onOpen: (id: string) => void;
}

export function ChannelList({ places, current, narrow, onOpen }: ChannelListProps) {
  const groups = [...new Set(places.map((one) => one.group))];
  if (narrow) {
    return (
      <label className="channel-select">
        <span className="visually-hidden">Channel</span>
        <select className="input" value={current} onChange={(event) => onOpen(event.target.value)}>
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {places
                .filter((one) => one.group === group)
                .map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                    {one.unread ? ' (new)' : ''}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
    );
  }
  return (
    <nav className="channels" aria-label="Channels">
      {groups.map((group) => (
        <div key={group}>
          <h3>{group}</h3>
          <ul>
            {places
              .filter((one) => one.group === group)
              .map((one) => (
                <li key={one.id}>
                  <button
                    type="button"
                    className={one.unread ? 'channel channel-unread' : 'channel'}
                    aria-current={one.id === current ? 'page' : undefined}
                    onClick={() => onOpen(one.id)}
                  >
                    {one.name}
                    {one.unread ? <span className="visually-hidden"> (new)</span> : null}
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Address of the direct messages with the bot, the same whoever acts. */
export const directMessages = 'dm';

/** The acting person's places: their channels, their direct messages with the app, and the app's home. */
export function placesOf(channels: Channel[], isUnread: (channel: Channel) => boolean): Place[] {
  const direct = channels.find((one) => one.isIm);
  return [
    ...channels
      .filter((one) => !one.isIm)
      .map((one): Place => ({ id: one.id, name: `# ${one.name}`, group: 'Channels', unread: isUnread(one) })),
    {
      id: directMessages,
      name: 'Messages',
      group: 'Countersign app',
      unread: direct !== undefined && isUnread(direct),
    },
    { id: 'home', name: 'Home', group: 'Countersign app', unread: false },
  ];
}
