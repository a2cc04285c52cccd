import type { Catalogue } from '../core/catalogue.ts';
import type { Log } from '../core/log.ts';
import { eventsHeldBack } from '../report/operator-words.ts';
import type { Reporting } from './reporting.ts';

export interface MissedEventsDeps {
  readonly teamId: string;
  readonly catalogue: Catalogue;
  readonly reporting: Pick<Reporting, 'send'>;
  readonly log: Log;
}

/** Tells the default channel, at most once an hour, that Slack held events back; the log has it every time. */
export async function tellMissedEvents(deps: MissedEventsDeps, minute: Date): Promise<void> {
  const { catalogue, reporting, teamId, log } = deps;
  const channel = catalogue.channels.find(({ name }) => name === catalogue.defaults.channel);
  if (channel === undefined) {
    log.warn({}, 'No channel to tell of missed events: set defaults.channel in countersign.yml');
    return;
  }
  const key = `missed-events:${minute.toISOString().slice(0, 13)}`;
  const place = { kind: 'channel', channel: channel.id, threadTs: null } as const;
  await reporting.send(teamId, place, key, eventsHeldBack(minute));
}
