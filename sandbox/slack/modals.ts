import { randomBytes } from 'node:crypto';
import { checkView, maxViewBytes } from './blocks/validate.ts';
import { refusal, SlackApiError } from './errors.ts';
import { type Fields, isFieldsList, stringAt } from './fields.ts';
import type { View } from './model.ts';
import type { SlackState } from './state.ts';
import { storedBlocks } from './text.ts';
import { initialValues } from './view-state.ts';

/** One modal and two pushed on top of it. */
const maxStack = 3;

/** Validates a view from the app and adds Slack's own fields; throws SlackApiError. */
export function readView(state: SlackState, view: Fields, surface: 'modal' | 'home'): Fields {
  if (Buffer.byteLength(JSON.stringify(view)) > maxViewBytes) throw new SlackApiError('view_too_large');
  const findings = checkView(view, { surface });
  if (findings.length > 0) throw refusal('invalid_arguments', findings);
  const blocks = isFieldsList(view.blocks) ? storedBlocks(view.blocks, () => state.nextShortId()) : [];
  return { ...view, blocks };
}

function newHash(state: SlackState): string {
  return `${Math.floor(state.now() / 1_000)}.${randomBytes(4).toString('hex')}`;
}

function refuseTakenExternalId(state: SlackState, definition: Fields, except?: View): void {
  const externalId = stringAt(definition, 'external_id') ?? '';
  const found = externalId === '' ? undefined : state.findView({ externalId });
  if (found !== undefined && found !== except) throw new SlackApiError('duplicate_external_id');
}

function newView(state: SlackState, user: string, definition: Fields, below?: View): View {
  refuseTakenExternalId(state, definition);
  const id = state.nextId('V');
  return {
    id,
    user,
    rootId: below?.rootId ?? id,
    previousId: below?.id ?? null,
    definition,
    hash: newHash(state),
    values: initialValues(definition, {}),
    errors: {},
    responseUrls: [],
  };
}

export function openModal(state: SlackState, user: string, definition: Fields): View {
  const view = newView(state, user, definition);
  state.stacks.set(user, [view]);
  state.changed();
  return view;
}

export function pushModal(state: SlackState, user: string, definition: Fields): View {
  const stack = state.stacks.get(user) ?? [];
  if (stack.length >= maxStack) throw new SlackApiError('push_limit_reached');
  const view = newView(state, user, definition, stack.at(-1));
  state.stacks.set(user, [...stack, view]);
  state.changed();
  return view;
}

export function newHome(state: SlackState, user: string, definition: Fields): View {
  const view = newView(state, user, definition);
  state.homes.set(user, view);
  state.changed();
  return view;
}

/** A person's entries stay where block_id and action_id stay the same, as in Slack. */
export function updateView(state: SlackState, view: View, definition: Fields): void {
  refuseTakenExternalId(state, definition, view);
  view.definition = definition;
  view.hash = newHash(state);
  view.values = initialValues(definition, view.values);
  view.errors = {};
  delete view.notice;
  state.changed();
}

export function closeStack(state: SlackState, user: string): void {
  if (state.stacks.delete(user)) state.changed();
}

/** Closes the top modal; the one below reappears. */
export function closeTop(state: SlackState, user: string): void {
  const rest = (state.stacks.get(user) ?? []).slice(0, -1);
  if (rest.length === 0) state.stacks.delete(user);
  else state.stacks.set(user, rest);
  state.changed();
}
