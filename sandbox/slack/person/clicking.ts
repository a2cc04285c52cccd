import type { Person } from '../../world.ts';
import { PersonError } from '../errors.ts';
import { compact, type Fields, fieldsAt, listAt } from '../fields.ts';
import { messageJson, viewJson } from '../message-json.ts';
import type { Channel, Message, Outcome, View } from '../model.ts';
import { slackbotNotice } from '../posting.ts';
import { elementsIn, enteredState, initialValues, type StatefulElement } from '../view-state.ts';
import type { Workspace } from '../workspace.ts';
import { channelReference, interactionBase, personOf, responseUrl, visibleChannel } from './payloads.ts';

export interface ClickInput {
  readonly as: string;
  readonly channel: string;
  /** Timestamp of the message with the element. */
  readonly ts: string;
  /** Only needed if the same action_id occurs in several blocks. */
  readonly blockId?: string;
  readonly actionId: string;
  /** A button's value if several share an action_id, or the choice in a select, an overflow or feedback buttons. */
  readonly value?: unknown;
}

export interface ViewActionInput {
  readonly as: string;
  readonly viewId: string;
  readonly blockId?: string;
  readonly actionId: string;
  readonly value?: unknown;
}

/** A click on a button, or a choice in another element, of a message visible to the person. */
export async function clickElement(workspace: Workspace, input: ClickInput): Promise<Outcome> {
  const { state } = workspace;
  const person = personOf(state, input.as);
  const channel = visibleChannel(state, person, input.channel);
  const message = state.message(channel.id, input.ts, person.id);
  if (message === undefined)
    throw new PersonError('unknown_message', `${person.realName} sees no such message.`);
  const found = find(message.blocks, input);
  const action = actionOf(workspace, found, input.value);
  remember(message, person.id, found, input.value);
  const payload = messagePayload(workspace, person, channel, message, action);
  return deliver(workspace, payload, (why) =>
    slackbotNotice(state, channel.id, person.id, `That click failed because ${why}.`),
  );
}

/** A click or choice inside an open modal or the App Home. */
export async function clickInView(workspace: Workspace, input: ViewActionInput): Promise<Outcome> {
  const { state } = workspace;
  const person = personOf(state, input.as);
  const view = openView(workspace, person, input.viewId);
  const found = find(listAt(view.definition, 'blocks'), input);
  const action = actionOf(workspace, found, input.value);
  const entered = enteredState(found.element, input.value);
  if (entered !== undefined) {
    view.values[found.blockId] = { ...view.values[found.blockId], [found.actionId]: entered };
    state.changed();
    // Inputs are only sent to the app if the block asks for it.
    if (found.block.type === 'input' && found.block.dispatch_action !== true) {
      return { delivered: false, acknowledged: false, late: false };
    }
  }
  const payload = {
    ...interactionBase(workspace, 'block_actions', person),
    container: { type: 'view', view_id: view.id },
    trigger_id: workspace.triggers.issue(person.id, view.id),
    view: viewJson(state, view),
    actions: [action],
  };
  const onFailure = () => {
    view.notice = 'We had some trouble connecting. Try again?';
    state.changed();
  };
  return workspace.delivery.deliver({ type: 'interactive', payload }, { onFailure });
}

/** The person's own view: a modal anywhere in the stack, or the App Home. */
export function openView(workspace: Workspace, person: Person, id: string): View {
  const mine = [...(workspace.state.stacks.get(person.id) ?? []), workspace.state.homes.get(person.id)];
  const view = mine.find((one) => one?.id === id);
  if (view === undefined) throw new PersonError('unknown_view', `${person.realName} has no such view open.`);
  return view;
}

function find(
  blocks: readonly Fields[],
  wanted: { blockId?: string; actionId: string; value?: unknown },
): StatefulElement {
  const all = elementsIn(blocks).filter(
    (one) =>
      one.actionId === wanted.actionId && (wanted.blockId === undefined || one.blockId === wanted.blockId),
  );
  const buttons = all.filter((one) => one.element.type === 'button');
  const exact = buttons.find((one) => wanted.value !== undefined && one.element.value === wanted.value);
  const found = exact ?? (wanted.value === undefined || buttons.length === 0 ? all[0] : undefined);
  if (found === undefined)
    throw new PersonError('unknown_element', `There is no ${wanted.actionId} to click there.`);
  return found;
}

