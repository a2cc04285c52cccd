import type { Readers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { createJiraReader, type JiraOptions } from './reader.ts';

/** Jira as tools may reach it; null where it is not set up. */
export function connectJira(options: JiraOptions | null): { readers: Pick<Readers, 'jira'> } {
  if (options === null) {
    return { readers: { jira: unconfigured('JIRA_HOST, JIRA_EMAIL and JIRA_API_TOKEN') } };
  }
  return { readers: { jira: createJiraReader(options) } };
}
