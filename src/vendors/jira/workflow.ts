import { z } from 'zod';
import { accountOf } from './accounts.ts';
import { ArgumentError, needed } from './argument-error.ts';
import { checkedKey, existing } from './issue-key.ts';
import { type Marks, marksIn, propertyKey } from './issue-property.ts';
import { getIssue, getTransitions } from './jira-types.ts';
import { listed, namesOf, readAs, readEach, same, shown } from './names.ts';
import type { JiraOptions } from './options.ts';
import type { MoveAsked } from './port.ts';
import {
  askFor,
  missingField,
  otherFields,
  readFields,
  type Screen,
  type ScreenField,
  screenField,
} from './screen-field.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

const category = z.object({ key: z.string() }).nullish();
const status = z.object({ name: z.string(), statusCategory: category });
const transitionSchema = z.object({
  id: z.string(),
  name: z.string(),
  to: status,
  isAvailable: z.boolean().nullish(),
  fields: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((fields) => Object.fromEntries(Object.entries(fields ?? {}).flatMap(namedField))),
});
type Transition = z.infer<typeof transitionSchema>;
/** By its id where it has no name; what is no field at all cannot be filled in either. */
function namedField([id, field]: [string, unknown]): [string, ScreenField][] {
  const { data } = screenField.safeParse(field);
  return data === undefined ? [] : [[id, { ...data, name: data.name ?? id }]];
}

const issueSchema = z.object({
  fields: z.object({ summary: z.string().nullish(), status }),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

/** Status of an issue, and our writes to it. */
export interface IssueStatus {
  readonly summary: string;
  readonly status: string;
  readonly marks: Marks;
}

/** A planned move: nothing to do (`transition` null), or the transition with its field values. */
export interface PlannedMove extends IssueStatus {
  readonly to: string;
  readonly transition: { readonly id: string; readonly fields: Readonly<Record<string, unknown>> } | null;
}

export async function issueStatus(
  access: JiraAccess,
  key: string,
  signal: AbortSignal,
): Promise<IssueStatus> {
  const client = jiraTransport(access, signal);
  const of = { issueIdOrKey: checkedKey(key), fields: ['summary', 'status'], properties: [propertyKey] };
  const { fields, properties } = readAs(issueSchema, await getIssue(client, of), 'the issue');
  const summary = fields.summary ?? '';
  return { summary, status: fields.status.name, marks: marksIn(properties?.[propertyKey]) };
}

/** Finds the transition to a status; throws an ArgumentError that names the reachable statuses. */
export async function planMove(
  access: JiraOptions,
  asked: MoveAsked,
  signal: AbortSignal,
): Promise<PlannedMove> {
  const client = jiraTransport(access, signal, { isList: true });
  const of = { issueIdOrKey: checkedKey(asked.key), expand: 'transitions.fields' };
  const both = Promise.all([issueStatus(access, asked.key, signal), getTransitions(client, of)]);
  const [current, offered] = await existing(asked.key, both);
  if (same(current.status, asked.status)) return { ...current, to: current.status, transition: null };
  const { read, odd } = readEach(transitionSchema, offered.transitions, 'a transition');
  const available = read.filter(({ isAvailable }) => isAvailable !== false);
  const transition = chosen({ available, unread: odd.length }, asked, current);
  const { asker } = asked;
  const person: Screen['person'] = (name, item) =>
    accountOf(access, { name, asker, argument: 'fields', item }, signal);
  const fields = await fieldsFor(screenOf(transition, asked, person), asked);
  return { ...current, to: transition.to.name, transition: { id: transition.id, fields } };
}

/** Words for any status of a category, if the workflow has exactly one such status within reach. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^(closed?|done|resolved?|finished|completed?)$/i, 'done'],
  [/^(re-?open(ed)?|open|to ?do)$/i, 'new'],
];

interface Ways {
  readonly available: readonly Transition[];
  /** How many could not be read. */
  readonly unread: number;
}

function chosen({ available, unread }: Ways, asked: MoveAsked, { status: now }: IssueStatus): Transition {
  const byStatus = available.filter(({ to }) => same(to.name, asked.status));
  const byName = available.filter(({ name }) => same(name, asked.status));
  const kind = kinds.find(([word]) => word.test(asked.status.trim()))?.[1];
  const byKind = available.filter(({ to }) => kind !== undefined && to.statusCategory?.key === kind);
  const isOne = new Set(byKind.map(({ to }) => to.name)).size === 1;
  for (const found of [byStatus, byName, isOne ? byKind : []]) {
    // Prefers a transition that needs no fields.
    const first = found.find((one) => missing(screenOf(one, asked), asked) === undefined) ?? found[0];
    if (first !== undefined) return first;
  }
  const left = unread === 0 ? '' : ` (${unread} of its transitions could not be read)`;
  const stands = `${asked.key} is ${shown(now)}${left}`;
  const cannot = `The argument status is ${shown(asked.status)}, but ${stands}, and`;
  const choices = [...new Set((byKind.length > 0 ? byKind : available).map(({ to }) => to.name))];
  if (choices.length === 0) {
    throw new ArgumentError('no_transition', `${cannot} the bot may not move it anywhere from there.`);
  }
  const names = listed([...new Set(available.map(({ to }) => to.name))]);
  const question = `${stands}, and from there its workflow does not lead to ${shown(asked.status)}. Where to instead?`;
  throw needed('no_transition', `${cannot} from there it can go to ${names}.`, {
    ...{ arg: 'status', question, choices },
  });
}

function screenOf({ fields, to }: Transition, { key }: MoveAsked, person?: Screen['person']): Screen {
  const nobody: Screen['person'] = () => Promise.reject(new TypeError('nobody is looked up here'));
  const needs = (name: string) => `To become ${shown(to.name)}, ${key} needs the field ${name}.`;
  return { fields, needs, person: person ?? nobody };
}

function missing(screen: Screen, asked: MoveAsked): [string, ScreenField] | undefined {
  const given = asked.resolution === undefined ? [] : ['resolution'];
  return missingField(screen, readFields(asked.fields), new Set(given));
}

async function fieldsFor(screen: Screen, asked: MoveAsked): Promise<Record<string, unknown>> {
  const [id, field] = missing(screen, asked) ?? [];
  if (field !== undefined) askFor(screen, field, id === 'resolution' ? 'resolution' : undefined);
  const others = await otherFields(screen, readFields(asked.fields));
  const { resolution } = asked;
  if (resolution === undefined) return others;
  const onScreen = screen.fields.resolution;
  if (onScreen === undefined) {
    const message = `The argument resolution cannot be set when ${asked.key} becomes ${shown(asked.status)}: that screen does not have it.`;
    throw new ArgumentError('field_unknown', message);
  }
  const choices = namesOf(onScreen.allowedValues);
  const name = choices.find((one) => same(one, resolution));
  if (name !== undefined) return { ...others, resolution: { name } };
  const message = `The argument resolution is ${shown(resolution)}, but it can only be ${listed(choices)}.`;
  const question = `The resolution is ${shown(resolution)}, but it can only be ${listed(choices)}. Which one?`;
  throw needed('field_value', message, { arg: 'resolution', question, choices });
}
