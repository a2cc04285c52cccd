import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { type Call, readAnswer } from './call.ts';

/** A Slack user, with everything that decides whether they may act. */
export interface SlackPerson {
  readonly id: string;
  /** The person's workspaces, and the company they belong to. */
  readonly homes: readonly string[];
  readonly name: string;
  readonly realName: string;
  /** Null if Slack does not return one: the person has none, or the app may not see it. */
  readonly email: string | null;
  /** IANA time zone from their profile, if any. */
  readonly zone: string | null;
  readonly deactivated: boolean;
  readonly bot: boolean;
  /** Single- or multi-channel guest. */
  readonly guest: boolean;
  /** From another company, through a shared channel. */
  readonly external: boolean;
}

export interface People {
  /** Null when Slack has no user with this id. */
  userInfo(userId: string): Promise<SlackPerson | null>;
  /** Slack user ids of a user group. */
  groupMembers(groupId: string): Promise<ReadonlySet<string>>;
  /** Slack user id for this e-mail address, or null. */
  userByEmail(email: string): Promise<string | null>;
}

/** For requests: somebody who became a guest is noticed at once, and a burst of one person's commands is one look-up. */
const requestMaxAgeMs = 3_000;
/** For decisions: only simultaneous clicks share an answer, so that ten of them are not ten look-ups. */
const decisionMaxAgeMs = 1_000;
/** A decision waits no longer; a failed look-up counts as a refusal. */
const timeoutMs = 5_000;
const maxCached = 5_000;

const userSchema = z.object({
  id: z.string(),
  team_id: z.string().default(''),
  name: z.string().default(''),
  real_name: z.string().nullish(),
  deleted: z.boolean().default(false),
  tz: z.string().nullish(),
  is_bot: z.boolean().default(false),
  is_restricted: z.boolean().default(false),
  is_ultra_restricted: z.boolean().default(false),
  is_stranger: z.boolean().default(false),
  /** In a company with several workspaces: those the person is in. */
  enterprise_user: z
    .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).default([]) })
    .nullish(),
  profile: z.object({ real_name: z.string().nullish(), email: z.string().nullish() }).default({}),
});

/**
 * A person from a shared channel is not a stranger to Slack (`is_stranger` is for people who share none), so the
 * workspace decides: the bot's, or any of the same company if the person is in the bot's as well.
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
    email: user.profile.email || null,
    zone: user.tz || null,
    deactivated: user.deleted,
    bot: user.is_bot || user.id === 'USLACKBOT',
    guest: user.is_restricted || user.is_ultra_restricted,
    external: user.is_stranger || !homes.includes(ownTeam),
  };
}

/** `keepMs`: how old an answer for display may be. No other one is older either. */
export function createPeople(
  call: Call,
  ownTeam: () => Promise<string>,
  { now, keepMs }: { now: () => Date; keepMs: () => number },
): People & { readonly fresh: People; readonly recent: Pick<People, 'userInfo'> } {
  const ask: Ask = (method, run) => call(method, 'again', run, AbortSignal.timeout(timeoutMs));
  const users = reused(now, (id) =>
    nullWhen(['slack_user_not_found', 'slack_user_not_visible'], async () => {
      const { user } = await ask('users.info', (client) => client.users.info({ user: id }));
      return readPerson(user, await ownTeam());
    }),
  );
  const groupOf = createGroups(ask);
  const groups = reused(now, async (id) => groupOf(id, await ownTeam()));
  const emails = reused(now, (email) =>
    nullWhen(['slack_users_not_found'], async () => {
      const run = ask('users.lookupByEmail', (c) => c.users.lookupByEmail({ email }));
      return (await run).user?.id ?? null;
    }),
  );
  const atMost = (ms: number) => Math.min(ms, keepMs());
  const withAge = (maxAgeMs: number): People => ({
    userInfo: (id) => users(id, atMost(maxAgeMs)),
    groupMembers: (id) => groups(id, atMost(maxAgeMs)),
    userByEmail: (email) => emails(email, atMost(maxAgeMs)),
  });
  const recent = { userInfo: (id: string) => users(id, atMost(requestMaxAgeMs), keepMs()) };
  return { ...withAge(Number.POSITIVE_INFINITY), fresh: withAge(decisionMaxAgeMs), recent };
}

type Ask = <T>(method: string, run: (client: WebClient) => Promise<T>) => Promise<T>;

/**
 * Members of a user group. With a company's token Slack needs the group's workspace: the last one where it was found is
 * tried first.
 */
function createGroups(ask: Ask): (id: string, ownTeam: string) => Promise<ReadonlySet<string>> {
  const homes = new Map<string, string>();
  const membersOf = async (of: { usergroup: string; team_id?: string }) =>
    new Set((await ask('usergroups.users.list', (client) => client.usergroups.users.list(of))).users ?? []);
  return async (usergroup, ownTeam) => {
    if (!ownTeam.startsWith('E')) return membersOf({ usergroup });
    const { teams = [] } = await ask('auth.teams.list', (client) => client.auth.teams.list({ limit: 1_000 }));
    const ids = teams.flatMap(({ id }) => id ?? []);
    const home = homes.get(usergroup) ?? '';
    for (const team of [home, ...ids].filter((id) => ids.includes(id))) {
      const members = await nullWhen(['slack_no_such_subteam'], () =>
        membersOf({ usergroup, team_id: team }),
      );
      if (members === null) continue;
      homes.set(usergroup, team);
      return members;
    }
    return new Set();
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

interface Answer<T> {
  readonly askedAt: number;
  readonly value: Promise<T>;
}

/**
 * Reuses answers, not failures; the caller sets the maximum age of an answer, and of a fallback when no newer one is
 * available.
 */
export function reused<T>(
  now: () => Date,
  ask: (key: string) => Promise<T>,
): (key: string, maxAgeMs: number, elseMs?: number) => Promise<T> {
  const known = new Map<string, Answer<T>>();
  const isWithin = (answer: Answer<T>, ms: number) => Math.abs(now().getTime() - answer.askedAt) < ms;
  return (key, maxAgeMs, elseMs = 0) => {
    const found = known.get(key);
    if (found && isWithin(found, maxAgeMs)) return found.value;
    const askedAt = now().getTime();
    const value = ask(key);
    known.delete(key);
    known.set(key, { askedAt, value });
    const oldest = known.keys().next();
    if (known.size > maxCached && !oldest.done) known.delete(oldest.value);
    value.catch(() => {
      if (known.get(key)?.value !== value) return;
      known.delete(key);
      if (found) known.set(key, found);
    });
    if (!found || !isWithin(found, elseMs)) return value;
    return value.catch((error: unknown) => {
      if (error instanceof VendorError && isWithin(found, elseMs)) return found.value;
      throw error;
    });
  };
}