function actionOf(workspace: Workspace, found: StatefulElement, value: unknown): Fields {
  const { element, blockId, actionId } = found;
  const base = {
    type: element.type,
    block_id: blockId,
    action_id: actionId,
    action_ts: workspace.state.nextTs(),
  };
  if (element.type === 'button') {
    return compact({
      ...base,
      text: element.text,
      value: element.value,
      style: element.style,
      url: element.url,
    });
  }
  if (element.type === 'feedback_buttons') {
    const buttons = [fieldsAt(element, 'positive_button'), fieldsAt(element, 'negative_button')];
    const pressed = buttons.find((one) => one.value === value);
    if (pressed === undefined)
      throw new PersonError('unknown_option', `${actionId} has no button ${String(value)}.`);
    return { ...base, text: pressed.text, value: pressed.value };
  }
  if (element.type === 'overflow') {
    const option = listAt(element, 'options').find((one) => one.value === value);
    if (option === undefined)
      throw new PersonError('unknown_option', `${actionId} has no option ${String(value)}.`);
    return { ...base, selected_option: option };
  }
  const entered = enteredState(element, value);
  if (entered === undefined)
    throw new PersonError('unknown_option', `${actionId} does not offer ${String(value)}.`);
  return { ...base, ...entered };
}

/** Each person has their own state of a message's selects. */
function remember(message: Message, user: string, found: StatefulElement, value: unknown): void {
  const before = message.entries.get(user) ?? {};
  const values = initialValues({ blocks: message.blocks }, before);
  const entered = enteredState(found.element, value);
  if (entered !== undefined) {
    values[found.blockId] = { ...values[found.blockId], [found.actionId]: entered };
  }
  message.entries.set(user, values);
}

function messagePayload(
  workspace: Workspace,
  person: Person,
  channel: Channel,
  message: Message,
  action: Fields,
): Fields {
  const ephemeral = message.ephemeralFor !== undefined;
  const container = compact({
    type: 'message',
    message_ts: message.ts,
    channel_id: channel.id,
    is_ephemeral: ephemeral,
    thread_ts: message.threadTs,
  });
  return compact({
    ...interactionBase(workspace, 'block_actions', person),
    container,
    trigger_id: workspace.triggers.issue(person.id),
    channel: channelReference(channel),
    // Slack does not include an ephemeral message.
    message: ephemeral ? undefined : messageJson(workspace.state, message),
    state: { values: message.entries.get(person.id) ?? {} },
    response_url: responseUrl(workspace, 'actions', {
      channel: channel.id,
      user: person.id,
      messageTs: message.ts,
    }),
    actions: [action],
  });
}

export interface ShortcutInput {
  readonly as: string;
  readonly channel: string;
  readonly ts: string;
  readonly callbackId: string;
}

/** A message shortcut from the menu of a message. */
export async function runMessageShortcut(workspace: Workspace, input: ShortcutInput): Promise<Outcome> {
  const { state, app } = workspace;
  const person = personOf(state, input.as);
  const channel = visibleChannel(state, person, input.channel);
  const message = state.message(channel.id, input.ts);
  if (message === undefined)
    throw new PersonError('unknown_message', `${person.realName} sees no such message.`);
  if (!app.shortcuts.some((one) => one.callbackId === input.callbackId && one.type === 'message')) {
    throw new PersonError('unknown_shortcut', `There is no message shortcut ${input.callbackId}.`);
  }
  const payload = {
    ...interactionBase(workspace, 'message_action', person),
    action_ts: state.nextTs(),
    callback_id: input.callbackId,
    trigger_id: workspace.triggers.issue(person.id),
    channel: channelReference(channel),
    message_ts: message.ts,
    message: messageJson(state, message),
    response_url: responseUrl(workspace, 'actions', {
      channel: channel.id,
      user: person.id,
      messageTs: message.ts,
    }),
  };
  return deliver(workspace, payload, (why) =>
    slackbotNotice(state, channel.id, person.id, `The shortcut failed because ${why}.`),
  );
}

function deliver(workspace: Workspace, payload: Fields, notice: (why: string) => void): Promise<Outcome> {
  const onFailure = (error: string) => notice(`the app did not respond (${error})`);
  return workspace.delivery.deliver({ type: 'interactive', payload }, { onFailure });
}
