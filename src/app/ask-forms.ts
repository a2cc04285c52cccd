import { viewIds } from '../blocks/ids.ts';
import type { Modal } from '../blocks/message.ts';
import { type Catalogue, namesOf } from '../core/catalogue.ts';
import { type InputType, inputTypeSchemas, type Playbook } from '../plan/playbooks/playbook.ts';
import {
  type Asked,
  askForm,
  type Field,
  type Offered,
  readAskForm,
  readAskPlace,
} from '../request/ask-form.ts';
import * as requests from '../store/requests.ts';
import type { OpenView } from '../vendors/slack/events.ts';
import type { Books } from './books.ts';

export interface AskFormDeps extends Books {
  readonly catalogue: Catalogue;
  readonly usable: () => Promise<{ readonly playbooks: readonly Playbook[] }>;
}

/** Goals from before that the form offers, each once. */
const maxRecent = 10;

/** The form behind `/plan` without words. */
export interface AskForms {
  open(userId: string, channel: string): Promise<Modal>;
  /** The same form with the inputs of another ready-made plan; null when it is none of ours. */
  choose(userId: string, view: OpenView, playbook: string): Promise<Modal | null>;
  /** The words that the form stands for, or what is wrong in it; null when it is none of ours. */
  read(userId: string, view: OpenView): Promise<FilledForm | null>;
}

export type FilledForm =
  | { readonly ok: true; readonly text: string; readonly channel: string }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

export function askForms(deps: AskFormDeps): AskForms {
  const offered = async (): Promise<Offered[]> => {
    const { playbooks } = await deps.usable();
    return playbooks.map((playbook) => offer(playbook, deps.catalogue));
  };
  const form = async (userId: string, channel: string, name: string | null): Promise<Modal> => {
    const [playbooks, recent] = await Promise.all([offered(), recentGoals(userId, deps)]);
    return askForm({
      channel,
      playbooks,
      chosen: playbooks.find((one) => one.name === name) ?? null,
      recent,
    });
  };
  return {
    open: (userId, channel) => form(userId, channel, null),
    async choose(userId, view, playbook) {
      const place = placeOf(view);
      return place && form(userId, place.channel, playbook);
    },
    async read(userId, view) {
      const place = placeOf(view);
      if (place === null) return null;
      const chosen = (await offered()).find(({ name }) => name === place.playbook) ?? null;
      const { playbooks } = await deps.usable();
      const types = playbooks.find(({ name }) => name === chosen?.name)?.inputs ?? {};
      const check = ({ name }: Field, value: string) => problemWith(types[name]?.type, value);
      const asked = readAskForm(new Map(Object.entries(view.values)), chosen, check);
      return filled(asked, userId, place, deps);
    },
  };
}

function placeOf({ callbackId, privateMetadata }: OpenView): ReturnType<typeof readAskPlace> {
  return callbackId === viewIds.ask ? readAskPlace(privateMetadata) : null;
}

function offer({ name, summary, inputs }: Playbook, catalogue: Catalogue): Offered {
  const fields = Object.entries(inputs).map(([input, spec]): Field => {
    const options = choicesOf(spec.type, catalogue);
    const value = spec.default === undefined ? '' : String(spec.default);
    const kind = options.length > 0 ? 'choice' : spec.type === 'number' ? 'number' : 'text';
    return { name: input, label: spec.describe, kind, options, value };
  });
  return { name, summary, fields };
}

function choicesOf(type: InputType, catalogue: Catalogue): readonly string[] {
  if (type === 'priority') return ['P1', 'P2', 'P3', 'P4', 'P5'];
  if (type === 'service' || type === 'project' || type === 'channel' || type === 'user')
    return namesOf(catalogue, type);
  return [];
}

function problemWith(type: InputType | undefined, value: string): string | null {
  if (type === undefined) return null;
  if (value === '') return 'Fill this in.';
  const parsed = inputTypeSchemas[type].safeParse(value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'is not right');
}

async function recentGoals(userId: string, { db, teamId }: Books): Promise<{ id: string; goal: string }[]> {
  const rows = await requests.listRecent(db, { teamId, limit: 50, requester: userId });
  const byGoal = new Map(rows.toReversed().map(({ id, goal }) => [goal, { id, goal }]));
  return [...byGoal.values()].toReversed().slice(0, maxRecent);
}

async function filled(
  asked: Asked,
  userId: string,
  { channel, playbook }: { channel: string; playbook: string | null },
  { db, teamId }: Books,
): Promise<FilledForm> {
  if (asked.kind === 'wrong') return { ok: false, errors: asked.errors };
  if (asked.kind === 'words') return { ok: true, text: asked.words, channel };
  if (asked.kind === 'again') {
    const before = await requests.get(db, teamId, asked.requestId);
    // The id comes back from outside: only what this person asked for is asked for again.
    const own = before !== null && before.requester === userId;
    return own
      ? { ok: true, text: before.goal, channel }
      : { ok: false, errors: { recent: 'It is no longer stored.' } };
  }
  const inputs = [...asked.values].map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return { ok: true, text: ['run', playbook, ...inputs].join(' '), channel };
}
