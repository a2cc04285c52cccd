import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Alert } from '../../core/alert.ts';
import { cut, oneLine } from '../../core/clean-text.ts';
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
  /** Stores it, with the incident as an alert if it began or ended. False for a repeated one; then it may be acknowledged. */
  accept(event: IncidentEvent, alert: Alert | null): Promise<boolean>;
  /** Processes an accepted event, after the acknowledgement. Never throws. */
  work(event: IncidentEvent): Promise<void>;
  readonly log: Log;
}

const named = z.object({ id: z.string().max(100), summary: z.string().nullish() });
const eventSchema = z.object({
  event: z.object({
    id: z.string().min(1).max(100),
    event_type: z.string().max(100),
    occurred_at: z.string().nullish().catch(null),
    data: z.object({ type: z.string(), id: z.string().regex(/^\w{1,32}$/) }).nullish(),
  }),
});
/** The fields of an incident that rules about alerts may look at. */
const alertSchema = z.object({
  event: z.object({
    data: z.object({
      id: z.string(),
      title: z.string(),
      html_url: z.string().nullish(),
      created_at: z.string().nullish(),
      urgency: z.string().nullish(),
      incident_key: z.string().max(300).nullish(),
      priority: named.nullish(),
      service: named,
    }),
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
      const isNew = await accept(event, readAlert(body)).catch((error: unknown) => {
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

/** Null for events that neither open nor end an incident. */
function readAlert(body: Buffer): Alert | null {
  const given = parseJson(body.toString());
  const { event_type: type, occurred_at: at = null } = eventSchema.safeParse(given).data?.event ?? {};
  const { data } = alertSchema.safeParse(given).data?.event ?? {};
  const isOver = type === 'incident.resolved';
  if (data === undefined || (type !== 'incident.triggered' && !isOver)) return null;
  const { id, title, html_url: link, created_at: since = null, urgency, priority, service } = data;
  const labels = {
    ...{
      service: service.summary ?? service.id,
      service_id: service.id,
      urgency,
      title: cut(oneLine(title), 300),
    },
    ...{ priority: priority?.summary, incident_key: data.incident_key },
  };
  const said = Object.entries(labels).filter((one): one is [string, string] => Boolean(one[1]));
  return {
    ...{ fingerprint: id, state: isOver ? 'resolved' : 'firing', labels: Object.fromEntries(said) },
    ...{ title: cut(oneLine(title), 300) || 'Incident without a title', text: '', link: link ?? '' },
    ...{ since: moment(since), until: isOver ? moment(at) : null },
  };
}

function moment(said: string | null): string | null {
  return said === null || Number.isNaN(Date.parse(said)) ? null : new Date(said).toISOString();
}
