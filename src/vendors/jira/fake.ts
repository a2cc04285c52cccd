import type { IssueQuery, JiraReader } from './port.ts';

/** Parts of the fake that tests replace, also by what throws. */
export const jiraBehaviour = () => ({
  /** Tickets that a query counts. */
  count: async (_query: IssueQuery): Promise<number> => 24,
});

/** Jira in memory, for tests of what stands on it. */
export function fakeJira(behaviour: ReturnType<typeof jiraBehaviour> = jiraBehaviour()) {
  const reader: JiraReader = {
    async count(query) {
      return { total: await behaviour.count(query), approximate: true, jql: 'project = "OPS"' };
    },
    search: async () => ({ issues: [], more: false, jql: 'project = "OPS"' }),
  };
  return { readers: { jira: reader }, writers: {} };
}
