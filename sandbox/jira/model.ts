/** The local Jira's fixed configuration: one workflow for all projects, five priorities, four issue types. */

/** An Atlassian Document Format document that has passed `checkDocument`. */
export type AdfDocument = Readonly<Record<string, unknown>>;

export interface JiraUser {
  readonly accountId: string;
  readonly displayName: string;
  readonly email: string;
  readonly timeZone: string;
}

export interface JiraComment {
  readonly id: string;
  readonly author: JiraUser;
  readonly body: AdfDocument;
  /** Data of apps, invisible to people. */
  readonly properties: readonly EntityProperty[];
  readonly created: Date;
}

export interface EntityProperty {
  readonly key: string;
  readonly value: unknown;
}

export interface JiraIssue {
  readonly id: string;
  readonly key: string;
  readonly project: string;
  summary: string;
  description: AdfDocument | null;
  readonly issueType: IssueTypeName;
  priority: PriorityName;
  status: StatusName;
  resolution: ResolutionName | null;
  assignee: JiraUser | null;
  readonly reporter: JiraUser;
  labels: readonly string[];
  components: readonly ComponentName[];
  readonly created: Date;
  updated: Date;
  resolved: Date | null;
  comments: readonly JiraComment[];
  /** Data of apps, by key. */
  properties: Readonly<Record<string, unknown>>;
  /** Values of custom fields, by id. */
  custom: Readonly<Record<string, unknown>>;
  /** Keys of related issues. */
  links: readonly string[];
}

export interface NewIssue {
  readonly project: string;
  readonly summary: string;
  readonly description?: AdfDocument | null;
  readonly issueType?: IssueTypeName;
  readonly priority?: PriorityName;
  readonly status?: StatusName;
  readonly assignee?: JiraUser | null;
  readonly reporter: JiraUser;
  readonly labels?: readonly string[];
  readonly components?: readonly ComponentName[];
  readonly created?: Date;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly links?: readonly string[];
  readonly custom?: Readonly<Record<string, unknown>>;
}

export interface StatusCategory {
  readonly id: number;
  readonly key: 'new' | 'indeterminate' | 'done';
  readonly name: 'To Do' | 'In Progress' | 'Done';
  readonly colorName: string;
}

const todo: StatusCategory = { id: 2, key: 'new', name: 'To Do', colorName: 'blue-gray' };
const doing: StatusCategory = { id: 4, key: 'indeterminate', name: 'In Progress', colorName: 'yellow' };
const done: StatusCategory = { id: 3, key: 'done', name: 'Done', colorName: 'green' };

export const statuses = [
  { id: '10000', name: 'To Do', category: todo },
  { id: '3', name: 'In Progress', category: doing },
  { id: '10010', name: 'Blocked', category: doing },
  { id: '5', name: 'Resolved', category: done },
  { id: '10001', name: 'Done', category: done },
] as const;
export type StatusName = (typeof statuses)[number]['name'];

/** Most urgent first, as Jira lists them. */
export const priorities = [
  { id: '1', name: 'P1', color: '#d04437', description: 'Customers cannot work' },
  { id: '2', name: 'P2', color: '#f15C75', description: 'Customers are held up' },
  { id: '3', name: 'P3', color: '#f79232', description: 'Annoying, there is a way around' },
  { id: '4', name: 'P4', color: '#707070', description: 'Minor' },
  { id: '5', name: 'P5', color: '#999999', description: 'Cosmetic' },
] as const;
export type PriorityName = (typeof priorities)[number]['name'];

export const issueTypes = [
  { id: '10004', name: 'Bug' },
  { id: '10001', name: 'Story' },
  { id: '10002', name: 'Task' },
  { id: '10005', name: 'Incident' },
] as const;
export type IssueTypeName = (typeof issueTypes)[number]['name'];

export const resolutions = [
  { id: '10000', name: 'Done' },
  { id: '10001', name: "Won't Do" },
  { id: '10002', name: 'Duplicate' },
] as const;
export type ResolutionName = (typeof resolutions)[number]['name'];

export const components = [
  { id: '10100', name: 'Gateway' },
  { id: '10101', name: 'Database' },
  { id: '10102', name: 'Web' },
] as const;
export type ComponentName = (typeof components)[number]['name'];

export interface Transition {
  readonly id: string;
  readonly name: string;
  readonly from: readonly StatusName[];
  readonly to: StatusName;
}

const transitions: readonly Transition[] = [
  { id: '11', name: 'Start progress', from: ['To Do', 'Blocked'], to: 'In Progress' },
  { id: '21', name: 'Block', from: ['To Do', 'In Progress'], to: 'Blocked' },
  { id: '31', name: 'Resolve', from: ['To Do', 'In Progress', 'Blocked'], to: 'Resolved' },
  { id: '41', name: 'Done', from: ['In Progress', 'Resolved'], to: 'Done' },
  { id: '51', name: 'Reopen', from: ['Resolved', 'Done'], to: 'To Do' },
];

export function statusOf(name: StatusName): (typeof statuses)[number] {
  const found = statuses.find((status) => status.name === name);
  if (found === undefined) throw new Error(`no status ${name}`);
  return found;
}

export function isOpen(issue: JiraIssue): boolean {
  return statusOf(issue.status).category.key !== 'done';
}

export function transitionsFrom(status: StatusName): readonly Transition[] {
  return transitions.filter((transition) => transition.from.includes(status));
}
