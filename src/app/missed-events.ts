import { eventsHeldBack } from '../report/operator-words.ts';
import type { World } from './world.ts';

type Needed = Pick<World, 'catalogue' | 'reporting' | 'teamId' | 'log'>;

/** Tells the default channel, once an hour, that Slack held events back; the log says it every time. */
export async function tellMissedEvents(world: Needed, minute: Date): Promise<void> {
  const { catalogue, reporting, teamId, log } = world;
  const channel = catalogue.channels.find(({ name }) => name === catalogue.defaults.channel);
  if (channel === undefined) {
    log.warn({}, 'No channel to tell of missed events: set defaults.channel in countersign.yml');
    return;
  }
  const key = `missed-events:${minute.toISOString().slice(0, 13)}`;
  const place = { kind: 'channel', channel: channel.id, threadTs: null } as const;
  await reporting.send(teamId, place, key, eventsHeldBack(minute));
}
