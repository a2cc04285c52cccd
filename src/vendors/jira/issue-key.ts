import { ArgumentError } from './argument-error.ts';

export const issueKey = /^[A-Z][A-Z0-9_]+-\d{1,9}$/;

/** The key, or an ArgumentError. */
export function checkedKey(key: string): string {
  if (issueKey.test(key)) return key;
  throw new ArgumentError('issue_key', 'The argument key must be an issue key such as OPS-12.');
}

/** The key of a project, or an ArgumentError. */
export function checkedProject(key: string): string {
  if (/^[A-Z][A-Z0-9_]{1,19}$/.test(key)) return key;
  throw new ArgumentError('project_key', 'The argument project must be a project key such as OPS.');
}
