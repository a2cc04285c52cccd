import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { type RestAccess, restGet } from './rest.ts';

/** A service of countersign.yml. */
export interface PagerDutyService {
  /** PagerDuty service id. */
  readonly id: string;
  /** Events v2 integration key from the settings; null where it is looked up. */
  readonly routingKey: string | null;
}

/** The configured service with this name. Throws a VendorError for any other, without sending anything. */
export function serviceOf(services: ReadonlyMap<string, PagerDutyService>, name: string): PagerDutyService {
  const service = services.get(name);
  if (service !== undefined) return service;
  throw new VendorError('unknown_service', `No service ${name} is configured in countersign.yml.`, {
    retryable: false,
    mayHaveHappened: false,
    facts: { service: name },
  });
}

const accountServiceSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  integrations: z
    .array(
      z.object({
        type: z.string().nullish(),
        summary: z.string().nullish(),
        integration_key: z.string().nullish(),
      }),
    )
    .nullish(),
});
/** A service as PagerDuty has it. */
export type AccountService = z.infer<typeof accountServiceSchema>;

const oneSchema = z.object({ service: accountServiceSchema });
const pageSchema = z.object({ services: z.array(accountServiceSchema), more: z.boolean().nullish() });
const pageSize = 100;
/** PagerDuty gives no more than 10,000 entries of a list. */
const maxPages = 100;

/** More than this are looked for in the list of all services, a hundred for each request. */
const maxSingle = 20;

/** The services with these ids that the token may see, with their integrations. */
export async function findServices(
  ids: readonly string[],
  access: RestAccess,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, AccountService>> {
  const found =
    ids.length > maxSingle
      ? await accountServices(access, signal)
      : (await Promise.all(ids.map((id) => findService(id, access, signal)))).flat();
  return new Map(found.map((one) => [one.id, one]));
}

async function findService(id: string, access: RestAccess, signal: AbortSignal): Promise<AccountService[]> {
  const query = { 'include[]': 'integrations' };
  const path = `services/${encodeURIComponent(id)}`;
  try {
    return [(await restGet(access, oneSchema, { path, query, signal })).service];
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return [];
    throw error;
  }
}

/** Every service that the token may see, by name; of these teams, if any are given. */
export async function accountServices(
  access: RestAccess,
  signal: AbortSignal,
  teams: readonly string[] = [],
): Promise<readonly AccountService[]> {
  const found: AccountService[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const query = {
      ...{ 'include[]': 'integrations', sort_by: 'name' },
      ...(teams.length === 0 ? {} : { 'team_ids[]': [...teams] }),
      ...{ limit: String(pageSize), offset: String(page * pageSize) },
    };
    const { services, more } = await restGet(access, pageSchema, { path: 'services', query, signal });
    found.push(...services);
    if (more !== true) break;
  }
  return found;
}

/** The key of the first Events v2 integration of a service; null where there is none, or the token may not read it. */
export function eventsKeyOf({ integrations }: AccountService): string | null {
  const events = integrations?.find(
    ({ type, integration_key: key }) => type?.startsWith('events_api_v2') && key,
  );
  return events?.integration_key ?? null;
}

/** Keys that were looked up, by PagerDuty's service ids. */
export type KnownKeys = Map<string, string>;

/** The Events v2 key by which each configured service is paged. */
export interface RoutingKeys {
  /** From the settings, from memory, or from PagerDuty. Throws a VendorError; nothing was sent then. */
  of(name: string, signal: AbortSignal): Promise<string>;
  /** Looks up all that the settings lack, so that a page needs no look-up; why services cannot be paged, a line each. */
  load(signal: AbortSignal): Promise<readonly string[]>;
}

export function routingKeys(
  services: ReadonlyMap<string, PagerDutyService>,
  access: RestAccess,
  known: KnownKeys,
): RoutingKeys {
  return {
    async of(name, signal) {
      const { id, routingKey } = serviceOf(services, name);
      const held = routingKey ?? known.get(id);
      if (held !== undefined) return held;
      const [service] = await findService(id, access, signal);
      const key = service === undefined ? null : eventsKeyOf(service);
      if (key === null) throw noKey(name);
      known.set(id, key);
      return key;
    },
    async load(signal) {
      const open = [...services].filter(([, { routingKey }]) => routingKey === null);
      if (open.length === 0) return [];
      const account = await findServices(
        open.map(([, { id }]) => id),
        access,
        signal,
      );
      return open.flatMap(([name, { id }]) => {
        const service = account.get(id);
        if (service === undefined) return [`${name} (${id}) is no service that the token can see`];
        const key = eventsKeyOf(service);
        if (key === null) return [noKey(name).message];
        known.set(id, key);
        return [];
      });
    },
  };
}

function noKey(name: string): VendorError {
  const message = `PagerDuty shows no Events API v2 key of the service ${name}, so it cannot be paged: add that integration to it, or set routing_key in countersign.yml.`;
  const facts = { service: name };
  return new VendorError('no_routing_key', message, { retryable: false, mayHaveHappened: false, facts });
}
