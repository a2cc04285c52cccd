import type { Env } from '../config/env.ts';
import type { Log } from '../core/log.ts';
import { createDoor, type Route } from '../vendors/http/door.ts';
import { webhookRoute } from '../vendors/pagerduty/webhook.ts';
import type { Arrival, Arrivals } from './inbox.ts';

/** What PagerDuty may have signed with; a new secret stands beside the old one while it is changed. */
export function webhookSecrets({ PAGERDUTY_WEBHOOK_SECRET: secrets }: Env): string[] {
  return (secrets ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** PagerDuty's way in, where it has one: what it tells is stored before it is acknowledged, like everything else. */
export function webhookRoutes(
  { env, log }: { readonly env: Env; readonly log: Log },
  inbox: Arrivals,
  work: (event: Arrival) => Promise<void>,
): Route[] {
  const secrets = webhookSecrets(env);
  if (secrets.length === 0) return [];
  return [
    webhookRoute({
      secrets,
      accept: (event) => inbox.accept(event),
      work: (event) => inbox.process(event, () => work(event)),
      log,
    }),
  ];
}

/** Opens a port for webhooks alone where Slack needs none; null where Slack's own port has them, or there are none. */
export async function openWebhookDoor(
  { env, log }: { readonly env: Env; readonly log: Log },
  routes: readonly Route[],
  stack: AsyncDisposableStack,
): Promise<number | null> {
  const { SLACK_APP_TOKEN: socket, PORT: port } = env;
  if (socket === undefined || port === undefined || routes.length === 0) return null;
  const door = createDoor({ port, routes, log });
  stack.defer(() => door.close());
  return door.open();
}
