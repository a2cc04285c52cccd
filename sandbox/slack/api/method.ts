import { SlackApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { Channel } from '../model.ts';
import type { SlackState } from '../state.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';

export interface Method {
  /** Any one of these is enough; if empty, every token may call it. */
  readonly scopes: readonly string[];
  readonly token: 'bot' | 'app' | 'none';
  /** The answer without `ok`; throws SlackApiError. */
  readonly run: (args: Args, workspace: Workspace) => Fields | Promise<Fields>;
}

export type Methods = Readonly<Record<string, Method>>;

export function botMethod(scopes: readonly string[], run: Method['run']): Method {
  return { scopes, token: 'bot', run };
}

/** A channel by id or name, or a direct message by the person's id, which opens it. */
export function channelOf(state: SlackState, reference: string): Channel {
  const person = state.world.people.some((one) => one.id === reference);
  if (person) return state.openIm(reference);
  const name = reference.replace(/^#/, '');
  const found =
    state.channels.get(reference) ?? [...state.channels.values()].find((one) => one.name === name);
  if (found === undefined || name === '') throw new SlackApiError('channel_not_found');
  return found;
}

/** A channel by id only, as required by the methods that change or read messages. */
export function channelById(state: SlackState, id: string): Channel {
  const found = state.channels.get(id);
  if (found === undefined) throw new SlackApiError('channel_not_found');
  return found;
}

export function requireMember(state: SlackState, channel: Channel): void {
  if (!state.botIsIn(channel)) throw new SlackApiError('not_in_channel');
}

/** For scopes that depend on the arguments, such as im:history for a direct message. */
export function requireScope(workspace: Workspace, scope: string): void {
  const provided = workspace.app.scopes;
  if (!provided.includes(scope)) {
    throw new SlackApiError('missing_scope', { needed: scope, provided: provided.join(',') });
  }
}

/** One page of a list and the cursor of the next; `invalid_cursor` for a cursor that Slack did not return. */
export function paged<T>(
  all: readonly T[],
  args: Args,
  fallback: number,
): { page: T[]; cursor: string; hasMore: boolean } {
  const limit = Math.min(Math.max(args.whole('limit', fallback), 1), 1_000);
  const from = cursorStart(args.string('cursor') ?? '');
  const page = all.slice(from, from + limit);
  const hasMore = from + limit < all.length;
  return { page, hasMore, cursor: hasMore ? Buffer.from(`next:${from + limit}`).toString('base64') : '' };
}

function cursorStart(cursor: string): number {
  if (cursor === '') return 0;
  const match = /^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8'));
  if (match === null) throw new SlackApiError('invalid_cursor');
  return Number(match[1]);
}
