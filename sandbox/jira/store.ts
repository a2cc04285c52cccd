import type { Now, World } from '../world.ts';
import { badRequest, issueNotFound } from './errors.ts';
import {
  type AdfDocument,
  type EntityProperty,
  isOpen,
  type JiraComment,
  type JiraIssue,
  type JiraUser,
  type NewIssue,
  type PriorityName,
  statusOf,
  type Transition,
  transitionsFrom,
} from './model.ts';
import { readScreen, transitionScreen } from './screens.ts';
import { seedIssues } from './seed.ts';

/** All issues of the local Jira. The only code that changes one. */
export class JiraStore {
  readonly world: World;
  readonly now: Now;
  readonly users: readonly JiraUser[];
  readonly bot: JiraUser;
  readonly #listeners = new Set<() => void>();
  #issues: JiraIssue[] = [];
  #lastNumber = new Map<string, number>();
  #lastId = 0;

  constructor(world: World, now: Now) {
    this.world = world;
    this.now = now;
    this.bot = {
      accountId: world.jira.accountId,
      displayName: world.jira.displayName,
      email: world.jira.email,
      timeZone: 'Etc/UTC',
    };
    const people = world.people.map((person) => ({
      accountId: person.jiraAccountId,
      displayName: person.realName,
      email: person.email,
      timeZone: person.tz,
    }));
    this.users = [...people, this.bot];
    this.reset();
  }

  /** Restores the seed issues. */
  reset(): void {
    this.#issues = [];
    this.#lastNumber = new Map();
    this.#lastId = 10_000;
    for (const issue of seedIssues(this.users, this.now())) this.#insert(issue);
    this.#changed();
  }

  issues(): readonly JiraIssue[] {
    return this.#issues;
  }

  find(idOrKey: string): JiraIssue {
    const wanted = idOrKey.toUpperCase();
    const found = this.#issues.find((issue) => issue.key === wanted || issue.id === wanted);
    if (found === undefined) throw issueNotFound();
    return found;
  }

  create(issue: NewIssue): JiraIssue {
    const created = this.#insert(issue);
    for (const key of created.links) this.link(created, key);
    this.#changed();
    return created;
  }

  /** Links two issues with each other; an existing link is not duplicated. */
  link(issue: JiraIssue, key: string): void {
    const other = this.find(key);
    issue.links = [...new Set([...issue.links, other.key])];
    other.links = [...new Set([...other.links, issue.key])];
    this.#changed();
  }

  comment(
    issue: JiraIssue,
    author: JiraUser,
    body: AdfDocument,
    properties: readonly EntityProperty[] = [],
  ): JiraComment {
    const comment = { id: this.#nextId(), author, body, properties, created: this.now() };
    issue.comments = [...issue.comments, comment];
    issue.updated = comment.created;
    this.#changed();
    return comment;
  }

  /** Refuses a transition that the workflow does not offer from the current status. */
  transition(
    issue: JiraIssue,
    transitionId: string,
    more: {
      readonly fields?: Readonly<Record<string, unknown>>;
      readonly properties?: readonly EntityProperty[];
    } = {},
  ): void {
    const transition = transitionsFrom(issue.status).find((one) => one.id === transitionId);
    if (transition === undefined) {
      throw badRequest(`Transition id '${transitionId}' is not valid for this issue.`);
    }
    const { resolution, custom } = readScreen(
      issue,
      transition,
      more.fields ?? defaultsFor(issue, transition),
    );
    issue.custom = { ...issue.custom, ...custom };
    issue.properties = { ...issue.properties, ...propertiesByKey(more.properties ?? []) };
    issue.status = transition.to;
    issue.updated = this.now();
    const closed = !isOpen(issue);
    issue.resolution = closed ? resolution : null;
    issue.resolved = closed ? (issue.resolved ?? issue.updated) : null;
    this.#changed();
  }

  /** Resolves open issues, oldest first, until `keepOpen` are left; returns their keys. */
  bulkClose(project: string, priority: PriorityName, keepOpen: number): readonly string[] {
    const open = this.#issues.filter(
      (issue) => issue.project === project && issue.priority === priority && isOpen(issue),
    );
    const closing = open.slice(0, Math.max(0, open.length - keepOpen));
    for (const issue of closing) {
      const resolve = transitionsFrom(issue.status).find((transition) => transition.to === 'Resolved');
      if (resolve !== undefined) this.transition(issue, resolve.id);
    }
    return closing.map((issue) => issue.key);
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #insert(input: NewIssue): JiraIssue {
    const number = (this.#lastNumber.get(input.project) ?? 0) + 1;
    this.#lastNumber.set(input.project, number);
    const created = input.created ?? this.now();
    const status = input.status ?? 'To Do';
    const closed = statusOf(status).category.key === 'done';
    const issue: JiraIssue = {
      id: this.#nextId(),
      key: `${input.project}-${number}`,
      project: input.project,
      summary: input.summary,
      description: input.description ?? null,
      issueType: input.issueType ?? 'Task',
      priority: input.priority ?? 'P3',
      status,
      resolution: closed ? 'Done' : null,
      assignee: input.assignee ?? null,
      reporter: input.reporter,
      labels: input.labels ?? [],
      components: input.components ?? [],
      created,
      updated: created,
      resolved: closed ? created : null,
      comments: [],
      properties: input.properties ?? {},
      links: input.links ?? [],
      custom: input.custom ?? {},
    };
    this.#issues.push(issue);
    return issue;
  }

  #nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A person's choices on the screen when moving an issue by hand. */
function defaultsFor(issue: JiraIssue, transition: Transition): Readonly<Record<string, unknown>> {
  const screen = transitionScreen(issue.project, transition);
  return Object.fromEntries(screen.map(({ id, allowed }) => [id, { id: allowed?.[0]?.id }]));
}

export function propertiesByKey(properties: readonly EntityProperty[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(properties.map(({ key, value }) => [key, value]));
}
