import { Hono } from 'hono';
import type { Faults } from '../faults.ts';
import type { Journal, SandboxEnv } from '../journal.ts';
import { readJson } from '../read-json.ts';
import { type AlertEvent, readEvent } from './event-rules.ts';
import type { PagerDutyStore } from './store.ts';

const maxBytes = 512 * 1_024;

class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly code = 'unreadable_event';
}

/**
 * Events API v2. A well-formed routing key of no service gets 202 like any other, and nobody is paged: events are
 * processed after the answer, so only reading back shows it.
 */
export function eventsApp(store: PagerDutyStore, faults: Faults, journal: Journal): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use(journal.middleware('pagerduty-events'));
  app.use(faults.middleware('pagerduty-events'));
  app.post('/v2/enqueue', async (context) => {
    if (Buffer.byteLength(await context.req.text()) > maxBytes) {
      return context.json({ status: 'invalid event', message: 'Event object is too large' }, 413);
    }
    const event = readEvent(await readJson(context, () => new UnreadableEvent('not a JSON object')));
    if (!('routingKey' in event)) {
      return context.json(
        { status: 'invalid event', message: 'Event object is invalid', errors: event },
        400,
      );
    }
    const service = store.world.pagerduty.services.find((one) => one.integrationKey === event.routingKey);
    context.set('authOk', service !== undefined);
    const dedupKey = event.dedupKey ?? store.newIncidentKey();
    if (service !== undefined) apply(store, service.id, event, dedupKey);
    return context.json({ status: 'success', message: 'Event processed', dedup_key: dedupKey }, 202);
  });
  app.notFound((context) => context.json({ status: 'not found', message: 'Not Found' }, 404));
  app.onError((error, context) => {
    if (!(error instanceof UnreadableEvent)) throw error;
    const message = 'Event object format is unrecognized';
    return context.json({ status: 'Unrecognized object', message, errors: ['JSON parse error'] }, 400);
  });
  return app;
}

function apply(store: PagerDutyStore, service: string, event: AlertEvent, dedupKey: string): void {
  const { payload } = event;
  if (payload !== undefined) {
    store.trigger({
      service,
      title: payload.summary,
      incidentKey: dedupKey,
      urgency: payload.severity === 'critical' || payload.severity === 'error' ? 'high' : 'low',
      source: payload.source,
      severity: payload.severity,
      details: payload.details,
      by: null,
    });
    return;
  }
  const open = store.openIncident(service, dedupKey);
  if (open === undefined) return;
  store.setStatus(open, event.action === 'resolve' ? 'resolved' : 'acknowledged', null);
}
