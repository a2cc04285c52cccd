import { ArgumentError } from './argument-error.ts';
import { jqlPeriod, jqlTimes } from './jql-time.ts';
import type { IssueQuery } from './port.ts';

/** A query with resolved people: `unassigned`, or an account id. */
export type JqlQuery = Omit<IssueQuery, 'asker'>;

/** Other inputs of the builder. */
export interface JqlScope {
  /** Names of P1 to P5 in this Jira; a priority without an entry keeps its own name. */
  readonly priorities: Readonly<Record<string, string>>;
  /** Projects to search when a query names none. */
  readonly projects: readonly string[];
  readonly now: Date;
  /** IANA time zone for days and hours. */
  readonly zone: string;
}

export type Order = 'newest' | 'oldest' | 'updated' | 'priority';

/** Instead of a name: nobody is assigned. */
export const unassigned = 'unassigned';

const orders: Readonly<Record<Order, string>> = {
  newest: 'created DESC',
  oldest: 'created ASC',
  updated: 'updated DESC',
  priority: 'priority DESC, created ASC',
};

/** Jira refuses a count without a restriction, so a query without a project is limited to the known ones. */
function projectClause(project: string | undefined, known: readonly string[]): string {
  if (project !== undefined) return `project = ${jqlString(project)}`;
  if (known.length > 0) return `project IN (${known.map(jqlString).join(', ')})`;
  return 'project IS NOT EMPTY';
}

function isClosed(status: string | undefined): boolean {
  return /^(done|closed)$/.test(status?.trim().toLowerCase() ?? '');
}

function statusClause(status: string): string | null {
  const plain = status.trim().toLowerCase();
  if (plain === 'all' || plain === 'any') return null;
  if (plain === 'open') return 'statusCategory != Done';
  if (isClosed(status)) return 'statusCategory = Done';
  return `status = ${jqlString(status)}`;
}

/** Not closed means open, and the other way round; every issue has a status. */
function withoutStatus(status: string): string {
  if (status.trim().toLowerCase() === 'open') return 'statusCategory = Done';
  return isClosed(status) ? 'statusCategory != Done' : `status != ${jqlString(status)}`;
}

function textClause(text: string): string {
  const words = jqlWords(text);
  if (words === null) throw new ArgumentError('bad_text', 'The argument text holds no word to search for.');
  return `text ~ ${words}`;
}

function clauses(query: JqlQuery, { priorities, projects, ...here }: JqlScope): string[] {
  const { assignee, since, until, during } = query;
  const own = (name: string): string =>
    jqlString(Object.hasOwn(priorities, name) ? (priorities[name] ?? name) : name);
  // "Closed since Friday" refers to the closing date, whenever the issue was created.
  const moment = isClosed(query.status) ? 'resolved' : 'created';
  const found: (string | null)[] = [
    projectClause(query.project, projects),
    query.key === undefined ? null : `key = ${jqlString(query.key)}`,
    query.priority === undefined ? null : `priority = ${own(query.priority)}`,
    query.priorityNot === undefined ? null : `(priority IS EMPTY OR priority != ${own(query.priorityNot)})`,
    query.status === undefined ? null : statusClause(query.status),
    query.statusNot === undefined ? null : withoutStatus(query.statusNot),
    query.type === undefined ? null : `issuetype = ${jqlString(query.type)}`,
    query.typeNot === undefined ? null : `issuetype != ${jqlString(query.typeNot)}`,
    query.component === undefined ? null : `component = ${jqlString(query.component)}`,
    assignee === undefined ? null : assigneeClause(assignee),
    query.assigneeNot === undefined ? null : withoutAssignee(query.assigneeNot),
    query.label === undefined ? null : `labels = ${jqlString(query.label)}`,
    query.labelNot === undefined ? null : `(labels IS EMPTY OR labels != ${jqlString(query.labelNot)})`,
    query.text === undefined ? null : textClause(query.text),
    query.window === undefined ? null : `${moment} >= -${jqlPeriod(query.window, 'window')}`,
    ...jqlTimes(moment, { since, until, during }, here),
    query.olderThan === undefined ? null : `created < -${jqlPeriod(query.olderThan, 'older_than')}`,
    query.notUpdatedFor === undefined
      ? null
      : `updated < -${jqlPeriod(query.notUpdatedFor, 'not_updated_for')}`,
    query.updatedWithin === undefined
      ? null
      : `updated >= -${jqlPeriod(query.updatedWithin, 'updated_within')}`,
    ...jqlTimes('updated', { since: query.updatedSince }, here),
  ];
  return found.filter((clause) => clause !== null);
}

function assigneeClause(assignee: string): string {
  return assignee === unassigned ? 'assignee IS EMPTY' : `assignee = ${jqlString(assignee)}`;
}

/** Keeps unassigned issues: `!=` alone would leave them out. */
function withoutAssignee(assignee: string): string {
  return `(assignee IS EMPTY OR NOT ${assigneeClause(assignee)})`;
}

/** The JQL of a query, always limited. Throws an ArgumentError that names an argument with a meaningless value. */
export function buildJql(query: JqlQuery, scope: JqlScope, order?: Order): string {
  const where = clauses(query, scope).join(' AND ');
  return order === undefined ? where : `${where} ORDER BY ${orders[order]}`;
}

/**
 * A value as a JQL string. Backslash and quote are escaped, control and format characters removed, so that nothing in
 * it can end the string. Atlassian documents no length limit; ours is the manifest's.
 */
export function jqlString(value: string): string {
  const clean = value
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return `"${clean.replace(/[\\"]/g, (character) => `\\${character}`)}"`;
}

/**
 * Words for `text ~`, whose value is a query language of its own (Lucene): its special characters become spaces, and
 * lower case keeps AND, OR and NOT from being operators. Null when no word is left.
 */
export function jqlWords(value: string): string | null {
  const words = value
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_@.']+/gu, ' ')
    .replace(/(^|\s)[.'@]+|(?<![.'@])[.'@]+(?=\s|$)/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? null : `"${words}"`;
}
