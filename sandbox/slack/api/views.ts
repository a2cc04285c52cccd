import { SlackApiError } from '../errors.ts';
import { type Fields, isFields } from '../fields.ts';
import { viewJson } from '../message-json.ts';
import { closeStack, newHome, openModal, pushModal, readView, updateView } from '../modals.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, type Methods } from './method.ts';

export const viewMethods: Methods = {
  'views.open': botMethod([], open),
  'views.push': botMethod([], push),
  'views.update': botMethod([], update),
  'views.publish': botMethod([], publish),
};

function definition(args: Args, surface: 'modal' | 'home', workspace: Workspace): Fields {
  const view = args.json('view', 'invalid_arguments');
  if (!isFields(view)) throw new SlackApiError('invalid_arguments', missing('view'));
  return readView(workspace.state, view, surface);
}

function missing(name: string): Fields {
  return { response_metadata: { messages: [`[ERROR] missing required field: ${name}`] } };
}

function open(args: Args, workspace: Workspace): Fields {
  const trigger = args.need('trigger_id');
  const view = definition(args, 'modal', workspace);
  const { user } = workspace.triggers.exchange(trigger);
  closeStack(workspace.state, user);
  return { view: viewJson(workspace.state, openModal(workspace.state, user, view)) };
}

/** Goes on top of the modal whose button or submission issued the trigger. */
function push(args: Args, workspace: Workspace): Fields {
  const trigger = args.need('trigger_id');
  const view = definition(args, 'modal', workspace);
  const { user, viewId } = workspace.triggers.exchange(trigger);
  const stack = workspace.state.stacks.get(user) ?? [];
  if (viewId === undefined || !stack.some((one) => one.id === viewId)) throw new SlackApiError('not_found');
  return { view: viewJson(workspace.state, pushModal(workspace.state, user, view)) };
}

function update(args: Args, workspace: Workspace): Fields {
  const { state } = workspace;
  const id = args.string('view_id');
  const externalId = args.string('external_id');
  if (id === undefined && externalId === undefined)
    throw new SlackApiError('invalid_arguments', missing('view_id'));
  const found = state.findView({
    ...(id === undefined ? {} : { id }),
    ...(externalId === undefined ? {} : { externalId }),
  });
  if (found === undefined) throw new SlackApiError('not_found');
  const view = definition(args, found.definition.type === 'home' ? 'home' : 'modal', workspace);
  const hash = args.string('hash');
  if (hash !== undefined && hash !== found.hash) throw new SlackApiError('hash_conflict');
  updateView(state, found, view);
  return { view: viewJson(state, found) };
}

function publish(args: Args, workspace: Workspace): Fields {
  const { state } = workspace;
  const user = args.need('user_id');
  if (!workspace.app.homeTab) throw new SlackApiError('not_enabled');
  if (!state.world.people.some((one) => one.id === user)) throw new SlackApiError('user_not_found');
  const view = definition(args, 'home', workspace);
  const known = state.homes.get(user);
  const hash = args.string('hash');
  if (hash !== undefined && known !== undefined && hash !== known.hash)
    throw new SlackApiError('hash_conflict');
  if (known === undefined) return { view: viewJson(state, newHome(state, user, view)) };
  updateView(state, known, view);
  return { view: viewJson(state, known) };
}
