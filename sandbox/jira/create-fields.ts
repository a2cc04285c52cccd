import { isDocument } from './adf.ts';
import { badRequest, JiraRefusal } from './errors.ts';
import {
  type ComponentName,
  components,
  issueTypes,
  type JiraUser,
  type NewIssue,
  priorities,
} from './model.ts';
import { createScreen, readCustom } from './screens.ts';
import type { JiraStore } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;
const settable = [
  'project',
  'issuetype',
  'summary',
  'description',
  'priority',
  'labels',
  'assignee',
  'reporter',
  'components',
];

/** Reads `fields` of a create request; throws JiraRefusal naming every wrong field at once, as Jira does. */
export function readNewIssue(input: unknown, store: JiraStore, linked = false): NewIssue {
  const fields = asRecord(input);
  if (fields === undefined)
    throw badRequest('Invalid request payload. Refer to the REST API documentation and try again.');
  const errors: Record<string, string> = {};
  const isCustom = /^customfield_/;
  for (const name of Object.keys(fields).filter((one) => !settable.includes(one) && !isCustom.test(one))) {
    errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`;
  }
  const project = store.world.jira.projects.find((one) => refers(fields.project, one, 'key'));
  if (project === undefined) errors.project = 'valid project is required';
  const issueType = issueTypes.find((one) => refers(fields.issuetype, one, 'name'));
  if (issueType === undefined) errors.issuetype = 'Specify a valid issue type';
  const priority = priorities.find((one) => refers(fields.priority, one, 'name'));
  if (fields.priority !== undefined && priority === undefined)
    errors.priority = 'The priority selected is invalid.';
  const summary = readSummary(fields.summary, errors);
  const labels = readLabels(fields.labels, errors);
  const assignee = readUser('assignee', fields.assignee, store, errors);
  const reporter = readUser('reporter', fields.reporter, store, errors);
  const description = readDescription(fields.description, errors);
  const chosen = readComponents(fields.components, errors);
  let custom: Fields = {};
  if (project !== undefined && issueType !== undefined) {
    const screen = createScreen(project.key, issueType.name);
    for (const name of Object.keys(fields).filter((one) => isCustom.test(one))) {
      if (!screen.some(({ id }) => id === name))
        errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`;
    }
    custom = readCustom(screen, fields, errors);
    const needs = screen.find(({ id, required }) => id === 'components' && required);
    if (needs !== undefined && chosen.length === 0) errors.components = 'Components is required.';
    if (linked && !screen.some(({ id }) => id === 'issuelinks')) {
      errors.issuelinks =
        "Field 'issuelinks' cannot be set. It is not on the appropriate screen, or unknown.";
    }
  }
  if (project === undefined || issueType === undefined || Object.keys(errors).length > 0) {
    throw new JiraRefusal(400, [], errors);
  }
  return {
    project: project.key,
    summary,
    description,
    issueType: issueType.name,
    ...(priority === undefined ? {} : { priority: priority.name }),
    labels,
    components: chosen,
    assignee,
    reporter: reporter ?? store.bot,
    custom,
  };
}

function readSummary(value: unknown, errors: Record<string, string>): string {
  if (typeof value !== 'string' || value.trim() === '') {
    errors.summary = 'You must specify a summary of the issue.';
    return '';
  }
  if (/[\r\n]/.test(value)) errors.summary = 'The summary is invalid because it contains newline characters.';
  if (value.length > 255) errors.summary = 'Summary must be less than 255 characters.';
  return value;
}

function readLabels(value: unknown, errors: Record<string, string>): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((label) => typeof label === 'string')) {
    errors.labels = 'data was not an array';
    return [];
  }
  const spaced = value.find((label) => /\s/.test(label));
  if (spaced !== undefined) errors.labels = `The label '${spaced}' contains spaces which is invalid.`;
  return value;
}

function readComponents(value: unknown, errors: Record<string, string>): readonly ComponentName[] {
  if (value === undefined || value === null) return [];
  const asked = Array.isArray(value) ? value : [null];
  const found = asked.map((one) => components.find((component) => refers(one, component, 'name'))?.name);
  if (found.includes(undefined)) errors.components = 'Component name is not valid.';
  return found.flatMap((name) => name ?? []);
}

/** Keys in `update.issuelinks` of a create request. */
export function readLinks(update: unknown, store: JiraStore): readonly string[] {
  const links = asRecord(update)?.issuelinks;
  if (links === undefined) return [];
  const operations = Array.isArray(links) ? links.map((one) => asRecord(asRecord(one)?.add)) : [undefined];
  return operations.map((add) => {
    if (!isKnownLink(add)) {
      throw new JiraRefusal(400, [], { issuelinks: 'No issue link type with this name found.' });
    }
    return store.find(keyOf(add?.outwardIssue ?? add?.inwardIssue)).key;
  });
}

export function isKnownLink(link: Fields | undefined): boolean {
  return asRecord(link?.type)?.name === 'Relates';
}

export function keyOf(issue: unknown): string {
  return String(asRecord(issue)?.key);
}

function readUser(
  name: string,
  value: unknown,
  store: JiraStore,
  errors: Record<string, string>,
): JiraUser | null {
  if (value === undefined || value === null) return null;
  const id = asRecord(value)?.accountId ?? asRecord(value)?.id;
  const user = store.users.find((one) => one.accountId === id);
  if (user === undefined) errors[name] = `User '${String(id)}' does not exist.`;
  return user ?? null;
}

function readDescription(
  value: unknown,
  errors: Record<string, string>,
): NewIssue['description'] & (object | null) {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') {
    errors.description = 'Operation value must be an Atlassian Document (see the Atlassian Document Format)';
    return null;
  }
  if (!isDocument(value)) throw badRequest('INVALID_INPUT');
  return value;
}

function refers(value: unknown, target: { readonly id: string }, by: 'key' | 'name'): boolean {
  const record = asRecord(value);
  if (record === undefined) return false;
  if (record.id !== undefined) return String(record.id) === target.id;
  const name = Object.entries(target).find(([field]) => field === by)?.[1];
  return record[by] !== undefined && record[by] === name;
}

function asRecord(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}
