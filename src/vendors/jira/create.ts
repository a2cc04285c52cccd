import { z } from 'zod';
import { configuredUrl } from '../http/egress.ts';
import { badAnswer } from '../http/no-answer.ts';
import { planIssue } from './create-screen.ts';
import { browseUrl } from './issue.ts';
import { issueKey } from './issue-key.ts';
import { jqlString } from './jql-literal.ts';
import { createIssue, searchAndReconsileIssuesUsingJqlPost } from './library.ts';
import { readAs } from './names.ts';
import type { JiraOptions } from './options.ts';
import type { CreatedIssue, IssueAsked } from './port.ts';
import { marked, marksIn, propertyKey } from './property.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

/** Creates it with our mark, and with the link to the issue that it follows where the screen has links: one request. */
export async function create(
  options: JiraOptions,
  asked: IssueAsked & { readonly mark: string },
  signal: AbortSignal,
): Promise<CreatedIssue> {
  const { fields, linked } = await planIssue(options, asked, signal);
  const link = { type: { name: 'Relates' }, outwardIssue: { key: asked.follows } };
  const { key } = await createIssue(jiraTransport(options, signal, { write: true }), {
    fields,
    properties: [marked(asked.mark)],
    ...(linked ? { update: { issuelinks: [{ add: link }] } } : {}),
  });
  if (key === undefined || !issueKey.test(key))
    throw badAnswer('Jira', 'the issue has no key', { write: true });
  return { key, url: browseUrl(configuredUrl(options.host), key), linked };
}

/** Milliseconds that Jira's clock may be behind ours. */
const clockMs = 5 * 60_000;
const maxRecent = 100;

const foundSchema = z.object({
  key: z.string().regex(issueKey),
  fields: z.object({ issuelinks: z.array(z.unknown()).nullish() }).nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * The issue of ours with this mark, made since `since`, or null. Null proves nothing: the search shows a new issue late.
 */
export async function issueByMark(
  access: JiraAccess,
  { project, mark, since }: { readonly project: string; readonly mark: string; readonly since: Date },
  signal: AbortSignal,
): Promise<CreatedIssue | null> {
  const minutes = Math.ceil((access.now().getTime() - since.getTime() + clockMs) / 60_000);
  const jql = `project = ${jqlString(project)} AND creator = currentUser() AND created >= -${minutes}m ORDER BY created DESC`;
  const { issues } = await searchAndReconsileIssuesUsingJqlPost(jiraTransport(access, signal), {
    ...{ jql, maxResults: maxRecent, fields: ['issuelinks'], properties: [propertyKey] },
  });
  const found = readAs(z.array(foundSchema), issues ?? [], 'an issue').find(
    ({ properties }) => marksIn(properties?.[propertyKey]).mark === mark,
  );
  if (found === undefined) return null;
  const linked = (found.fields?.issuelinks ?? []).length > 0;
  return { key: found.key, url: browseUrl(configuredUrl(access.host), found.key), linked };
}
