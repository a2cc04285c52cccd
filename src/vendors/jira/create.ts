import { z } from 'zod';
import { describeError, VendorError } from '../../core/errors.ts';
import { badAnswer } from '../http/no-answer.ts';
import { planIssue } from './create-screen.ts';
import { browseUrl } from './issue.ts';
import { issueKey } from './issue-key.ts';
import { marked, marksIn, propertyKey } from './issue-property.ts';
import { createIssue, linkIssues, searchAndReconsileIssuesUsingJqlPost } from './jira-types.ts';
import { jqlString } from './jql.ts';
import { readAs } from './names.ts';
import type { JiraOptions } from './options.ts';
import type { CreatedIssue, IssueAsked } from './port.ts';
import { type JiraAccess, jiraTransport } from './transport.ts';

/**
 * Creates an issue with our mark, linked to the issue it follows: in one request if the screen has links, else in a
 * second one. If that fails the issue exists nevertheless, and `apart` says why it is not linked.
 */
export async function create(
  options: JiraOptions,
  asked: IssueAsked & { readonly mark: string },
  signal: AbortSignal,
): Promise<CreatedIssue> {
  const { follows, mark } = asked;
  const { fields, takesLink } = await planIssue(options, asked, signal);
  const atOnce = takesLink && follows !== undefined;
  const { key } = await createIssue(jiraTransport(options, signal, { write: true }), {
    fields,
    properties: [marked(mark)],
    ...(atOnce ? { update: { issuelinks: [{ add: linkTo(follows) }] } } : {}),
  });
  if (key === undefined || !issueKey.test(key))
    throw badAnswer('Jira', 'the issue has no key', { write: true });
  const made = { key, url: browseUrl(options, key) };
  if (follows === undefined || atOnce) return { ...made, linked: atOnce };
  const apart = await link(options, { key, follows }, signal);
  return apart === null ? { ...made, linked: true } : { ...made, linked: false, apart };
}

const linkTo = (key: string) => ({ type: { name: 'Relates' }, outwardIssue: { key } });
/** Jira accepts an existing link without adding a second one, so the request may be repeated after a lost answer. */
const linkAttempts = 2;

/** Why they could not be linked, or null when they are. */
async function link(
  options: JiraOptions,
  { key, follows }: { readonly key: string; readonly follows: string },
  signal: AbortSignal,
): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const client = jiraTransport(options, signal, { write: true });
      await linkIssues(client, { ...linkTo(follows), inwardIssue: { key } });
      return null;
    } catch (error) {
      const mayHelp = error instanceof VendorError && error.retryable && !signal.aborted;
      if (!mayHelp || attempt === linkAttempts) return describeError(error).message;
    }
  }
}

/** Milliseconds that Jira's clock may be behind ours. */
const clockMs = 5 * 60_000;
const maxRecent = 100;

const foundSchema = z.object({
  key: z.string().regex(issueKey),
  fields: z.object({ issuelinks: z.array(z.unknown()).nullish() }).nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

/** Our issue with this mark, created since `since`, or null. Null proves nothing: the search shows a new issue with a delay. */
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
  return { key: found.key, url: browseUrl(access, found.key), linked };
}
