import type { Person } from '../../world.ts';
import { PersonError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { teamJson } from '../message-json.ts';
import type { Channel } from '../model.ts';
import type { SlackState } from '../state.ts';
import type { Workspace } from '../workspace.ts';

/** The legacy verification token: apps are told to ignore it. */
const legacyToken = 'sandbox-verification-token';

export function personOf(state: SlackState, id: string): Person {
  const person = state.world.people.find((one) => one.id === id || one.name === id);
  if (person === undefined) throw new PersonError('unknown_person', `Nobody here is called ${id}.`);
  return person;
}

/** A channel visible to the person, by id or name. Public channels are visible to everybody. */
export function visibleChannel(state: SlackState, person: Person, reference: string): Channel {
  const name = reference.replace(/^#/, '');
  const found = [...state.channels.values()].find((one) => one.id === reference || one.name === name);
  if (found === undefined || (found.im !== undefined && found.im !== person.id)) {
    throw new PersonError('unknown_channel', `${person.realName} sees no channel ${reference}.`);
  }
  return found;
}

/** Fields common to all interactions: place and person. */
export function interactionBase(workspace: Workspace, type: string, person: Person): Fields {
  const { world } = workspace.state;
  return {
    type,
    team: teamJson(workspace.state),
    user: { id: person.id, username: person.name, name: person.name, team_id: world.team.id },
    api_app_id: world.bot.appId,
    token: legacyToken,
    is_enterprise_install: false,
    enterprise: null,
  };
}

export function channelReference(channel: Channel): Fields {
  return { id: channel.id, name: channel.im === undefined ? channel.name : 'directmessage' };
}

export function responseUrl(
  workspace: Workspace,
  kind: 'commands' | 'actions',
  target: { channel: string; user: string; messageTs?: string },
): string {
  return `${workspace.url()}${workspace.responseUrls.issue(kind, workspace.state.world.team.id, target)}`;
}

export function commandPayload(
  workspace: Workspace,
  person: Person,
  channel: Channel,
  command: string,
  text: string,
): Fields {
  const { team, bot } = workspace.state.world;
  const name = channel.im === undefined ? channel.name : 'directmessage';
  return {
    token: legacyToken,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: name,
    user_id: person.id,
    user_name: person.name,
    command,
    text,
    api_app_id: bot.appId,
    is_enterprise_install: 'false',
    response_url: responseUrl(workspace, 'commands', { channel: channel.id, user: person.id }),
    trigger_id: workspace.triggers.issue(person.id),
  };
}

export function eventPayload(workspace: Workspace, event: Fields): Fields {
  const { team, bot } = workspace.state.world;
  const authorization = { enterprise_id: null, team_id: team.id, user_id: bot.userId, is_bot: true };
  return {
    token: legacyToken,
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: bot.appId,
    event,
    type: 'event_callback',
    event_id: workspace.state.nextId('Ev'),
    event_time: Math.floor(workspace.state.now() / 1_000),
    authorizations: [{ ...authorization, is_enterprise_install: false }],
    is_ext_shared_channel: false,
    event_context: `4-${workspace.state.nextId('X')}`,
  };
}
