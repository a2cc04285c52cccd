import { z } from 'zod';
import { badAnswer } from '../http/no-answer.ts';
import { textOf } from './adf.ts';
import { issueKey } from './issue-key.ts';
import { readEach } from './names.ts';
import type { Issue, IssueComment, IssueRow, UnreadIssue } from './port.ts';
import { type JiraAccess, siteOf } from './transport.ts';

/** The parts of an issue that depend on the site. */
export interface IssueSite extends Pick<JiraAccess, 'host' | 'site'> {
  /** Names of P1 to P5 in this Jira, such as `{ P1: 'Highest' }`. */
  readonly priorities: Readonly<Record<string, string>>;
}

/** Jira writes offsets without a colon (`+0000`), which is not valid in ISO 8601. */
const moment = z
  .string()
  .transform((text) => new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')))
  .refine((date) => !Number.isNaN(date.getTime()));

const named = z.object({ name: z.string() });
const person = z.object({ displayName: z.string() });

const rowFields = z.object({
  summary: z.string().nullish(),
  status: named.extend({ statusCategory: z.object({ key: z.string() }).nullish() }),
  priority: named.nullish(),
  assignee: person.nullish(),
  project: z.object({ projectTypeKey: z.string().nullish() }),
  created: moment,
  updated: moment,
  resolutiondate: moment.nullish(),
});
const allFields = rowFields.extend({
  issuetype: named,
  reporter: person.nullish(),
  labels: z.array(z.string()).nullish(),
  components: z.array(named).nullish(),
  description: z.unknown(),
});
const key = z.string().regex(issueKey);
const rowSchema = z.object({ key, fields: rowFields });
const issueSchema = z.object({ key, fields: allFields });
const commentSchema = z.object({
  author: person.nullish(),
  created: z.union([z.date(), moment]),
  body: z.unknown(),
});

/** Fields to request. */
export const rowFieldNames = Object.keys(rowFields.shape);
export const issueFieldNames = Object.keys(allFields.shape);

const keyed = z.object({ key });

/** The issues of a list; those that lack a field are told apart by their keys. */
export function readRows(
  issues: readonly unknown[],
  site: IssueSite,
): { rows: IssueRow[]; odd: UnreadIssue[] } {
  const { read, odd } = readEach(rowSchema, issues, 'an issue');
  return {
    rows: read.map(({ key: found, fields }) => rowOf(found, fields, site)),
    odd: odd.map((one) => {
      const found = keyed.safeParse(one).data?.key ?? '';
      return { key: found, url: found === '' ? '' : browseUrl(site, found) };
    }),
  };
}

export function readIssue(
  issue: unknown,
  { total, comments }: { readonly total: number; readonly comments: readonly unknown[] },
  site: IssueSite,
): Issue {
  const { key: found, fields } = read(issueSchema, issue, 'the issue lacks a field');
  const [newest] = comments;
  return {
    ...rowOf(found, fields, site),
    type: fields.issuetype.name,
    reporter: fields.reporter?.displayName ?? '',
    labels: fields.labels ?? [],
    components: (fields.components ?? []).map(({ name }) => name),
    description: textOf(fields.description),
    comments: { total, latest: newest === undefined ? null : readComment(newest) },
  };
}

function readComment(comment: unknown): IssueComment {
  const { author, created, body } = read(commentSchema, comment, 'a comment lacks a field');
  return { author: author?.displayName ?? '', created, text: textOf(body) };
}

function rowOf(found: string, own: z.infer<typeof rowFields>, site: IssueSite): IssueRow {
  const priority = own.priority?.name ?? '';
  const agreed = Object.entries(site.priorities).find(
    ([, name]) => name.toLowerCase() === priority.toLowerCase(),
  );
  return {
    key: found,
    summary: own.summary ?? '',
    status: own.status.name,
    done: own.status.statusCategory?.key === 'done',
    priority: agreed?.[0] ?? priority,
    assignee: own.assignee?.displayName ?? '',
    isRequest: own.project.projectTypeKey === 'service_desk',
    created: own.created,
    updated: own.updated,
    resolved: own.resolutiondate ?? null,
    url: browseUrl(site, found),
  };
}

export function browseUrl(of: Pick<JiraAccess, 'host' | 'site'>, issue: string): string {
  return new URL(`/browse/${issue}`, siteOf(of)).href;
}

function read<S extends z.ZodType>(schema: S, answer: unknown, what: string): z.infer<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw badAnswer('Jira', what, { write: false, cause: parsed.error });
}
