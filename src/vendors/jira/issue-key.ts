import { VendorError } from '../../core/errors.ts';
import { ArgumentError, needed } from './argument-error.ts';

export const issueKey = /^[A-Z][A-Z0-9_]+-\d{1,9}$/;

/** The key, or throws an ArgumentError. */
export function checkedKey(key: string): string {
  if (issueKey.test(key)) return key;
  throw new ArgumentError('issue_key', 'The argument key must be an issue key such as OPS-12.');
}

/** Jira's answer about an issue. If it has none with that key, the requester can be asked which one is meant. */
export async function existing<T>(key: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'not_found') throw error;
    const message = `Jira has no ticket ${key}, or does not show it to the bot.`;
    throw needed('not_found', message, {
      arg: 'key',
      question: `${message} Which one do you mean?`,
      choices: [],
    });
  }
}

/** The key of a project, or throws an ArgumentError. */
export function checkedProject(key: string): string {
  if (/^[A-Z][A-Z0-9_]{1,19}$/.test(key)) return key;
  throw new ArgumentError('project_key', 'The argument project must be a project key such as OPS.');
}
