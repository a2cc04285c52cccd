import { z } from 'zod';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import { VendorError } from '../../core/errors.ts';
import { configuredUrl } from '../http/egress.ts';
import { probeHost } from '../http/reach.ts';
import { type RestAccess, restGet } from './rest.ts';
import { type AccountService, eventsKeyOf, findServices, type PagerDutyService } from './services.ts';
import { webhookPath } from './webhook.ts';

const timeoutMs = 10_000;
/** For all services: a large account needs a hundred requests. */
const servicesTimeoutMs = 120_000;

const usersSchema = z.object({ users: z.array(z.object({ email: z.string().nullish() })) });
const hooksSchema = z.object({
  webhook_subscriptions: z.array(
    z.object({
      active: z.boolean().nullish(),
      delivery_method: z.object({ url: z.string(), temporarily_disabled: z.boolean().nullish() }),
    }),
  ),
});
const orchestrationsSchema = z.object({
  orchestrations: z.array(
    z.object({
      name: z.string(),
      integrations: z
        .array(z.object({ parameters: z.object({ routing_key: z.string().nullish() }).nullish() }))
        .nullish(),
    }),
  ),
});

type Orchestration = z.infer<typeof orchestrationsSchema>['orchestrations'][number];

/** Checks that the token is accepted, the user of PAGERDUTY_FROM_EMAIL exists, and every service exists and is enabled. */
export async function probePagerDuty(
  access: RestAccess & {
    readonly fromEmail: string;
    /** Host that takes pages; null for a process that sends none. */
    readonly eventsHost: string | null;
    readonly services: ReadonlyMap<string, PagerDutyService>;
    /** A webhook secret is set. */
    readonly hasWebhookSecret: boolean;
  },
): Promise<Checkup[]> {
  return tried('pagerduty', async () => {
    const query = { query: access.fromEmail, limit: '100' };
    const { users } = await get(access, usersSchema, 'users', query);
    const known = users.some(({ email }) => email?.toLowerCase() === access.fromEmail.toLowerCase());
    const token: Checkup = { about: 'pagerduty', level: 'ok', says: 'the token is accepted' };
    const says = 'PAGERDUTY_FROM_EMAIL is no user of this account: set it to the e-mail of one';
    const from: Checkup[] = known ? [] : [{ about: 'pagerduty user', level: 'wrong', says }];
    const all = [probeEvents(access.eventsHost), probeServices(access), probeWebhooks(access)];
    return [token, ...from, ...(await Promise.all(all)).flat()];
  });
}

/** Whether PagerDuty takes the token. Throws a VendorError. */
export async function askPagerDuty(access: RestAccess): Promise<void> {
  await get(access, usersSchema, 'users', { limit: '1' });
}

async function probeEvents(host: string | null): Promise<Checkup[]> {
  if (host === null) return [];
  return probeHost('pagerduty events', { vendor: 'PagerDuty', url: configuredUrl(`https://${host}`), fetch });
}

/** Whether PagerDuty delivers to us, if it is to. It never tells a secret again, so only a delivery can try that. */
function probeWebhooks(access: RestAccess & { readonly hasWebhookSecret: boolean }): Promise<Checkup[]> {
  const about = 'pagerduty webhook';
  return tried(about, async (): Promise<Checkup[]> => {
    if (!access.hasWebhookSecret) {
      const says =
        'not set up: incidents are asked for every few seconds or minutes; PAGERDUTY_WEBHOOK_SECRET is empty';
      return [{ about, level: 'note', says }];
    }
    const { webhook_subscriptions: all } = await get(access, hooksSchema, 'webhook_subscriptions', {
      limit: '100',
    });
    const ours = all.find(({ delivery_method: { url } }) => new URL(url).pathname.endsWith(webhookPath));
    if (ours === undefined) {
      const says = `PAGERDUTY_WEBHOOK_SECRET is set, but no v3 webhook of the account delivers to an address that ends with ${webhookPath}`;
      return [{ about, level: 'wrong', says }];
    }
    const { url, temporarily_disabled: off } = ours.delivery_method;
    if (ours.active === false || off === true) {
      const says = `PagerDuty has switched off its webhook to ${url}: check the address and the secret, then enable it again`;
      return [{ about, level: 'wrong', says }];
    }
    return [
      {
        about,
        level: 'ok',
        says: `it delivers to ${url}; whether the secret is its own shows with the first delivery`,
      },
    ];
  });
}

