import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { describeError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { Log } from '../../core/log.ts';
import { end, oneHeader, type Route, refuse } from '../http/door.ts';

export const webhookPath = '/pagerduty/webhook';
/** PagerDuty drops payloads above 256 kB. */
const maxBytes = 256 * 1024;
/** During a rotation there are two; nobody signs with many. */
const maxSignatures = 10;
const signaturePattern = /^v1=[0-9a-f]{64}$/;

/** The only data taken from a delivery. The incident's state is read from PagerDuty itself. */
export interface IncidentEvent {
  readonly type: 'incident';
  /** The same for every delivery of one event. */
  readonly key: string;
  /** PagerDuty's id. */
  readonly incident: string;
}

export interface WebhookOptions {
  /** Any of them may have signed: during a rotation the new and the old one are both valid. */
  readonly secrets: readonly string[];
  /** Stores it. Resolves when it may be acknowledged; false for a repeated one. */
  accept(event: IncidentEvent): Promise<boolean>;
  /** Processes an accepted event, after the acknowledgement. Never throws. */
  work(event: IncidentEvent): Promise<void>;
  readonly log: Log;
}

const eventSchema = z.object({
  event: z.object({
    id: z.string().min(1).max(100),
    event_type: z.string().max(100),
    data: z.object({ type: z.string(), id: z.string().regex(/^\w{1,32}$/) }).nullish(),
  }),
});

/** Admits requests that PagerDuty signed with one of our secrets; the inbox recognises repetitions. */
export function webhookRoute({ secrets, accept, work, log }: WebhookOptions): Route {
  const forged = (): void => log.warn({}, 'Webhook without a valid PagerDuty signature');
  return {
    path: webhookPath,
    maxBytes,
    admits(request) {
      if (signaturesIn(oneHeader(request, 'x-pagerduty-signature')).length > 0) return true;
      forged();
      return false;
    },
    async enter(body, request, response) {
      const given = signaturesIn(oneHeader(request, 'x-pagerduty-signature'));
      if (!isGenuine(body, given, secrets)) {
        forged();
        return refuse(response, 401);
      }
      const event = readEvent(body);
      // A ping, a note, a service: nothing that a thread waits for. An error would make PagerDuty stop sending.
      if (event === null) return end(response, 202);
      const isNew = await accept(event).catch((error: unknown) => {
        log.warn({ ...describeError(error) }, 'A webhook could not be stored; PagerDuty sends it again');
        return null;
      });
      end(response, isNew === null ? 503 : 202);
      if (isNew === true) await work(event);
    },
  };
}

function signaturesIn(header: string | undefined): string[] {
  const all = (header ?? '').split(',').map((one) => one.trim());
  return all.filter((one) => signaturePattern.test(one)).slice(0, maxSignatures);
}

function isGenuine(body: Buffer, given: readonly string[], secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    const wanted = Buffer.from(`v1=${createHmac('sha256', secret).update(body).digest('hex')}`);
    return given.some((one) => timingSafeEqual(Buffer.from(one), wanted));
  });
}

/** Null for events that are not about an incident itself. */
function readEvent(body: Buffer): IncidentEvent | null {
  const parsed = eventSchema.safeParse(parseJson(body.toString()));
  const { id, event_type: type, data } = parsed.data?.event ?? {};
  if (id === undefined || data?.type !== 'incident' || !type?.startsWith('incident.')) return null;
  return { type: 'incident', key: `pagerduty:${id}`, incident: data.id };
}
