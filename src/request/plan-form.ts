import type { FormValues } from '../blocks/form-values.ts';
import type { Modal } from '../blocks/message.ts';
import { type Asked, askForm, type Offered, readAskForm, readAskPlace } from './plan-form-blocks.ts';

/** The form for `/plan` without words, and the request it produces. */

export interface AskingPort {
  /** Ready-made plans that can run here. */
  offered(): Promise<readonly Offered[]>;
  /** A person's requests, newest first. */
  recent(userId: string): Promise<readonly { readonly id: string; readonly goal: string }[]>;
  request(id: string): Promise<{ readonly requester: string; readonly goal: string } | null>;
}

/** Maximum number of distinct earlier goals offered by the form. */
const maxRecent = 10;

export type FilledForm =
  | { readonly ok: true; readonly text: string; readonly channel: string }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** `chosen`: the ready-made plan whose inputs are shown. */
export async function formFor(
  userId: string,
  channel: string,
  chosen: string | null,
  port: AskingPort,
): Promise<Modal> {
  const [playbooks, goals] = await Promise.all([port.offered(), port.recent(userId)]);
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
  port: AskingPort,
): Promise<Modal | null> {
  const place = readAskPlace(metadata);
  return place && formFor(userId, place.channel, chosen, port);
}

/** The words a form stands for, or its errors; null for a form that is not ours. */
export async function readForm(
  userId: string,
  { metadata, values }: { readonly metadata: string; readonly values: FormValues },
  port: AskingPort,
): Promise<FilledForm | null> {
  const place = readAskPlace(metadata);
  if (place === null) return null;
  const chosen = (await port.offered()).find(({ name }) => name === place.playbook) ?? null;
  return filled(readAskForm(values, chosen), userId, place, port);
}

async function filled(
  asked: Asked,
  userId: string,
  { channel, playbook }: { channel: string; playbook: string | null },
  port: AskingPort,
): Promise<FilledForm> {
  if (asked.kind === 'wrong') return { ok: false, errors: asked.errors };
  if (asked.kind === 'words') return { ok: true, text: asked.words, channel };
  if (asked.kind === 'again') {
    const before = await port.request(asked.requestId);
    // The id comes from outside: people may only repeat their own requests.
    return before?.requester === userId
      ? { ok: true, text: before.goal, channel }
      : { ok: false, errors: { recent: 'It is no longer stored.' } };
  }
  const inputs = [...asked.values].map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return { ok: true, text: ['run', playbook, ...inputs].join(' '), channel };
}
