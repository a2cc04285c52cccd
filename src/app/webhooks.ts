import type { Env } from '../config/env.ts';
import type { Log } from '../core/log.ts';
import { createDoor, type Route } from '../vendors/http/door.ts';
import { type IncidentEvent, webhookRoute } from '../vendors/pagerduty/webhook.ts';

/** What PagerDuty may have signed with; a new secret stands beside the old one while it is changed. */
export function webhookSecrets({ PAGERDUTY_WEBHOOK_SECRET: secrets }: Env): string[] {
  return (secrets ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** A workspace whose threads follow what becomes of incidents. */
export interface IncidentFollower {
  /** Stores what PagerDuty told; false when it came before. */
  accept(event: IncidentEvent): Promise<boolean>;
  work(event: IncidentEvent): Promise<void>;
}

/** PagerDuty's way in, where it has one: what it tells is stored before it is acknowledged, like everything else. */
export function webhookRoutes(
  { env, log }: { readonly env: Env; readonly log: Log },
  followers: () => readonly IncidentFollower[],
): Route[] {
  const secrets = webhookSecrets(env);
  if (secrets.length === 0) return [];
  // Everybody is told: whether a workspace follows the incident, its own rows say.
  const takers = new WeakMap<IncidentEvent, readonly IncidentFollower[]>();
  return [
    webhookRoute({
      secrets,
      async accept(event) {
        const all = followers();
        const fresh = await Promise.all(all.map((one) => one.accept(event)));
        takers.set(
          event,
          all.filter((_one, index) => fresh[index]),
        );
        return fresh.includes(true);
      },
      async work(event) {
        await Promise.all((takers.get(event) ?? []).map((one) => one.work(event)));
      },
      log,
    }),
  ];
}

/** Opens a port for these routes alone where Slack needs none; null where Slack's own port has them, or there are none. */
export async function openSideDoor(
  { env, log }: { readonly env: Env; readonly log: Log },
  routes: readonly Route[],
  stack: AsyncDisposableStack,
): Promise<number | null> {
  const { SLACK_APP_TOKEN: socket, PORT: port, HOST: host } = env;
  if (socket === undefined || port === undefined || routes.length === 0) return null;
  const door = createDoor({ port, ...(host === undefined ? {} : { host }), routes, log });
  stack.defer(() => door.close());
  return door.open();
}
