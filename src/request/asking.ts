import type { FormValues } from '../blocks/form-values.ts';
import type { Modal } from '../blocks/message.ts';
import { type Asked, askForm, type Offered, readAskForm, readAskPlace } from './ask-form.ts';

/** The form behind `/plan` without words, and what it asks for. */

export interface AskingPort {
  /** Ready-made plans that can run here. */
  offered(): Promise<readonly Offered[]>;
  /** What a person asked for, newest first. */
  recent(userId: string): Promise<readonly { readonly id: string; readonly goal: string }[]>;
  request(id: string): Promise<{ readonly requester: string; readonly goal: string } | null>;
}

/** Goals from before that the form offers, each once. */
const maxRecent = 10;

export type FilledForm =
  | { readonly ok: true; readonly text: string; readonly channel: string }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** `chosen`: the ready-made plan whose inputs it shows. */
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

/** The same form with the inputs of another ready-made plan; null when it is none of ours. */
export async function formWith(
  userId: string,
  metadata: string,
  chosen: string,
  port: AskingPort,
): Promise<Modal | null> {
  const place = readAskPlace(metadata);
  return place && formFor(userId, place.channel, chosen, port);
}

/** The words that a form stands for, or what is wrong in it; null when it is none of ours. */
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
    // The id comes back from outside: only what this person asked for is asked for again.
    return before?.requester === userId
      ? { ok: true, text: before.goal, channel }
      : { ok: false, errors: { recent: 'It is no longer stored.' } };
  }
  const inputs = [...asked.values].map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return { ok: true, text: ['run', playbook, ...inputs].join(' '), channel };
}
