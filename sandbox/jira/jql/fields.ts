import { documentText } from '../adf.ts';
import {
  components,
  issueTypes,
  type JiraIssue,
  type JiraUser,
  priorities,
  statuses,
  statusOf,
} from '../model.ts';
import type { Operator } from './parse.ts';

/** The data available to a query besides the issues. */
export interface JqlScope {
  readonly projects: readonly { readonly id: string; readonly key: string; readonly name: string }[];
  readonly users: readonly JiraUser[];
  readonly currentUser: JiraUser;
  readonly now: Date;
  readonly issues: readonly JiraIssue[];
}

/**
 * How a field is searched.
 * - `option`: one of known values; `resolve` returns the canonical value of the typed one, undefined if unknown.
 * - `moment`: epoch milliseconds.
 * - `text`: words.
 */
export type FieldRule =
  | {
      readonly kind: 'option';
      readonly operators: readonly Operator[];
      readonly read: (issue: JiraIssue) => readonly string[];
      readonly resolve: (typed: string, scope: JqlScope) => string | undefined;
      /** Used for sorting and `<`; if absent, the value itself. */
      readonly rank?: (value: string) => number;
    }
  | {
      readonly kind: 'moment';
      readonly operators: readonly Operator[];
      readonly read: (issue: JiraIssue) => number | null;
    }
  | {
      readonly kind: 'text';
      readonly operators: readonly Operator[];
      readonly read: (issue: JiraIssue) => string;
    };

/** Represents an empty field among the searched values. */
export const nothing = '';

const equality: readonly Operator[] = ['=', '!=', 'in', 'not in', 'is', 'is not'];
const ordered: readonly Operator[] = [...equality, '<', '>', '<=', '>='];
const words: readonly Operator[] = ['~', '!~', 'is', 'is not'];

interface Named {
  readonly id: string;
  readonly name: string;
}

const user = (read: (issue: JiraIssue) => JiraUser | null): FieldRule => ({
  kind: 'option',
  operators: equality,
  read: (issue) => [read(issue)?.accountId ?? []].flat(),
  resolve: (typed, scope) =>
    scope.users.find(
      (one) => same(typed, one.accountId) || same(typed, one.email) || same(typed, one.displayName),
    )?.accountId,
});

const moment = (read: (issue: JiraIssue) => Date | null): FieldRule => ({
  kind: 'moment',
  operators: ordered,
  read: (issue) => read(issue)?.getTime() ?? null,
});

const text = (read: (issue: JiraIssue) => string): FieldRule => ({ kind: 'text', operators: words, read });

const key: FieldRule = {
  kind: 'option',
  operators: ordered,
  read: (issue) => [issue.key],
  resolve: (typed, scope) => scope.issues.find((issue) => same(typed, issue.key) || typed === issue.id)?.key,
  rank: (value) => Number(value.split('-')[1]),
};
const issueType: FieldRule = {
  kind: 'option',
  operators: equality,
  read: (issue) => [issue.issueType],
  resolve: (typed) => named(typed, issueTypes),
};
const created = moment((issue) => issue.created);
const updated = moment((issue) => issue.updated);
const resolved = moment((issue) => issue.resolved);
const comments = (issue: JiraIssue): string => issue.comments.map((one) => documentText(one.body)).join(' ');
const description = (issue: JiraIssue): string => documentText(issue.description);

const rules: Readonly<Record<string, FieldRule>> = {
  project: {
    kind: 'option',
    operators: equality,
    read: (issue) => [issue.project],
    resolve: (typed, scope) =>
      scope.projects.find((one) => same(typed, one.key) || same(typed, one.name) || typed === one.id)?.key,
  },
  priority: {
    kind: 'option',
    operators: ordered,
    read: (issue) => [issue.priority],
    resolve: (typed) => named(typed, priorities),
    // The most urgent priority is the greatest: priority > P3 means P2 and P1.
    rank: (value) => -priorities.findIndex((one) => one.name === value),
  },
  status: {
    kind: 'option',
    operators: equality,
    read: (issue) => [issue.status],
    resolve: (typed) => named(typed, statuses),
  },
  statuscategory: {
    kind: 'option',
    operators: equality,
    read: (issue) => [statusOf(issue.status).category.name],
    resolve: (typed) =>
      statuses
        .map((one) => one.category)
        .find((one) => same(typed, one.name) || same(typed, one.key) || typed === String(one.id))?.name,
  },
  resolution: {
    kind: 'option',
    operators: equality,
    read: (issue) => (issue.resolution === null ? [] : [issue.resolution]),
    resolve: (typed) => (same(typed, 'Unresolved') ? nothing : same(typed, 'Done') ? 'Done' : undefined),
  },
  labels: {
    kind: 'option',
    operators: equality,
    read: (issue) => issue.labels,
    resolve: (typed) => typed,
  },
  component: {
    kind: 'option',
    operators: equality,
    read: (issue) => issue.components,
    resolve: (typed) => named(typed, components),
  },
  assignee: user((issue) => issue.assignee),
  reporter: user((issue) => issue.reporter),
  creator: user((issue) => issue.reporter),
  issuetype: issueType,
  type: issueType,
  key,
  issuekey: key,
  issue: key,
  id: key,
  created,
  createddate: created,
  updated,
  updateddate: updated,
  resolved,
  resolutiondate: resolved,
  summary: text((issue) => issue.summary),
  description: text(description),
  comment: text(comments),
  text: text((issue) => `${issue.summary} ${description(issue)} ${comments(issue)}`),
};

/** The rule of a field (case-insensitive); undefined for an unknown one. */
export function fieldRule(name: string): FieldRule | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(rules, lower) ? rules[lower] : undefined;
}

function named(typed: string, values: readonly Named[]): string | undefined {
  return values.find((one) => same(typed, one.name) || typed === one.id)?.name;
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
