import type { WebClient } from '@slack/web-api';
import type { Checkup } from '../../core/doctor-result.ts';
import { slackError } from './api-errors.ts';

/** Slack ids in the operator's file. */
export interface NamedInSlack {
  /** Ids by name. */
  readonly channels: Readonly<Record<string, string>>;
  /** Ids of users. */
  readonly users: readonly string[];
  /** Ids of user groups. */
  readonly groups: readonly string[];
}

const about = 'slack ids';

/**
 * Checks that each id exists, and that the bot is in each channel: one line for each problem, or one for all. With a
 * company's token Slack needs a group's workspace, so all are tried.
 */
export async function probeNamed(
  client: WebClient,
  { channels, users, groups }: NamedInSlack,
  isCompany: boolean,
): Promise<Checkup[]> {
  const asked = [
    ...Object.entries(channels).map(([name, id]) => wrongChannel(client, name, id)),
    ...users.map((id) => wrongUser(client, id)),
    ...groups.map((id) => (isCompany ? wrongInCompany(client, id) : wrongGroup(client, { usergroup: id }))),
  ];
  const wrong = (await Promise.all(asked)).filter((says) => says !== null);
  if (asked.length === 0) return [];
  if (wrong.length === 0)
    return [{ about, level: 'ok', says: `all ${asked.length} of countersign.yml exist` }];
  return wrong.map((says) => ({ about, level: 'wrong', says }));
}

async function wrongChannel(client: WebClient, name: string, channel: string): Promise<string | null> {
  const unknown = `no channel ${channel} (${name}) that the bot can see: copy the id from the channel’s details, and /invite the bot where it is private`;
  return saidOf('conversations.info', unknown, async () => {
    const found = await client.conversations.info({ channel });
    return found.channel?.is_member === false ? `the bot is not in #${name}: /invite it there` : null;
  });
}

async function wrongUser(client: WebClient, user: string): Promise<string | null> {
  const unknown = `no person ${user}: in Slack open their profile, More (⋮), Copy member ID`;
  return saidOf('users.info', unknown, async () => {
    const found = await client.users.info({ user });
    return found.user?.deleted ? `${user} is deactivated: take them out of countersign.yml` : null;
  });
}

const groupId = 'its id starts with S and ends the group’s address in Slack’s list of groups';

async function wrongGroup(
  client: WebClient,
  of: { readonly usergroup: string; readonly team_id?: string },
): Promise<string | null> {
  return saidOf('usergroups.users.list', `no user group ${of.usergroup}: ${groupId}`, async () => {
    await client.usergroups.users.list(of);
    return null;
  });
}

/** It exists if one of the workspaces has it; any other error is reported once. */
async function wrongInCompany(client: WebClient, usergroup: string): Promise<string | null> {
  return saidOf('auth.teams.list', '', async () => {
    const { teams = [] } = await client.auth.teams.list({ limit: 1_000 });
    const asked = teams.flatMap(({ id }) =>
      id === undefined ? [] : wrongGroup(client, { usergroup, team_id: id }),
    );
    const said = await Promise.all(asked);
    if (said.includes(null)) return null;
    const nowhere = `no user group ${usergroup} in any of its workspaces: ${groupId}`;
    return said.find((one) => one?.startsWith('no user group') === false) ?? nowhere;
  });
}

const notThere = new Set(['slack_channel_not_found', 'slack_user_not_found', 'slack_no_such_subteam']);

async function saidOf(
  method: string,
  unknown: string,
  ask: () => Promise<string | null>,
): Promise<string | null> {
  try {
    return await ask();
  } catch (error) {
    const { code, message } = slackError(error, method);
    // The line about scopes reports it.
    if (code === 'slack_missing_scope') return null;
    return notThere.has(code) ? unknown : message;
  }
}
