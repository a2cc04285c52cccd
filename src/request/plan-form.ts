import type { FormValues } from '../blocks/form-values.ts';
import type { Modal } from '../blocks/message.ts';
import * as requests from '../store/requests.ts';
import type { RequestContext } from './context.ts';
import { type Asked, askForm, readAskForm, readAskPlace } from './plan-form-blocks.ts';

/** The form for `/plan` without words, and the request it produces. */

/** Maximum number of a person's requests read, and of distinct goals among them that the form offers. */
const maxRead = 50;
const maxRecent = 10;

export type FilledForm =
  | { readonly ok: true; readonly text: string; readonly channel: string }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** `chosen`: the ready-made plan whose inputs are shown. */
export async function formFor(
  userId: string,
  channel: string,
  chosen: string | null,
  context: RequestContext,
): Promise<Modal> {
  const { db, teamId, readyMade } = context;
  const earlier = requests.listRecent(db, { teamId, limit: maxRead, requester: userId });
  const [playbooks, goals] = await Promise.all([readyMade(), earlier]);
  const newest = new Map(goals.toReversed().map((one) => [one.goal, one]));
  return askForm({
    channel,
    playbooks,
    chosen: playbooks.find(({ name }) => name === chosen) ?? null,
    recent: [...newest.values()].toReversed().slice(0, maxRecent),
  });
}

/** The same form with the inputs of another ready-made plan; null for a form that is not ours. */
export async function formWith(
  userId: string,
  metadata: string,
  chosen: string,
  context: RequestContext,
): Promise<Modal | null> {
  const place = readAskPlace(metadata);
  return place && formFor(userId, place.channel, chosen, context);
}

/** The words a form stands for, or its errors; null for a form that is not ours. */
export async function readForm(
  userId: string,
  { metadata, values }: { readonly metadata: string; readonly values: FormValues },
  context: RequestContext,
): Promise<FilledForm | null> {
  const place = readAskPlace(metadata);
  if (place === null) return null;
  const chosen = (await context.readyMade()).find(({ name }) => name === place.playbook) ?? null;
  return filled(readAskForm(values, chosen), userId, place, context);
}

async function filled(
  asked: Asked,
  userId: string,
  { channel, playbook }: { channel: string; playbook: string | null },
  context: RequestContext,
): Promise<FilledForm> {
  if (asked.kind === 'wrong') return { ok: false, errors: asked.errors };
  if (asked.kind === 'words') return { ok: true, text: asked.words, channel };
  if (asked.kind === 'again') {
    const before = await requests.get(context.db, context.teamId, asked.requestId);
    // The id comes from outside: people may only repeat their own requests.
    return before?.requester === userId
      ? { ok: true, text: before.goal, channel }
      : { ok: false, errors: { recent: 'It is no longer stored.' } };
  }
  const inputs = [...asked.values].map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return { ok: true, text: ['run', playbook, ...inputs].join(' '), channel };
}
