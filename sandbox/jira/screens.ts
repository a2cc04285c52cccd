import { isDocument } from './adf.ts';
import { badRequest, JiraRefusal } from './errors.ts';
import { components, issueTypes, type JiraIssue, priorities, resolutions, type Transition } from './model.ts';

/** A field of a create or transition screen. */
interface ScreenField {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly items?: string;
  /** For a custom field. */
  readonly custom?: 'select' | 'textarea';
  readonly required?: true;
  readonly hasDefault?: true;
  readonly allowed?: readonly { readonly id: string; readonly name: string }[];
}

const createFields: readonly ScreenField[] = [
  { id: 'project', name: 'Project', type: 'project', required: true },
  { id: 'issuetype', name: 'Issue Type', type: 'issuetype', required: true },
  { id: 'summary', name: 'Summary', type: 'string', required: true },
  { id: 'reporter', name: 'Reporter', type: 'user', required: true, hasDefault: true },
  { id: 'description', name: 'Description', type: 'string' },
  { id: 'priority', name: 'Priority', type: 'priority', hasDefault: true, allowed: priorities },
  { id: 'labels', name: 'Labels', type: 'array', items: 'string' },
  { id: 'assignee', name: 'Assignee', type: 'user' },
  { id: 'components', name: 'Components', type: 'array', items: 'component', allowed: components },
  { id: 'issuelinks', name: 'Linked Issues', type: 'array', items: 'issuelinks' },
];

const rootCause: ScreenField = {
  ...{ id: 'customfield_10050', name: 'Root cause', type: 'option', custom: 'select', required: true },
  allowed: [
    { id: '10200', name: 'Deploy' },
    { id: '10201', name: 'Third party' },
  ],
};
const impact: ScreenField = {
  ...{ id: 'customfield_10051', name: 'Customer impact', type: 'string', custom: 'textarea', required: true },
};

/** An incident needs its location (payments) or the customers it affects (web shop, whose screen has no links). */
export function createScreen(project: string, issueType: string): readonly ScreenField[] {
  const isIncident = issueType === 'Incident';
  const fields = createFields
    .filter(({ id }) => !(project === 'WEB' && id === 'issuelinks'))
    .map((field) =>
      project === 'PAY' && isIncident && field.id === 'components'
        ? ({ ...field, required: true } as const)
        : field,
    );
  return project === 'WEB' && isIncident ? [...fields, impact] : fields;
}

/** For a completed issue, the web shop asks for a resolution and payments for the cause. */
export function transitionScreen(project: string, { id }: Transition): readonly ScreenField[] {
  if (id !== '41' || project === 'OPS') return [];
  if (project === 'PAY') return [rootCause];
  return [{ id: 'resolution', name: 'Resolution', type: 'resolution', required: true, allowed: resolutions }];
}

export function fieldJson(field: ScreenField): Record<string, unknown> {
  return {
    required: field.required ?? false,
    schema: {
      type: field.type,
      ...(field.items ? { items: field.items } : {}),
      ...(field.custom
        ? {
            custom: `com.atlassian.jira.plugin.system.customfieldtypes:${field.custom}`,
            customId: Number(field.id.slice(12)),
          }
        : { system: field.id }),
    },
    name: field.name,
    key: field.id,
    hasDefaultValue: field.hasDefault ?? false,
    operations: field.items === undefined ? ['set'] : ['add', 'set', 'remove'],
    ...(field.allowed
      ? {
          allowedValues: field.allowed.map(({ id, name }) =>
            field.custom ? { id, value: name } : { id, name },
          ),
        }
      : {}),
  };
}

export function createTypesJson(base: string): Record<string, unknown> {
  const types = issueTypes.map(({ id, name }) => ({
    ...{ self: `${base}/rest/api/3/issuetype/${id}`, id, name, description: '' },
    ...{ subtask: false, hierarchyLevel: 0 },
  }));
  return { startAt: 0, maxResults: 50, total: types.length, issueTypes: types };
}

export function createFieldsJson(project: string, typeId: string, startAt: number): Record<string, unknown> {
  const type = issueTypes.find(({ id }) => id === typeId);
  if (type === undefined) throw badRequest('The issue type id provided is not valid for this project.');
  const all = createScreen(project, type.name).map((field) => ({ ...fieldJson(field), fieldId: field.id }));
  return { startAt, maxResults: 50, total: all.length, fields: all.slice(startAt, startAt + 50) };
}

/** The values a transition sets; throws JiraRefusal for fields that its screen does not have, or that are missing. */
export function readScreen(
  issue: JiraIssue,
  transition: Transition,
  fields: Readonly<Record<string, unknown>>,
): {
  readonly resolution: (typeof resolutions)[number]['name'];
  readonly custom: Readonly<Record<string, unknown>>;
} {
  const screen = transitionScreen(issue.project, transition);
  const errors: Record<string, string> = {};
  for (const name of Object.keys(fields).filter((one) => !screen.some(({ id }) => id === one))) {
    errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`;
  }
  for (const { id, name, required, allowed } of screen) {
    if (required && chosen(fields[id], allowed) === undefined) errors[id] = `${name} is required.`;
  }
  const custom = readCustom(screen, fields, errors);
  if (Object.keys(errors).length > 0) throw new JiraRefusal(400, [], errors);
  const resolution = chosen(fields.resolution, resolutions) ?? resolutions[0];
  return { resolution: resolution.name, custom };
}

/** Values of custom fields; adds missing or invalid ones to `errors`. */
export function readCustom(
  screen: readonly ScreenField[],
  fields: Readonly<Record<string, unknown>>,
  errors: Record<string, string>,
): Readonly<Record<string, unknown>> {
  const custom: Record<string, unknown> = {};
  for (const { id, name, custom: kind, required, allowed } of screen) {
    const value = fields[id];
    if (kind === undefined || (value === undefined && !required)) continue;
    const option = chosen(value, allowed);
    if (kind === 'select' && option !== undefined) custom[id] = { id: option.id, value: option.name };
    else if (kind === 'textarea' && isDocument(value)) custom[id] = value;
    else if (value === undefined) errors[id] = `${name} is required.`;
    else
      errors[id] =
        kind === 'select'
          ? 'Specify a valid value.'
          : 'Operation value must be an Atlassian Document (see the Atlassian Document Format)';
  }
  return custom;
}

function chosen<T extends { readonly id: string; readonly name: string }>(
  value: unknown,
  allowed: readonly T[] = [],
): T | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, name, value: text }: { id?: unknown; name?: unknown; value?: unknown } = value;
  return allowed.find((one) => one.id === id || one.name === (name ?? text));
}
