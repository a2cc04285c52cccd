import type { Person, World } from '../../world.ts';
import { SlackApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, type Methods, paged } from './method.ts';

export const peopleMethods: Methods = {
  'users.info': botMethod(['users:read'], userInfo),
  'users.list': botMethod(['users:read'], listUsers),
  'users.lookupByEmail': botMethod(['users:read.email'], lookupByEmail),
  'usergroups.users.list': botMethod(['usergroups:read'], groupUsers),
  'usergroups.list': botMethod(['usergroups:read'], listGroups),
  'auth.test': botMethod([], authTest),
};

/** Apps only see the e-mail address with users:read.email. */
function userJson(world: World, person: Person, email: boolean): Fields {
  const profile = {
    title: person.title,
    real_name: person.realName,
    real_name_normalized: person.realName,
    display_name: person.name,
    display_name_normalized: person.name,
    team: world.team.id,
    ...(email ? { email: person.email } : {}),
  };
  return {
    id: person.id,
    team_id: world.team.id,
    name: person.name,
    deleted: false,
    real_name: person.realName,
    tz: person.tz,
    tz_label: person.tz,
    tz_offset: 0,
    profile,
    ...{ is_admin: false, is_owner: false, is_bot: false, is_app_user: false },
    ...{ is_restricted: false, is_ultra_restricted: person.isGuest === true },
    updated: 1_700_000_000,
  };
}

function botUserJson(world: World): Fields {
  const { bot, team } = world;
  const names = { real_name: bot.realName, display_name: bot.name };
  const profile = { ...names, bot_id: bot.botId, api_app_id: bot.appId, team: team.id };
  return {
    id: bot.userId,
    team_id: team.id,
    name: bot.name,
    deleted: false,
    real_name: bot.realName,
    tz: 'Etc/UTC',
    profile,
    is_bot: true,
    is_app_user: false,
    updated: 1_700_000_000,
  };
}

function everybody({ state, app }: Workspace): Fields[] {
  const email = app.scopes.includes('users:read.email');
  return [...state.world.people.map((one) => userJson(state.world, one, email)), botUserJson(state.world)];
}

function userInfo(args: Args, workspace: Workspace): Fields {
  const id = args.need('user');
  const user = everybody(workspace).find((one) => one.id === id);
  if (user === undefined) throw new SlackApiError('user_not_found');
  return { user };
}

function listUsers(args: Args, workspace: Workspace): Fields {
  const { page, cursor } = paged(everybody(workspace), args, 200);
  const cacheTs = Math.floor(workspace.state.now() / 1_000);
  return { members: page, cache_ts: cacheTs, response_metadata: { next_cursor: cursor } };
}

function lookupByEmail(args: Args, { state }: Workspace): Fields {
  const email = args.need('email').toLowerCase();
  const person = state.world.people.find((one) => one.email.toLowerCase() === email);
  if (person === undefined) throw new SlackApiError('users_not_found');
  return { user: userJson(state.world, person, true) };
}

function groupUsers(args: Args, { state }: Workspace): Fields {
  const id = args.need('usergroup');
  const group = state.world.userGroups.find((one) => one.id === id);
  if (group === undefined) throw new SlackApiError('no_such_subteam');
  return { users: group.members };
}

function listGroups(_args: Args, { state }: Workspace): Fields {
  const team = state.world.team.id;
  const usergroups = state.world.userGroups.map(({ id, handle, name }) => ({
    id,
    team_id: team,
    handle,
    name,
  }));
  return { usergroups };
}

function authTest(_args: Args, { state }: Workspace): Fields {
  const { bot, team } = state.world;
  return {
    url: `https://${team.domain}.slack.com/`,
    team: team.name,
    user: bot.name,
    team_id: team.id,
    user_id: bot.userId,
    bot_id: bot.botId,
    is_enterprise_install: false,
  };
}
