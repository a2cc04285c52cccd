import type { LinkHosts } from '../../core/address.ts';
import type { Readers, Writers } from '../../core/ports.ts';
import { unconfigured } from '../http/unconfigured.ts';
import type { JiraOptions } from './options.ts';
import { createJiraReader } from './reader.ts';
import { siteOf } from './transport.ts';
import { createJiraWriter } from './writer.ts';

export interface JiraConnection {
  readonly readers: Pick<Readers, 'jira'>;
  readonly writers: Pick<Writers, 'jira'>;
  /** Hosts where people open its links. */
  readonly hosts: LinkHosts;
}

/** Jira for the tools; null when it is not set up. */
export function connectJira(options: JiraOptions | null): JiraConnection {
  if (options === null) {
    const settings = 'JIRA_HOST, JIRA_EMAIL and JIRA_API_TOKEN';
    const readers = { jira: unconfigured<Readers['jira']>(settings) };
    return { readers, writers: { jira: unconfigured(settings) }, hosts: [] };
  }
  return {
    readers: { jira: createJiraReader(options) },
    writers: { jira: createJiraWriter(options) },
    hosts: [siteOf(options).host],
  };
}
