import { type HandoverPort, handover } from '../report/handover.ts';
import type { Books } from './books.ts';
import type { Reporting } from './reporting.ts';

/** Posts what the next shift has to know to a channel, once under its key. */
export type HandOver = (channel: string, hours: number, key: string) => Promise<void>;

export function handingOver({
  teamId,
  reporting,
  about,
  now,
}: Pick<Books, 'teamId'> & {
  readonly reporting: Pick<Reporting, 'send'>;
  readonly about: HandoverPort;
  readonly now: () => Date;
}): HandOver {
  return async (channel, hours, key) => {
    const since = new Date(now().getTime() - hours * 3_600_000);
    const message = await handover(channel, since, about);
    await reporting.send(teamId, { kind: 'channel', channel, threadTs: null }, `handover:${key}`, message);
  };
}
