import type { Message } from '../blocks/message.ts';
import { describeError } from '../core/errors.ts';
import { type Life, type LifeEvent, type OwnChange, withOwn } from '../core/incident-history.ts';
import type { Log } from '../core/log.ts';
import { own } from '../core/own-property.ts';
import type { RunEvent } from '../core/run.ts';
import { cannotBeRead, followedNoMore, goneFromPagerDuty } from '../report/incident-words.ts';

/** A stored incident that runs have opened. */
export interface Followed {
  readonly id: string;
  readonly life: Life | null;
  /** Keys of the events already reported in threads. */
  readonly told: readonly string[];
  readonly openedAt: Date;
  readonly failures: number;
}

/** An incident's new state with its messages, stored atomically. */
export interface FollowStep {
  readonly life: Life | null;
  /** Events that are new. */
  readonly fresh: readonly LifeEvent[];
  /** Sent to every thread in addition to the events; null for nothing. */
  readonly word: { readonly key: string; readonly message: Message } | null;
  /** Time of the next read; null for never. */
  readonly lookAt: Date | null;
  readonly failures: number;
}

export interface FollowPort {
  /** Starts to follow incidents opened by runs whose process did not get to report them. */
  adopt(): Promise<void>;
  /** Claims due incidents, and keeps them from other processes while they are read. */
  due(): Promise<readonly Followed[]>;
  get(id: string): Promise<Followed | null>;
  /** True while one of our runs may be changing it. */
  isBusy(id: string): Promise<boolean>;
  /** Postpones its next read. */
  putOff(id: string, at: Date): Promise<void>;
  /** Its state in PagerDuty; null if there is none with this id. */
  life(id: string): Promise<Life | null>;
  /** Changes that our runs made to it. */
  ownChanges(id: string): Promise<readonly OwnChange[]>;
  /** Locks the row, gets the step, and stores it with its messages. `seen` is its state a moment ago. */
  advance(seen: Followed, step: (now: Followed) => FollowStep | null): Promise<void>;
  /** PagerDuty sends webhooks, so polling only catches lost ones. */
  readonly isTold: boolean;
  readonly now: () => Date;
  readonly log: Log;
}

const minute = 60_000;
/** Hours after which an unresolved incident is no longer followed. */
const maxHours = 24;
/** Consecutive failures before people are notified. */
const tellAfter = 5;

/** Milliseconds until our own run may have ended: only then is its approver known. */
const busyMs = 1_000;
/** Milliseconds. */
const soonMs = 10_000;

/** Milliseconds until the next read: frequent while people wait for somebody to take it, then less and less. */
export function pauseFor(
  openMs: number,
  { isTold, failures }: { isTold: boolean; failures: number },
): number {
  const base = isTold || openMs > 60 * minute ? 5 * minute : openMs > 10 * minute ? minute : soonMs;
  return Math.min(10 * minute, base * 2 ** Math.min(failures, 6));
}

/** Checks every due incident. */
export async function followRound(port: FollowPort): Promise<void> {
  for (const followed of await port.due()) {
    await look(followed, port, { isTold: false }).catch((error: unknown) =>
      port.log.warn({ incident: followed.id, ...describeError(error) }, 'An incident could not be followed'),
    );
  }
}

/** PagerDuty reported a change to an incident: the details are read there, even if the report is late or repeated. */
export async function incidentChanged(id: string, port: FollowPort): Promise<void> {
  await port.adopt();
  const followed = await port.get(id);
  if (followed !== null) await look(followed, port, { isTold: true });
}

/** Incidents that one of our runs opened or changed. */
export function incidentsIn(event: RunEvent): readonly string[] {
  if (event.type !== 'finished' || event.mode !== 'run') return [];
  const ids = event.results.flatMap(({ status, result }) => {
    const id = status === 'succeeded' ? own(result ?? {}, 'incident') : undefined;
    return typeof id === 'string' ? [id] : [];
  });
  return [...new Set(ids)];
}

/** `isTold`: PagerDuty has just reported a change. */
async function look(seen: Followed, port: FollowPort, { isTold }: { isTold: boolean }): Promise<void> {
  const { now } = port;
  const { id } = seen;
  if (await port.isBusy(id)) return port.putOff(id, new Date(now().getTime() + busyMs));
  try {
    const [life, own] = await Promise.all([port.life(id), port.ownChanges(id)]);
    await port.advance(seen, (stored) => {
      if (life === null) return gone(stored);
      // Two processes may have asked: the older answer has nothing new.
      if (stored.life !== null && stored.life.changedAt > life.changedAt) return null;
      const events = withOwn(life.events, own);
      const fresh = events.filter(({ key }) => !stored.told.includes(key));
      const openMs = now().getTime() - stored.openedAt.getTime();
      const step = { life: { ...life, events }, fresh, word: null, failures: 0 };
      if (life.state === 'resolved') return { ...step, lookAt: null };
      if (openMs > maxHours * 60 * minute) return { ...step, word: over(life, id), lookAt: null };
      // The change may reach PagerDuty's log a moment later.
      const pause =
        isTold && fresh.length === 0 ? soonMs : pauseFor(openMs, { isTold: port.isTold, failures: 0 });
      return { ...step, lookAt: new Date(now().getTime() + pause) };
    });
  } catch (error) {
    await notRead(seen, error, port);
  }
}

function gone({ id, life }: Followed): FollowStep {
  const word = { key: 'gone', message: goneFromPagerDuty(id) };
  return { life, fresh: [], word, lookAt: null, failures: 0 };
}

function over(life: Life | null, id: string): FollowStep['word'] {
  return { key: 'over', message: followedNoMore(life, id, maxHours) };
}

async function notRead(seen: Followed, error: unknown, port: FollowPort): Promise<void> {
  const { id } = seen;
  const { code, message } = describeError(error);
  port.log.warn({ incident: id, code, message }, 'An incident could not be looked at');
  await port.advance(seen, ({ life, failures: before, openedAt }) => {
    const failures = before + 1;
    const openMs = port.now().getTime() - openedAt.getTime();
    if (openMs > maxHours * 60 * minute)
      return { life, fresh: [], word: over(life, id), lookAt: null, failures };
    const key = `unread:${openedAt.getTime()}`;
    const word = failures === tellAfter ? { key, message: cannotBeRead(life, id, message) } : null;
    const pause = pauseFor(openMs, { isTold: port.isTold, failures });
    return { life, fresh: [], word, lookAt: new Date(port.now().getTime() + pause), failures };
  });
}
