import { z } from 'zod';
import { type Checkup, tried } from '../../core/checkup.ts';
import { VendorError } from '../../core/errors.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

const timeoutMs = 10_000;

const myselfSchema = z.object({ displayName: z.string() });
const permissionsSchema = z.object({
  permissions: z.record(z.string(), z.object({ havePermission: z.boolean() })),
});

/** Without the first nothing can be read; without another, what it is for is refused when it comes to it. */
const permissions = ['BROWSE_PROJECTS', 'ADD_COMMENTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'];

/** Who we are in Jira, and what we may do in each project: all of it, or with `onlyReads` nothing but look. */
export async function probeJira(
  access: JiraAccess,
  { projects, onlyReads }: { readonly projects: readonly string[]; readonly onlyReads: boolean },
): Promise<Checkup[]> {
  return tried('jira', async () => {
    const { displayName } = await ask(access, { url: '/rest/api/3/myself', schema: myselfSchema });
    const each = await Promise.all(projects.map((project) => probeProject(access, project, onlyReads)));
    const host = new URL(access.host).host;
    return [
      { about: 'jira', level: 'ok' as const, says: `signed in to ${host} as ${displayName}` },
      ...each.flat(),
    ];
  });
}

function probeProject(access: JiraAccess, project: string, onlyReads: boolean): Promise<Checkup[]> {
  const about = `jira ${project}`;
  return tried(about, async () => {
    const found = await ask(access, {
      url: '/rest/api/3/mypermissions',
      searchParams: { projectKey: project, permissions: permissions.join(',') },
      schema: permissionsSchema,
    }).catch((error: unknown) => {
      if (error instanceof VendorError && error.code === 'not_found') return null;
      throw error;
    });
    const missing = permissions.filter((name) => found?.permissions[name]?.havePermission !== true);
    if (missing.length === 0 && !onlyReads)
      return [{ about, level: 'ok', says: 'may read, comment, create and transition' }];
    if (missing.includes('BROWSE_PROJECTS')) {
      const says = `the account cannot see ${project}: check the key, or give it Browse Projects there`;
      return [{ about, level: 'wrong', says }];
    }
    if (onlyReads) return [only(about, missing.length === permissions.length - 1)];
    const says = `the account lacks ${missing.join(', ')} in ${project}; the steps that need them will be refused`;
    return [{ about, level: 'note', says }];
  });
}

function only(about: string, onlyReads: boolean): Checkup {
  if (onlyReads) return { about, level: 'ok', says: 'may read and nothing else' };
  const says = 'the account may also write there: give a front one that may only browse';
  return { about, level: 'note', says };
}

function ask<T>(
  access: JiraAccess,
  request: {
    readonly url: string;
    readonly searchParams?: Record<string, string>;
    readonly schema: z.ZodType<T>;
  },
): Promise<T> {
  return jiraTransport(access, AbortSignal.timeout(timeoutMs)).sendRequest<T>({ method: 'GET', ...request });
}
