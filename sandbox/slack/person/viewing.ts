import type { Person } from '../../world.ts';
import { PersonError, SlackApiError } from '../errors.ts';
import { type Fields, fieldsAt, isFields, listAt, stringAt } from '../fields.ts';
import { viewJson } from '../message-json.ts';
import { closeStack, closeTop, pushModal, readView, updateView } from '../modals.ts';
import type { Outcome, View } from '../model.ts';
import { elementsIn, enteredState, entryProblem } from '../view-state.ts';
import type { Workspace } from '../workspace.ts';
import { openView } from './clicking.ts';
import { eventPayload, interactionBase, personOf, visibleChannel } from './payloads.ts';

export interface SubmitInput {
  readonly as: string;
  readonly viewId: string;
  /**
   * Entries by block id and action id: text, an option's value, a list of option values, a user id, or Slack's own
   * state object. Omitted entries keep the view's initial value.
   */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface CloseInput {
  readonly as: string;
  readonly viewId: string;
}

const nothing: Outcome = { delivered: false, acknowledged: false, late: false };
const trouble = 'We had some trouble connecting. Try again?';

/** A person presses the submit button. Problems found by the Slack client itself never reach the app. */
export async function submit(workspace: Workspace, input: SubmitInput): Promise<Outcome> {
  const { state } = workspace;
  const person = personOf(state, input.as);
  const view = topModal(workspace, person, input.viewId);
  enter(view, input.values ?? {});
  view.errors = problems(view);
  delete view.notice;
  state.changed();
  if (Object.keys(view.errors).length > 0) return { ...nothing, fieldErrors: view.errors };
  const payload = {
    ...interactionBase(workspace, 'view_submission', person),
    trigger_id: workspace.triggers.issue(person.id, view.id),
    view: viewJson(state, view),
    response_urls: view.responseUrls,
  };
  const onFailure = () => {
    view.notice = trouble;
    state.changed();
  };
  const outcome = await workspace.delivery.deliver({ type: 'interactive', payload }, { onFailure });
  if (outcome.acknowledged) follow(workspace, view, outcome.response);
  state.changed();
  return Object.keys(view.errors).length > 0 ? { ...outcome, fieldErrors: view.errors } : outcome;
}

function topModal(workspace: Workspace, person: Person, id: string): View {
  const view = openView(workspace, person, id);
  const top = workspace.state.stacks.get(person.id)?.at(-1);
  if (view !== top) throw new PersonError('view_not_on_top', 'Another modal lies on top of this one.');
  return view;
}

function enter(view: View, values: NonNullable<SubmitInput['values']>): void {
  const elements = elementsIn(listAt(view.definition, 'blocks'));
  for (const [blockId, entries] of Object.entries(values)) {
    for (const [actionId, entry] of Object.entries(entries)) {
      const found = elements.find((one) => one.blockId === blockId && one.actionId === actionId);
      if (found === undefined)
        throw new PersonError('unknown_element', `There is no ${blockId}/${actionId} here.`);
      const entered = enteredState(found.element, entry);
      if (entered === undefined) {
        throw new PersonError('unknown_option', `${actionId} does not offer ${String(entry)}.`);
      }
      view.values[blockId] = { ...view.values[blockId], [actionId]: entered };
    }
  }
}

function problems(view: View): Record<string, string> {
  const inputs = listAt(view.definition, 'blocks').filter((block) => block.type === 'input');
  return Object.fromEntries(
    inputs.flatMap((block) => {
      const blockId = stringAt(block, 'block_id') ?? '';
      const actionId = stringAt(fieldsAt(block, 'element'), 'action_id') ?? '';
      const problem = entryProblem(block, view.values[blockId]?.[actionId]);
      return problem === undefined ? [] : [[blockId, problem] as const];
    }),
  );
}

/** Carries out the acknowledgement's response. If Slack cannot, the modal stays open with a notice. */
function follow(workspace: Workspace, view: View, response: unknown): void {
  const { state } = workspace;
  if (!isFields(response) || Object.keys(response).length === 0) {
    closeTop(state, view.user);
    return;
  }
  try {
    switch (response.response_action) {
      case 'errors':
        showErrors(view, fieldsAt(response, 'errors'));
        return;
      case 'update':
        updateView(state, view, readView(state, fieldsAt(response, 'view'), 'modal'));
        return;
      case 'push':
        pushModal(state, view.user, readView(state, fieldsAt(response, 'view'), 'modal'));
        return;
      case 'clear':
        closeStack(state, view.user);
        return;
      default:
        view.notice = trouble;
    }
  } catch (error) {
    if (!(error instanceof SlackApiError)) throw error;
    view.notice = `${trouble} (${error.code})`;
  }
}

/** Slack shows errors on input blocks only; an unknown block id makes the whole response invalid. */
function showErrors(view: View, errors: Fields): void {
  const inputs = new Set(
    listAt(view.definition, 'blocks').flatMap((block) => (block.type === 'input' ? [block.block_id] : [])),
  );
  const entries = Object.entries(errors).map(([block, text]) => [block, String(text)] as const);
  if (entries.length === 0 || entries.some(([block]) => !inputs.has(block))) {
    view.notice = trouble;
    return;
  }
  view.errors = Object.fromEntries(entries);
}

/** A person closes a modal with its close button. */
export async function close(workspace: Workspace, input: CloseInput): Promise<Outcome> {
  const { state } = workspace;
  const person = personOf(state, input.as);
  const view = topModal(workspace, person, input.viewId);
  const clears = view.definition.clear_on_close === true;
  const payload = {
    ...interactionBase(workspace, 'view_closed', person),
    view: viewJson(state, view),
    is_cleared: clears,
  };
  if (clears) closeStack(state, person.id);
  else closeTop(state, person.id);
  if (view.definition.notify_on_close !== true) return nothing;
  return workspace.delivery.deliver({ type: 'interactive', payload });
}

/** A person opens one of the app's tabs. */
export async function visitTab(
  workspace: Workspace,
  { as, tab }: { readonly as: string; readonly tab: 'home' | 'messages' },
): Promise<Outcome> {
  const { state, app } = workspace;
  const person = personOf(state, as);
  const channel = state.openIm(person.id);
  const isThere = tab === 'home' ? app.homeTab : app.messagesTab;
  if (!isThere || !app.events.includes('app_home_opened')) return nothing;
  const home = tab === 'home' ? state.homes.get(person.id) : undefined;
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel: channel.id,
    tab,
    event_ts: state.nextTs(),
    ...(home === undefined ? {} : { view: viewJson(state, home) }),
  };
  return workspace.delivery.event({ type: 'events_api', payload: eventPayload(workspace, event) });
}

/** A person presses the stop button that is shown while an agent is at work in a thread. */
export async function stopAgent(
  workspace: Workspace,
  { as, channel, threadTs }: { readonly as: string; readonly channel: string; readonly threadTs: string },
): Promise<Outcome> {
  const { state, app } = workspace;
  const person = personOf(state, as);
  const { id } = visibleChannel(state, person, channel);
  const isShown = app.events.includes('agent_session_stopped');
  if (!isShown || state.agentThread(id, threadTs).session !== 'processing')
    throw new PersonError('no_stop_button', 'Nothing can be stopped there.');
  const event = {
    ...{ type: 'agent_session_stopped', channel: id, user: person.id, thread_ts: threadTs },
    ...{ streaming_message_ts: [], event_ts: state.nextTs() },
  };
  return workspace.delivery.event({ type: 'events_api', payload: eventPayload(workspace, event) });
}
