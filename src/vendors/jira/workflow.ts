import { z } from 'zod';
import { ArgumentError } from './argument-error.ts';
import { checkedKey } from './issue-key.ts';
import { getIssue, getTransitions } from './library.ts';
import { allowedValues, listed, namesOf, readAs, same, shown } from './names.ts';
import type { MoveAsked } from './port.ts';
import { type Marks, marksIn, propertyKey } from './property.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

const category = z.object({ key: z.string() }).nullish();
const status = z.object({ name: z.string(), statusCategory: category });
const fieldMeta = z.object({
  required: z.boolean(),
  hasDefaultValue: z.boolean().default(false),
  name: z.string(),
  allowedValues,
});
const transitionSchema = z.object({
  id: z.string(),
  name: z.string(),
  to: status,
  isAvailable: z.boolean().nullish(),
  fields: z.record(z.string(), fieldMeta).default({}),
});
type Transition = z.infer<typeof transitionSchema>;
const issueSchema = z.object({
  fields: z.object({ summary: z.string().nullish(), status }),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

/** Where an issue stands, and what we have done to it. */
export interface Standing {
  readonly summary: string;
  readonly status: string;
  readonly marks: Marks;
}

/** What a move comes to: nothing to do (`transition` null), or the transition and the fields that it is given. */
export interface PlannedMove extends Standing {
  readonly to: string;
  readonly transition: { readonly id: string; readonly fields: Readonly<Record<string, unknown>> } | null;
}

export async function standingOf(access: JiraAccess, key: string, signal: AbortSignal): Promise<Standing> {
  const client = jiraTransport(access, signal);
  const of = { issueIdOrKey: checkedKey(key), fields: ['summary', 'status'], properties: [propertyKey] };
  const { fields, properties } = readAs(issueSchema, await getIssue(client, of), 'the issue');
  const summary = fields.summary ?? '';
  return { summary, status: fields.status.name, marks: marksIn(properties?.[propertyKey]) };
}

/** Finds the way to a status; throws a ArgumentError that names the statuses which can be reached. */
export async function planMove(
  access: JiraAccess,
  asked: MoveAsked,
  signal: AbortSignal,
): Promise<PlannedMove> {
  const client = jiraTransport(access, signal);
  const of = { issueIdOrKey: checkedKey(asked.key), expand: 'transitions.fields' };
  const [standing, offered] = await Promise.all([
    standingOf(access, asked.key, signal),
    getTransitions(client, of),
  ]);
  if (same(standing.status, asked.status)) return { ...standing, to: standing.status, transition: null };
  const all = readAs(z.array(transitionSchema), offered.transitions ?? [], 'a transition');
  const available = all.filter(({ isAvailable }) => isAvailable !== false);
  const transition = chosen(available, asked, standing);
  return { ...standing, to: transition.to.name, transition: withFields(transition, asked) };
}

/** Words that mean any status of a kind, where the workflow has one such status within reach. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^(closed?|done|resolved?|finished|completed?)$/i, 'done'],
  [/^(re-?open(ed)?|open|to ?do)$/i, 'new'],
];

function chosen(available: readonly Transition[], asked: MoveAsked, { status: now }: Standing): Transition {
  const byStatus = available.filter(({ to }) => same(to.name, asked.status));
  const byName = available.filter(({ name }) => same(name, asked.status));
  const kind = kinds.find(([word]) => word.test(asked.status.trim()))?.[1];
  const byKind = available.filter(({ to }) => kind !== undefined && to.statusCategory?.key === kind);
  const isOne = new Set(byKind.map(({ to }) => to.name)).size === 1;
  for (const found of [byStatus, byName, isOne ? byKind : []]) {
    // Of several ways the one that asks for nothing.
    const first = found.find((one) => missing(one, asked).length === 0) ?? found[0];
    if (first !== undefined) return first;
  }
  const names = [...new Set(available.map(({ to }) => to.name))];
  const reach =
    names.length === 0
      ? 'the bot may not move it anywhere from there'
      : `from there it can go to ${listed(names)}`;
  throw new ArgumentError(
    'no_transition',
    `The argument status is ${shown(asked.status)}, but ${asked.key} is ${shown(now)}, and ${reach}.`,
  );
}

function missing({ fields }: Transition, { resolution }: MoveAsked): [string, z.infer<typeof fieldMeta>][] {
  return Object.entries(fields).filter(
    ([id, { required, hasDefaultValue }]) =>
      required && !hasDefaultValue && !(id === 'resolution' && resolution !== undefined),
  );
}

function withFields(transition: Transition, asked: MoveAsked): PlannedMove['transition'] {
  const { resolution } = asked;
  for (const [id, { name, allowedValues: values }] of missing(transition, asked)) {
    const choices = namesOf(values);
    const help =
      id === 'resolution'
        ? `Say which with the argument resolution${choices.length > 0 ? `: ${listed(choices)}` : ''}.`
        : 'The bot cannot fill that in; move it in Jira.';
    const message = `To become ${shown(transition.to.name)}, ${asked.key} needs the field ${shown(name)}. ${help}`;
    throw new ArgumentError('field_missing', message);
  }
  if (resolution === undefined) return { id: transition.id, fields: {} };
  const field = transition.fields.resolution;
  if (field === undefined) {
    const message = `The argument resolution cannot be set when ${asked.key} becomes ${shown(transition.to.name)}: that screen does not have it.`;
    throw new ArgumentError('field_unknown', message);
  }
  const name = namesOf(field.allowedValues).find((one) => same(one, resolution));
  if (name !== undefined) return { id: transition.id, fields: { resolution: { name } } };
  const message = `The argument resolution is ${shown(resolution)}, but it can only be ${listed(namesOf(field.allowedValues))}.`;
  throw new ArgumentError('field_value', message);
}
