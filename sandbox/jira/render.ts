import {
  type AdfDocument,
  components,
  issueTypes,
  type JiraComment,
  type JiraIssue,
  type JiraUser,
  priorities,
  statusOf,
  type Transition,
} from './model.ts';
import { fieldJson, transitionScreen } from './screens.ts';
import type { JiraStore } from './store.ts';

/** JSON as in Jira Cloud v3, limited to the supported fields. `base` is the site's address. */
export interface Site {
  readonly base: string;
  readonly store: JiraStore;
}

/** `2026-11-20T22:41:19.248+0000`: Jira writes the offset without a colon. */
export function jiraTime(date: Date): string {
  return date.toISOString().replace('Z', '+0000');
}

export function userJson({ base }: Site, user: JiraUser): Record<string, unknown> {
  return {
    self: `${base}/rest/api/3/user?accountId=${encodeURIComponent(user.accountId)}`,
    accountId: user.accountId,
    accountType: user.email.startsWith('countersign@') ? 'app' : 'atlassian',
    emailAddress: user.email,
    displayName: user.displayName,
    active: true,
    timeZone: user.timeZone,
  };
}

function projectJson(site: Site, key: string): Record<string, unknown> {
  const project = site.store.world.jira.projects.find((one) => one.key === key);
  if (project === undefined) throw new Error(`no project ${key}`);
  return {
    self: `${site.base}/rest/api/3/project/${project.id}`,
    id: project.id,
    key: project.key,
    name: project.name,
    projectTypeKey: project.key === 'OPS' ? 'service_desk' : 'software',
    simplified: false,
    style: 'classic',
    isPrivate: false,
  };
}

function priorityJson({ base }: Site, name: string): Record<string, unknown> {
  const priority = priorities.find((one) => one.name === name);
  if (priority === undefined) throw new Error(`no priority ${name}`);
  return {
    self: `${base}/rest/api/3/priority/${priority.id}`,
    id: priority.id,
    name: priority.name,
    description: priority.description,
    statusColor: priority.color,
    iconUrl: `${base}/images/icons/priorities/${priority.name.toLowerCase()}.svg`,
  };
}

function statusJson({ base }: Site, name: JiraIssue['status']): Record<string, unknown> {
  const { id, category } = statusOf(name);
  return {
    self: `${base}/rest/api/3/status/${id}`,
    id,
    name,
    description: '',
    iconUrl: `${base}/images/icons/status.png`,
    statusCategory: { self: `${base}/rest/api/3/statuscategory/${category.id}`, ...category },
  };
}

export function transitionJson(
  site: Site,
  issue: JiraIssue,
  transition: Transition,
  withFields: boolean,
): Record<string, unknown> {
  const screen = transitionScreen(issue.project, transition);
  const fields = Object.fromEntries(screen.map((field) => [field.id, fieldJson(field)]));
  return {
    id: transition.id,
    name: transition.name,
    to: statusJson(site, transition.to),
    hasScreen: screen.length > 0,
    isGlobal: false,
    isInitial: false,
    isAvailable: true,
    isConditional: false,
    looped: false,
    ...(withFields ? { fields } : {}),
  };
}

export function commentJson(
  site: Site,
  issue: JiraIssue,
  comment: JiraComment,
  withProperties = false,
): Record<string, unknown> {
  const author = userJson(site, comment.author);
  return {
    self: `${site.base}/rest/api/3/issue/${issue.id}/comment/${comment.id}`,
    id: comment.id,
    author,
    body: comment.body,
    updateAuthor: author,
    created: jiraTime(comment.created),
    updated: jiraTime(comment.created),
    jsdPublic: true,
    ...(withProperties ? { properties: comment.properties } : {}),
  };
}

/** `fields` as in the query: names, `*all`, `*navigable`, and `-name` to leave one out. */
export function issueJson(
  site: Site,
  issue: JiraIssue,
  wanted: readonly string[],
  properties: readonly string[] = [],
): Record<string, unknown> {
  const self = `${site.base}/rest/api/3/issue/${issue.id}`;
  const all = fieldsJson(site, issue);
  const wantsAll = wanted.some((name) => name === '*all' || name === '*navigable');
  const fields = Object.entries(all).filter(
    ([name]) => (wantsAll || wanted.includes(name)) && !wanted.includes(`-${name}`),
  );
  return {
    expand: 'renderedFields,names,schema,operations',
    id: issue.id,
    self,
    key: issue.key,
    fields: Object.fromEntries(fields),
    ...(properties.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(issue.properties).filter(([name]) => properties.includes(name)),
          ),
        }),
  };
}

function fieldsJson(site: Site, issue: JiraIssue): Record<string, unknown> {
  const { base } = site;
  const type = issueTypes.find((one) => one.name === issue.issueType);
  const comments = issue.comments.map((comment) => commentJson(site, issue, comment));
  return {
    summary: issue.summary,
    description: issue.description satisfies AdfDocument | null,
    project: projectJson(site, issue.project),
    issuetype: {
      self: `${base}/rest/api/3/issuetype/${type?.id}`,
      id: type?.id,
      name: issue.issueType,
      subtask: false,
      hierarchyLevel: 0,
    },
    priority: priorityJson(site, issue.priority),
    status: statusJson(site, issue.status),
    resolution:
      issue.resolution === null
        ? null
        : { id: '10000', name: issue.resolution, description: 'Work is done.' },
    resolutiondate: issue.resolved === null ? null : jiraTime(issue.resolved),
    assignee: issue.assignee === null ? null : userJson(site, issue.assignee),
    reporter: userJson(site, issue.reporter),
    creator: userJson(site, issue.reporter),
    labels: issue.labels,
    components: components
      .filter(({ name }) => issue.components.includes(name))
      .map(({ id, name }) => ({ self: `${base}/rest/api/3/component/${id}`, id, name })),
    issuelinks: issue.links.map((key) => ({
      type: { id: '10003', name: 'Relates', inward: 'relates to', outward: 'relates to' },
      outwardIssue: { id: site.store.find(key).id, key, self: `${base}/rest/api/3/issue/${key}` },
    })),
    ...issue.custom,
    created: jiraTime(issue.created),
    updated: jiraTime(issue.updated),
    comment: {
      comments,
      self: `${base}/rest/api/3/issue/${issue.id}/comment`,
      maxResults: comments.length,
      total: comments.length,
      startAt: 0,
    },
  };
}
