import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogEntry, LogEntryKind } from './model.ts';
import { incidentJson, type RestSite } from './render.ts';

export interface WebhookOptions {
  /** The target of deliveries. */
  readonly url: string;
  /** Each of them signs; several during a rotation. */
  readonly secrets: readonly string[];
}

/** A delivery as sent. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const eventTypes: Partial<Record<LogEntryKind, string>> = {
  trigger: 'incident.triggered',
  acknowledge: 'incident.acknowledged',
  unacknowledge: 'incident.unacknowledged',
  resolve: 'incident.resolved',
  assign: 'incident.reassigned',
  escalate: 'incident.escalated',
};
/** PagerDuty makes five attempts over 20 minutes; here the pauses are short. */
const pausesMs = [0, 200, 500, 1_000, 2_000];

/** V3 webhooks: incident events in sequence, signed, and repeated on 5xx or without an answer. */
export function startWebhooks(site: RestSite, { url, secrets }: WebhookOptions): { idle(): Promise<void> } {
  let last: Promise<void> = Promise.resolve();
  site.store.onEntry((entry) => {
    const delivery = deliveryOf(site, entry, secrets);
    if (delivery !== null) last = last.then(() => send(url, delivery));
  });
  return { idle: () => last };
}

export function deliveryOf(site: RestSite, entry: LogEntry, secrets: readonly string[]): Delivery | null {
  const type = eventTypes[entry.kind];
  const incident = site.store.incidents().find(({ id }) => id === entry.incident);
  if (type === undefined || incident === undefined) return null;
  const { incident_number: number, ...rest } = incidentJson(site, incident);
  const agent =
    entry.user === null
      ? null
      : { id: entry.user, type: 'user_reference', summary: site.store.nameOf(entry.user) };
  const event = {
    id: randomUUID(),
    event_type: type,
    resource_type: 'incident',
    occurred_at: entry.at.toISOString(),
    agent,
    client: null,
    data: { ...rest, number, type: 'incident' },
  };
  const body = JSON.stringify({ event });
  const signatures = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(body).digest('hex')}`);
  return {
    headers: {
      'content-type': 'application/json',
      'x-pagerduty-signature': signatures.join(','),
      'x-webhook-id': randomUUID(),
    },
    body,
  };
}

async function send(url: string, { headers, body }: Delivery): Promise<void> {
  for (const ms of pausesMs) {
    await pause(ms, undefined, { ref: false });
    const signal = AbortSignal.timeout(5_000);
    const status = await fetch(url, { method: 'POST', headers: { ...headers }, body, signal }).then(
      (response) => response.status,
      () => 503,
    );
    if (status < 500 && status !== 429) return;
  }
}
