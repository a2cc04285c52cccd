import { z } from 'zod';
import { cut, oneLine } from '../../core/clean-text.ts';
import { VendorError } from '../../core/errors.ts';
import { own } from '../../core/own-property.ts';
import { accountOf, type JiraAccount } from './accounts.ts';
import { documentOf } from './adf.ts';
import { ArgumentError, needed } from './argument-error.ts';
import { checkedKey, checkedProject } from './issue-key.ts';
import { getCreateIssueMetaIssueTypeId, getCreateIssueMetaIssueTypes } from './jira-types.ts';
import { listed, listOf, namesOf, readEach, same, shown } from './names.ts';
import type { JiraOptions } from './options.ts';
import type { IssueAsked } from './port.ts';
import {
  askFor,
  missingField,
  type OtherFields,
  otherFields,
  readFields,
  type Screen,
  screenField,
} from './screen-field.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

const typeSchema = z.object({ id: z.string(), name: z.string(), subtask: z.boolean().nullish() });
/** By its id where it has no name. */
const fieldSchema = screenField
  .extend({ fieldId: z.string() })
  .transform((field) => ({ ...field, name: field.name ?? field.fieldId }));
type Field = z.infer<typeof fieldSchema>;
type Type = z.infer<typeof typeSchema>;

/** A new issue, checked against the project's create screen. */
export interface PlannedIssue {
  readonly type: string;
  readonly assignee: JiraAccount | null;
  /** True when the screen accepts a link: then the issue is created with it, in one request. */
  readonly takesLink: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The Jira field for each argument. */
const fieldOf = {
  text: 'description',
  priority: 'priority',
  label: 'labels',
  component: 'components',
  assignee: 'assignee',
} as const;
type Filled = keyof typeof fieldOf;
/** Set by us, or by Jira itself. */
const given = new Set(['project', 'issuetype', 'summary', 'reporter']);
const pageSize = 200;

/** Throws an ArgumentError that names the argument the project does not accept, or the field it requires. */
export async function planIssue(
  options: JiraOptions,
  asked: IssueAsked,
  signal: AbortSignal,
): Promise<PlannedIssue> {
  const projectIdOrKey = checkedProject(asked.project);
  if (asked.follows !== undefined) checkedKey(asked.follows);
  const type = typeFor(await typesOf(options, projectIdOrKey, signal), asked);
  const fields = await screenOf(options, projectIdOrKey, type.id, signal);
  const { asker } = asked;
  const screen: Screen = {
    fields: Object.fromEntries(fields.map((field) => [field.fieldId, field])),
    needs: (name) => `${asked.project} needs ${name} for ${shown(type.name)}.`,
    person: (name, item) => accountOf(options, { name, asker, argument: 'fields', item }, signal),
  };
  const others = readFields(asked.fields);
  checkScreen(screen, others, type, asked);
  const assignee =
    asked.assignee === undefined
      ? null
      : await accountOf(options, { name: asked.assignee, asker, argument: 'assignee' }, signal);
  return {
    type: type.name,
    assignee,
    takesLink: Object.hasOwn(screen.fields, 'issuelinks'),
    fields: {
      ...(await otherFields(screen, others)),
      ...fieldsOf(named(asked, screen, options), type, assignee),
    },
  };
}

async function typesOf(access: JiraAccess, projectIdOrKey: string, signal: AbortSignal): Promise<Type[]> {
  try {
    const client = jiraTransport(access, signal, { isList: true });
    const { issueTypes } = await getCreateIssueMetaIssueTypes(client, {
      projectIdOrKey,
      maxResults: pageSize,
    });
    return readEach(typeSchema, issueTypes, 'an issue type').read;
  } catch (error) {
    // Jira answers the same for a project that does not exist and one the bot may not write to.
    const unknown = error instanceof VendorError && (error.code === 'not_found' || error.code === 'refused');
    if (!unknown) throw error;
    const message = `The argument project is ${projectIdOrKey}, but Jira has no such project in which the bot may create issues.`;
    throw new ArgumentError('no_project', message);
  }
}

async function screenOf(
  access: JiraAccess,
  projectIdOrKey: string,
  issueTypeId: string,
  signal: AbortSignal,
): Promise<Field[]> {
  const client = jiraTransport(access, signal, { isList: true });
  const fields: Field[] = [];
  for (let startAt = 0; ; ) {
    const of = { projectIdOrKey, issueTypeId, startAt, maxResults: pageSize };
    const page = await getCreateIssueMetaIssueTypeId(client, of);
    const found = listOf(page.fields ?? page.results, 'a field');
    // A field without an id cannot be filled in either.
    fields.push(...readEach(fieldSchema, found, 'a field of the create screen').read);
    startAt += found.length;
    if (found.length === 0 || startAt >= (page.total ?? 0)) return fields;
  }
}

function typeFor(types: readonly Type[], { type, project }: IssueAsked): Type {
  const whole = types.filter(({ subtask }) => !subtask);
  const usual = whole.find(({ name }) => same(name, 'Task')) ?? whole[0];
  const found = type === undefined ? usual : whole.find(({ name }) => same(name, type));
  if (found !== undefined) return found;
  const choices = whole.map(({ name }) => name);
  const names = listed(choices) || 'none that the bot may create';
  const message = `The argument type is ${type === undefined ? 'missing' : shown(type)}; ${project} has ${names}.`;
  if (type === undefined || choices.length === 0) throw new ArgumentError('no_type', message);
  const question = `${project} has no type ${shown(type)}. Which one should it be?`;
  throw needed('no_type', message, { arg: 'type', question, choices });
}

function checkScreen(screen: Screen, others: OtherFields, type: Type, asked: IssueAsked): void {
  const arguments_ = Object.entries(fieldOf) as [Filled, string][];
  // A description is never empty: it says who asked and who approved.
  const isSet = (argument: Filled) => argument === 'text' || asked[argument] !== undefined;
  for (const [argument, fieldId] of arguments_) {
    if (argument === 'text' || !isSet(argument) || Object.hasOwn(screen.fields, fieldId)) continue;
    const message = `The argument ${argument} cannot be set: ${asked.project} does not have it for ${shown(type.name)}.`;
    throw new ArgumentError('field_unknown', message);
  }
  const set = arguments_.filter(([argument]) => isSet(argument)).map(([, fieldId]) => fieldId);
  const missing = missingField(screen, others, new Set([...given, ...set]));
  if (missing === undefined) return;
  const [id, field] = missing;
  askFor(screen, field, arguments_.find(([, fieldId]) => fieldId === id)?.[0]);
}

/** People's words, in the project's own names. */
function named(asked: IssueAsked, screen: Screen, { priorities }: JiraOptions): IssueAsked {
  const { project, label, priority, component } = asked;
  if (label !== undefined && /\s/.test(label)) {
    const message = `The argument label is ${shown(label)}; a label in Jira has no spaces.`;
    throw needed('bad_label', message, {
      arg: 'label',
      question: `${message} Which one should it be?`,
      choices: [],
    });
  }
  const choose = (argument: 'priority' | 'component', name: string): string => {
    const choices = namesOf(screen.fields[fieldOf[argument]]?.allowedValues);
    const found = choices.find((choice) => same(choice, name));
    if (found !== undefined) return found;
    const has = choices.length > 0 ? `only ${listed(choices)}` : 'none';
    const message = `The argument ${argument} is ${shown(name)}; ${project} has ${has}.`;
    const question = `The ${argument} is ${shown(name)}, but ${project} has ${has}. Which one should it be?`;
    throw needed(`no_${argument}`, message, { arg: argument, question, choices });
  };
  return {
    ...asked,
    ...(priority === undefined
      ? {}
      : { priority: choose('priority', own(priorities, priority) ?? priority) }),
    ...(component === undefined ? {} : { component: choose('component', component) }),
  };
}

function fieldsOf(asked: IssueAsked, type: Type, assignee: JiraAccount | null): Record<string, unknown> {
  const { project, summary, priority, label, component } = asked;
  return {
    project: { key: project },
    issuetype: { id: type.id },
    summary: cut(oneLine(summary), 255),
    description: documentOf(asked.text),
    ...(priority === undefined ? {} : { priority: { name: priority } }),
    ...(label === undefined ? {} : { labels: [label] }),
    ...(component === undefined ? {} : { components: [{ name: component }] }),
    ...(assignee === null ? {} : { assignee: { accountId: assignee.accountId } }),
  };
}