interface Named {
  readonly services: ReadonlyMap<string, PagerDutyService>;
}

/** Each service of countersign.yml, with its routing key: that is compared and not tried, because a try would page somebody. */
async function probeServices(access: RestAccess & Named): Promise<Checkup[]> {
  return tried('pagerduty services', async () => {
    const ids = [...access.services.values()].map(({ id }) => id);
    const found = await findServices(ids, access, AbortSignal.timeout(servicesTimeoutMs));
    const orchestrations = rememberedOrchestrations(access);
    const all = [...access.services].map(async ([name, { id, routingKey }]): Promise<Checkup> => {
      const judged = await judgeService(found.get(id), id, routingKey, orchestrations);
      return { about: `pagerduty ${name}`, ...judged };
    });
    return Promise.all(all);
  });
}

type Judged = Pick<Checkup, 'level' | 'says'>;

async function judgeService(
  service: AccountService | undefined,
  id: string,
  routingKey: string | null,
  orchestrations: () => Promise<readonly Orchestration[]>,
): Promise<Judged> {
  if (service === undefined) {
    return { level: 'wrong', says: `there is no service ${id}: take the id from its address in PagerDuty` };
  }
  if (service.status === 'disabled')
    return { level: 'wrong', says: `the service ${id} is disabled: nobody would be paged` };
  const key = await judgeKey(service, routingKey, orchestrations);
  return key.level === 'ok' ? { level: 'ok', says: `${service.name ?? id}; ${key.says}` } : key;
}

/** Whether a page with this key reaches the service that has these integrations. */
async function judgeKey(
  service: AccountService,
  routingKey: string | null,
  orchestrations: () => Promise<readonly Orchestration[]>,
): Promise<Judged> {
  if (routingKey === null) {
    return eventsKeyOf(service) === null
      ? { level: 'wrong', says: 'it has no Events API v2 integration, so it cannot be paged: add one' }
      : { level: 'ok', says: 'its routing key is looked up' };
  }
  const mine = service.integrations?.find(({ integration_key: key }) => key === routingKey);
  if (mine !== undefined) {
    return {
      level: 'ok',
      says: `its routing key is that of its integration ${mine.summary ?? ''}`.trimEnd(),
    };
  }
  const rules = (await orchestrations()).find(({ integrations }) =>
    integrations?.some(({ parameters }) => parameters?.routing_key === routingKey),
  );
  if (rules !== undefined) {
    const says = `its routing key is that of the event orchestration ${rules.name}: whether a page reaches it is up to its rules`;
    return { level: 'note', says };
  }
  const says =
    'its routing key is none of its integrations’: a page would not reach it; copy the Integration Key of its Events API v2 integration';
  return { level: 'wrong', says };
}

/** Asked for once, and only if a key belongs to no service. */
function rememberedOrchestrations(access: RestAccess): () => Promise<readonly Orchestration[]> {
  let asked: Promise<readonly Orchestration[]> | undefined;
  const ask = async () => {
    try {
      return (await get(access, orchestrationsSchema, 'event_orchestrations', { limit: '100' }))
        .orchestrations;
    } catch (error) {
      // Not part of every plan, nor of every token's rights.
      if (error instanceof VendorError) return [];
      throw error;
    }
  };
  return () => {
    asked ??= ask();
    return asked;
  };
}

function get<S extends z.ZodType>(
  access: RestAccess,
  schema: S,
  path: string,
  query: Record<string, string>,
): Promise<z.infer<S>> {
  return restGet(access, schema, { path, query, signal: AbortSignal.timeout(timeoutMs) });
}
