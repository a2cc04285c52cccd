import { CountersignError } from '../../core/errors.ts';

/** An issue key that could lead to another address: jira.js puts it into the path as it is. */
export class IssueKeyError extends CountersignError {}

export const issueKey = /^[A-Z][A-Z0-9_]+-\d{1,9}$/;

/** The key, or an IssueKeyError. */
export function checkedKey(key: string): string {
  if (issueKey.test(key)) return key;
  throw new IssueKeyError('issue_key', 'The argument key must be an issue key such as OPS-12.', {});
}
