import type { Readers, Writers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { createJiraReader, type JiraOptions } from './reader.ts';

export interface JiraConnection {
  readonly readers: Pick<Readers, 'jira'>;
  readonly writers: Pick<Writers, never>;
}

/** Jira as tools may reach it; null where it is not set up. */
export function connectJira(options: JiraOptions | null): JiraConnection {
  if (options === null) {
    return { readers: { jira: unconfigured('JIRA_HOST, JIRA_EMAIL and JIRA_API_TOKEN') }, writers: {} };
  }
  return { readers: { jira: createJiraReader(options) }, writers: {} };
}
