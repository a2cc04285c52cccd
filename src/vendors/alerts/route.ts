import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AlertsEvent, ReadAlerts } from '../../core/alert.ts';
import { describeError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { end, type Route, refuse } from '../http/door.ts';
import { isAdmitted, isSigned } from './auth.ts';
import type { NeededLabels } from './bounded-alert.ts';
import type { AlertDoor } from './door.ts';
import { readAlerts } from './read.ts';
import { confirmSubscription, isSignedBySns, readSns, type SnsAccess } from './sns.ts';

const alertsPath = '/alerts/';
/** A thousand alerts with all that people write into them. */
const maxBytes = 2 * 1024 * 1024;

/** A workspace's door. Several workspaces may have one of the same name, each with a secret of its own. */
export interface AlertTaker {
  readonly door: AlertDoor;
  /** Labels that its rules name. */
  readonly needed: NeededLabels;
  /** Stores a delivery. Resolves when it may be acknowledged; false for a repeated one. */
  accept(event: AlertsEvent): Promise<boolean>;
  /** Processes an accepted delivery, after the acknowledgement. Never throws. */
  work(event: AlertsEvent): Promise<void>;
}

export interface AlertRouteOptions {
  readonly takers: () => readonly AlertTaker[];
  readonly sns: SnsAccess;
  readonly now: () => Date;
  readonly log: Log;
}

/** A delivery after its caller has proved who it is. */
type Delivery =
  | { readonly kind: 'forged' | 'nothing' }
  | { readonly kind: 'alerts'; readonly id: string; readonly read: ReadAlerts | null };

/** Takes alerts in: each delivery is stored before it is acknowledged. */
export function alertRoute({ takers, sns, now, log }: AlertRouteOptions): Route {
  const admitting = (request: IncomingMessage): AlertTaker[] => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.slice(alertsPath.length);
    return takers().filter(({ door }) => door.name === name && isAdmitted(request, door.auth));
  };
  const forged = (): void => log.warn({}, 'A delivery of alerts without a valid secret or signature');

  async function delivered(body: Buffer, request: IncomingMessage, taker: AlertTaker): Promise<Delivery> {
    const { door, needed } = taker;
    const text = body.toString();
    if (door.auth.kind !== 'sns') {
      if (!isSigned(body, request, door.auth, now())) return { kind: 'forged' };
      return { kind: 'alerts', id: randomUUID(), read: readAlerts(text, door.format, needed) };
    }
    const message = readSns(text, door.auth.topics);
    if (message === null || !(await isSignedBySns(message, sns, now()))) return { kind: 'forged' };
    if (message.Type === 'SubscriptionConfirmation') {
      await confirmSubscription(message, sns);
      log.info({ door: door.name, topic: message.TopicArn }, 'Confirmed the subscription to an SNS topic');
    }
    if (message.Type !== 'Notification') return { kind: 'nothing' };
    return { kind: 'alerts', id: message.MessageId, read: readAlerts(message.Message, door.format, needed) };
  }

  return {
    path: alertsPath,
    maxBytes,
    admits(request) {
      if (admitting(request).length > 0) return true;
      forged();
      return false;
    },
    async enter(body, request, response) {
      try {
        const all = await Promise.all(
          admitting(request).map(async (taker) => ({ taker, ...(await delivered(body, request, taker)) })),
        );
        const known = all.filter(({ kind }) => kind !== 'forged');
        if (known.length === 0) {
          forged();
          return refuse(response, 401);
        }
        const events = known.flatMap((one) => (one.kind === 'alerts' ? [toTake(one.taker, one)] : []));
        const fresh = await Promise.all(events.map(({ taker, event }) => taker.accept(event)));
        // It is counted in the hourly line, too; the caller sees that its payload is not understood.
        const isUnread = events.some(({ event }) => event.alerts.length === 0 && event.unread > 0);
        end(response, isUnread ? 400 : 202);
        await Promise.all(
          events.filter((_one, nth) => fresh[nth]).map(({ taker, event }) => taker.work(event)),
        );
      } catch (error) {
        log.warn(describeError(error), 'Alerts could not be stored; their sender tries again');
        end(response, 503);
      }
    },
  };
}

function toTake(taker: AlertTaker, { id, read }: { id: string; read: ReadAlerts | null }) {
  const { name } = taker.door;
  const event: AlertsEvent = {
    ...{ type: 'alerts', key: `alerts:${name}:${id}`, door: name },
    ...(read ?? { alerts: [], unread: 1 }),
  };
  return { taker, event };
}
