import type { jiraCount } from '../../manifests/jira.count.ts';
import { cut } from '../../src/core/clean-text.ts';
import type { ArgsOf } from '../../src/core/manifest.ts';
import type { Readers } from '../../src/core/ports.ts';

type IssueQuery = Parameters<Readers['jira']['count']>[0];

/** Filter arguments, as named in the manifests, as a query for the Jira reader. */
export function issueQuery({
  priority_not: priorityNot,
  status_not: statusNot,
  type_not: typeNot,
  label_not: labelNot,
  assignee_not: assigneeNot,
  older_than: olderThan,
  not_updated_for: notUpdatedFor,
  updated_within: updatedWithin,
  updated_since: updatedSince,
  ...same
}: Omit<ArgsOf<typeof jiraCount>, 'by'>): IssueQuery {
  return {
    ...{ ...same, priorityNot, statusNot, typeNot, labelNot, assigneeNot },
    ...{ olderThan, notUpdatedFor, updatedWithin, updatedSince },
  };
}

/** Maximum characters of JQL in a result. */
const maxJql = 2_000;
/** Maximum length of an address that Slack accepts as a link. */
const maxAddress = 3_000;

/** JQL for a result; visibly truncated if it is too long. */
export function shownJql({ jql, url }: { readonly jql: string; readonly url: string }) {
  return { jql: cut(jql, maxJql), link: url.length > maxAddress ? '' : url };
}
