import { badRequest, JiraRefusal } from './errors.ts';
import { components, issueTypes, type JiraIssue, priorities, resolutions, type Transition } from './model.ts';

/** A field as a create or transition screen has it. */
interface ScreenField {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly items?: string;
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

/** Payments wants to know where an incident is; the web shop has no links on its screen. */
export function createScreen(project: string, issueType: string): readonly ScreenField[] {
  return createFields
    .filter(({ id }) => !(project === 'WEB' && id === 'issuelinks'))
    .map((field) =>
      project === 'PAY' && issueType === 'Incident' && field.id === 'components'
        ? { ...field, required: true }
        : field,
    );
}

/** The web shop asks for a resolution when something is done. */
export function transitionScreen(project: string, { id }: Transition): readonly ScreenField[] {
  if (project !== 'WEB' || id !== '41') return [];
  return [{ id: 'resolution', name: 'Resolution', type: 'resolution', required: true, allowed: resolutions }];
}

export function fieldJson(field: ScreenField): Record<string, unknown> {
  return {
    required: field.required ?? false,
    schema: { type: field.type, ...(field.items ? { items: field.items } : {}), system: field.id },
    name: field.name,
    key: field.id,
    hasDefaultValue: field.hasDefault ?? false,
    operations: field.items === undefined ? ['set'] : ['add', 'set', 'remove'],
    ...(field.allowed ? { allowedValues: field.allowed.map(({ id, name }) => ({ id, name })) } : {}),
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

/** The resolution that a transition sets: what its screen was given; throws JiraRefusal where the screen insists. */
export function resolutionFor(
  issue: JiraIssue,
  transition: Transition,
  fields: Readonly<Record<string, unknown>>,
): (typeof resolutions)[number]['name'] {
  const screen = transitionScreen(issue.project, transition);
  const errors: Record<string, string> = {};
  for (const name of Object.keys(fields).filter((one) => !screen.some(({ id }) => id === one))) {
    errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`;
  }
  const asked = fields.resolution;
  const named = typeof asked === 'object' && asked !== null && 'name' in asked ? asked.name : undefined;
  const found = resolutions.find(({ name }) => name === named);
  if (screen.some(({ id, required }) => id === 'resolution' && required) && found === undefined) {
    errors.resolution = 'Resolution is required.';
  }
  if (Object.keys(errors).length > 0) throw new JiraRefusal(400, [], errors);
  return found?.name ?? 'Done';
}
