import { z } from 'zod';
import { type Checkup, tried } from '../../core/doctor-result.ts';
import { VendorError } from '../../core/errors.ts';
import { jqlString } from './jql.ts';
import { type JiraAccess, jiraTransport, siteOf } from './transport.ts';

const timeoutMs = 10_000;

const myselfSchema = z.object({ displayName: z.string(), timeZone: z.string().optional() });
const permissionsSchema = z.object({
  permissions: z.record(z.string(), z.object({ havePermission: z.boolean() })),
});

/** Without the first nothing can be read; without another one, the writes that need it are refused. */
const permissions = ['BROWSE_PROJECTS', 'ADD_COMMENTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'];

export interface NamedInJira {
  readonly projects: readonly string[];
  /** Jira's names of the priorities in plans: `P1: Highest`. */
  readonly priorities: Readonly<Record<string, string>>;
  /** IANA time zone of days and hours in plans. */
  readonly timezone: string;
  /** The account should only be able to read. */
  readonly onlyReads: boolean;
}

/** Our identity in Jira, our permissions in each project, and whether the priorities exist. */
export async function probeJira(
  access: JiraAccess,
  { projects, priorities, timezone, onlyReads }: NamedInJira,
): Promise<Checkup[]> {
  return tried('jira', async () => {
    const { displayName, timeZone = timezone } = await ask(access, {
      url: '/rest/api/3/myself',
      schema: myselfSchema,
    });
    const each = await Promise.all(projects.map((project) => probeProject(access, project, onlyReads)));
    const { host } = siteOf(access);
    return [
      { about: 'jira', level: 'ok' as const, says: `signed in to ${host} as ${displayName}` },
      ...sameClock(timeZone, timezone),
      ...each.flat(),
      ...(await probePriorities(access, priorities)),
    ];
  });
}

/** Whether Jira takes the token. Throws a VendorError. */
export async function askJira(access: JiraAccess): Promise<void> {
  await ask(access, { url: '/rest/api/3/myself', schema: myselfSchema });
}

/** Jira reads days and hours on the clock of its account. */
function sameClock(there: string, here: string): Checkup[] {
  const now = Temporal.Now.instant();
  const isSame = [0, 180].every((days) => {
    const [one, other] = [there, here].map((zone) => now.add({ hours: days * 24 }).toZonedDateTimeISO(zone));
    return one?.offset === other?.offset;
  });
  if (isSame) return [];
  const says = `its account is in ${there}, plans mean ${here}: set the same time zone in the account’s profile or as defaults.timezone`;
  return [{ about: 'jira time zone', level: 'note', says }];
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

/** Checked by a search, as plans do: the priority lists need more permissions than plans do, or are being removed. */
function probePriorities(access: JiraAccess, priorities: NamedInJira['priorities']): Promise<Checkup[]> {
  const about = 'jira priorities';
  return tried(about, async () => {
    const names = Object.entries(priorities);
    const asked = await Promise.all(
      names.map(async ([ours, theirs]) => ((await isThere(access, theirs)) ? [] : [{ ours, theirs }])),
    );
    const wrong = asked.flat();
    if (names.length === 0) return [];
    const [last, ...others] = names.map(([, theirs]) => theirs).toReversed();
    const all =
      others.length === 0 ? `${last} exists` : `${others.toReversed().join(', ')} and ${last} exist`;
    if (wrong.length === 0) return [{ about, level: 'ok', says: all }];
    return wrong.map(({ ours, theirs }) => ({
      ...{ about, level: 'wrong' as const },
      says: `Jira has no priority “${theirs}”: say under jira.priorities in countersign.yml what ${ours} is called there (Settings, Work items, Priorities)`,
    }));
  });
}

async function isThere(access: JiraAccess, priority: string): Promise<boolean> {
  const searchParams = { jql: `priority = ${jqlString(priority)}`, maxResults: '1', fields: 'id' };
  try {
    await ask(access, { url: '/rest/api/3/search/jql', searchParams, schema: z.object({}) });
    return true;
  } catch (error) {
    if (error instanceof VendorError && error.code === 'refused') return false;
    throw error;
  }
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
