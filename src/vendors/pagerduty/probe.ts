import { z } from 'zod';
import { type Checkup, tried } from '../../core/checkup.ts';
import { VendorError } from '../../core/errors.ts';
import { type RestAccess, restGet } from './rest.ts';
import type { PagerDutyService } from './services.ts';

const timeoutMs = 10_000;

const usersSchema = z.object({ users: z.array(z.object({ email: z.string().nullish() })) });
const serviceSchema = z.object({
  service: z.object({ name: z.string().nullish(), status: z.string().nullish() }),
});

/** Whether the token is taken, the user of PAGERDUTY_FROM_EMAIL exists, and every service is there and switched on. */
export async function probePagerDuty(
  access: RestAccess & {
    readonly fromEmail: string;
    readonly services: ReadonlyMap<string, PagerDutyService>;
  },
): Promise<Checkup[]> {
  return tried('pagerduty', async () => {
    const query = { query: access.fromEmail, limit: '100' };
    const { users } = await get(access, usersSchema, 'users', query);
    const known = users.some(({ email }) => email?.toLowerCase() === access.fromEmail.toLowerCase());
    const token: Checkup = { about: 'pagerduty', level: 'ok', says: 'the token is accepted' };
    const says = 'PAGERDUTY_FROM_EMAIL is no user of this account: set it to the e-mail of one';
    const from: Checkup[] = known ? [] : [{ about: 'pagerduty user', level: 'wrong', says }];
    const services = [...access.services].map(([name, service]) => probeService(access, name, service));
    return [token, ...from, ...(await Promise.all(services)).flat()];
  });
}

/** Whether its routing key works cannot be tried: a try would page somebody. */
function probeService(access: RestAccess, name: string, { id }: PagerDutyService): Promise<Checkup[]> {
  const about = `pagerduty ${name}`;
  return tried(about, async () => {
    const found = await get(access, serviceSchema, `services/${encodeURIComponent(id)}`, {}).catch(
      (error: unknown) => {
        if (error instanceof VendorError && error.code === 'not_found') return null;
        throw error;
      },
    );
    if (found === null) {
      return [
        {
          about,
          level: 'wrong',
          says: `there is no service ${id}: take the id from its address in PagerDuty`,
        },
      ];
    }
    if (found.service.status === 'disabled') {
      return [{ about, level: 'wrong', says: `the service ${id} is disabled: nobody would be paged` }];
    }
    return [
      {
        about,
        level: 'ok',
        says: `${found.service.name ?? id}; its routing key is not tried, it would page`,
      },
    ];
  });
}

function get<S extends z.ZodType>(
  access: RestAccess,
  schema: S,
  path: string,
  query: Record<string, string>,
): Promise<z.infer<S>> {
  return restGet(access, schema, { path, query, signal: AbortSignal.timeout(timeoutMs) });
}
