import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import type { Call } from './call.ts';
import { readAnswer } from './read-answer.ts';

/** A user of Slack, with what decides whether they may act. */
export interface SlackPerson {
  readonly id: string;
  /** Workspaces that the person is in, and the company of several. */
  readonly homes: readonly string[];
  readonly name: string;
  readonly realName: string;
  readonly deactivated: boolean;
  readonly bot: boolean;
  /** Single- or multi-channel guest. */
  readonly guest: boolean;
  /** Of another company, through a shared channel. */
  readonly external: boolean;
}

export interface People {
  /** Null when Slack knows nobody with this id. Cached for 60 s. */
  userInfo(userId: string): Promise<SlackPerson | null>;
  /** Slack user ids of a user group. Cached for 60 s. */
  groupMembers(groupId: string): Promise<ReadonlySet<string>>;
  /** Slack user id of who has this e-mail address, or null. Cached for 60 s. */
  userByEmail(email: string): Promise<string | null>;
}

const cacheMs = 60_000;
const mostCached = 5_000;

const userSchema = z.object({
  id: z.string(),
  team_id: z.string().default(''),
  name: z.string().default(''),
  real_name: z.string().nullish(),
  deleted: z.boolean().default(false),
  is_bot: z.boolean().default(false),
  is_restricted: z.boolean().default(false),
  is_ultra_restricted: z.boolean().default(false),
  is_stranger: z.boolean().default(false),
  /** Where a company has several workspaces: those that the person is in. */
  enterprise_user: z
    .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).default([]) })
    .nullish(),
  profile: z.object({ real_name: z.string().nullish() }).default({}),
});

/**
 * A person from a shared channel is no stranger to Slack (`is_stranger` is for those who share none), so the workspace
 * decides: the bot's, or any of the same company when the person is in the bot's as well.
 */
function readPerson(raw: unknown, ownTeam: string): SlackPerson {
  const user = readAnswer(userSchema, raw, 'users.info');
  const { enterprise_id: company, teams = [] } = user.enterprise_user ?? {};
  const homes = [user.team_id, ...teams, ...(company === undefined ? [] : [company])];
  return {
    id: user.id,
    homes,
    name: user.name,
    realName: user.real_name ?? user.profile.real_name ?? user.name,
    deactivated: user.deleted,
    bot: user.is_bot || user.id === 'USLACKBOT',
    guest: user.is_restricted || user.is_ultra_restricted,
    external: user.is_stranger || !homes.includes(ownTeam),
  };
}

export function createPeople(call: Call, ownTeam: () => Promise<string>, now: () => Date): People {
  return {
    userInfo: cached(now, (id) =>
      nullWhen(['slack_user_not_found', 'slack_user_not_visible'], async () => {
        const { user } = await call('users.info', 'again', (client) => client.users.info({ user: id }));
        return readPerson(user, await ownTeam());
      }),
    ),
    groupMembers: cached(now, async (id) => {
      const run = call('usergroups.users.list', 'again', (c) => c.usergroups.users.list({ usergroup: id }));
      return new Set((await run).users ?? []);
    }),
    userByEmail: cached(now, (email) =>
      nullWhen(['slack_users_not_found'], async () => {
        const run = call('users.lookupByEmail', 'again', (c) => c.users.lookupByEmail({ email }));
        return (await run).user?.id ?? null;
      }),
    ),
  };
}

async function nullWhen<T>(codes: readonly string[], ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof VendorError && codes.includes(error.code)) return null;
    throw error;
  }
}

/** Answers are kept for a minute, failures are not. */
function cached<T>(now: () => Date, ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, { until: number; value: Promise<T> }>();
  return (key) => {
    const found = known.get(key);
    if (found && found.until > now().getTime()) return found.value;
    const value = ask(key);
    known.delete(key);
    known.set(key, { until: now().getTime() + cacheMs, value });
    const oldest = known.keys().next();
    if (known.size > mostCached && !oldest.done) known.delete(oldest.value);
    value.catch(() => {
      if (known.get(key)?.value === value) known.delete(key);
    });
    return value;
  };
}
