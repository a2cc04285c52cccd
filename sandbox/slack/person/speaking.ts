import type { Person } from '../../world.ts';
import { hearsMessages, messageEvent } from '../announcing.ts';
import { PersonError, SlackApiError } from '../errors.ts';
import { isFields } from '../fields.ts';
import type { Channel, Message, Outcome } from '../model.ts';
import { post, slackbotNotice } from '../posting.ts';
import { respond } from '../respond.ts';
import { commandText, escaped, typedText } from '../text.ts';
import type { Workspace } from '../workspace.ts';
import { commandPayload, eventPayload, personOf, visibleChannel } from './payloads.ts';

export interface CommandInput {
  /** User id or handle. */
  readonly as: string;
  /** Channel id or name. */
  readonly channel: string;
  readonly text: string;
  /** Including its slash; `/plan` if absent. */
  readonly command?: string;
}

export interface PostInput {
  readonly as: string;
  readonly channel: string;
  readonly text: string;
  readonly threadTs?: string;
}

const nothingDelivered: Outcome = { delivered: false, acknowledged: false, late: false };

/** A person sends a slash command. The content of the acknowledgement is shown to them. */
export async function runCommand(workspace: Workspace, input: CommandInput): Promise<Outcome> {
  const { state } = workspace;
  const person = personOf(state, input.as);
  const channel = visibleChannel(state, person, input.channel);
  const command = input.command ?? '/plan';
  if (command === '/invite' || command === '/remove')
    return inviteOrRemove(workspace, channel, person, input);
  const declared = workspace.app.commands.find((one) => one.command === command);
  if (declared === undefined) {
    slackbotNotice(state, channel.id, person.id, `${command} is not a valid command.`);
    return nothingDelivered;
  }
  const text = commandText(input.text.trim(), declared.shouldEscape ? state.commandNames() : undefined);
  const payload = commandPayload(workspace, person, channel, command, text);
  const onFailure = (error: string) =>
    slackbotNotice(state, channel.id, person.id, failureText(command, error));
  const outcome = await workspace.delivery.deliver({ type: 'slash_commands', payload }, { onFailure });
  if (outcome.acknowledged) showResponse(workspace, channel, person, command, outcome.response);
  return outcome;
}

/** Slack's own commands, as far as they concern the bot. */
async function inviteOrRemove(
  workspace: Workspace,
  channel: Channel,
  person: Person,
  input: CommandInput,
): Promise<Outcome> {
  const { bot } = workspace.state.world;
  if (input.text.trim() !== `@${bot.name}`) {
    slackbotNotice(
      workspace.state,
      channel.id,
      person.id,
      `Nobody here is called ${escaped(input.text.trim())}.`,
    );
    return nothingDelivered;
  }
  return setBotMember(workspace, { channel: channel.id, member: input.command === '/invite', by: person.id });
}

function failureText(command: string, error: string): string {
  return error === 'operation_timeout'
    ? `${command} failed because the app did not respond (operation_timeout).`
    : `${command} failed with the error "${error}".`;
}

function showResponse(
  workspace: Workspace,
  channel: Channel,
  person: Person,
  command: string,
  body: unknown,
): void {
  const content = typeof body === 'string' ? { text: body } : body;
  if (!isFields(content) || Object.keys(content).length === 0) return;
  try {
    respond(workspace, { channel: channel.id, user: person.id }, content);
  } catch (error) {
    if (!(error instanceof SlackApiError)) throw error;
    const text = `${command} failed with the error "invalid_command_response" (${error.code}).`;
    slackbotNotice(workspace.state, channel.id, person.id, text);
  }
}

/** A person posts. The app receives app_mention or message if it is a member and subscribed. */
export async function postMessage(workspace: Workspace, input: PostInput): Promise<Outcome> {
  const { state } = workspace;
  const person = personOf(state, input.as);
  const channel = visibleChannel(state, person, input.channel);
  if (!channel.members.has(person.id)) {
    throw new PersonError('not_in_channel', `${person.realName} is not in #${channel.name}.`);
  }
  if (input.text.trim() === '') throw new PersonError('no_text', 'There is nothing to post.');
  const text = typedText(input.text, state.names());
  if (input.threadTs !== undefined && state.message(channel.id, input.threadTs) === undefined) {
    throw new PersonError('unknown_message', 'There is no such message to answer.');
  }
  const place = input.threadTs === undefined ? {} : { threadTs: input.threadTs };
  const message = post(state, channel, { user: person.id }, { text }, place);
  const outcome = await announce(workspace, channel, message);
  return { ...outcome, ts: message.ts };
}

export interface ReactInput {
  readonly as: string;
  readonly channel: string;
  readonly ts: string;
  /** Without colons. */
  readonly emoji: string;
}

/** A person reacts to a message. The app hears nothing: it does not subscribe to reactions. */
export function react({ state }: Workspace, { as, channel, ts, emoji }: ReactInput): void {
  const person = personOf(state, as);
  const message = state.message(visibleChannel(state, person, channel).id, ts);
  if (message === undefined) throw new PersonError('unknown_message', 'There is no such message.');
  const people = message.reactions.get(emoji) ?? new Set();
  message.reactions.set(emoji, people.add(person.id));
  state.changed();
}

async function announce(workspace: Workspace, channel: Channel, message: Message): Promise<Outcome> {
  const { state, app } = workspace;
  const { bot } = state.world;
  const mentioned = message.mentions.includes(bot.userId);
  if (!state.botIsIn(channel)) {
    const text = `You mentioned <@${bot.userId}>, but they are not in this channel. Invite them with /invite @${bot.name}.`;
    if (mentioned) slackbotNotice(state, channel.id, message.user, text);
    return nothingDelivered;
  }
  const types: ('app_mention' | 'message')[] = [];
  if (mentioned && channel.im === undefined && app.events.includes('app_mention')) types.push('app_mention');
  if (hearsMessages(workspace, channel)) types.push('message');
  const outcomes = await Promise.all(
    types.map((type) => workspace.delivery.event(messageEvent(workspace, channel, message, type))),
  );
  return outcomes[0] ?? nothingDelivered;
}

export interface MembershipInput {
  readonly channel: string;
  readonly member: boolean;
  /** The inviting person. */
  readonly by?: string;
}

/** Adds the bot to a channel, for which it receives member_joined_channel if it is subscribed, or removes it. */
export async function setBotMember(workspace: Workspace, input: MembershipInput): Promise<Outcome> {
  const { state, app } = workspace;
  const name = input.channel.replace(/^#/, '');
  const channel = [...state.channels.values()].find((one) => one.id === input.channel || one.name === name);
  if (channel === undefined)
    throw new PersonError('unknown_channel', `There is no channel ${input.channel}.`);
  const before = state.botIsIn(channel);
  if (input.member) channel.members.add(state.world.bot.userId);
  else channel.members.delete(state.world.bot.userId);
  state.changed();
  if (before || !input.member || !app.events.includes('member_joined_channel')) return nothingDelivered;
  const event = {
    type: 'member_joined_channel',
    user: state.world.bot.userId,
    channel: channel.id,
    channel_type: 'C',
    team: state.world.team.id,
    inviter: input.by ?? state.world.people[0]?.id,
    event_ts: state.nextTs(),
  };
  return workspace.delivery.event({ type: 'events_api', payload: eventPayload(workspace, event) });
}
