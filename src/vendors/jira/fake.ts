import type { IssueQuery, JiraReader, JiraWriter } from './port.ts';

/** Parts of the fake that tests replace, also by what throws. */
export const jiraBehaviour = () => ({
  /** Tickets that a query counts. */
  count: async (_query: IssueQuery): Promise<number> => 24,
});

/** Jira in memory, for tests of what stands on it. */
export function fakeJira(behaviour: ReturnType<typeof jiraBehaviour> = jiraBehaviour()) {
  const comments: Parameters<JiraWriter['comment']>[0][] = [];
  const reader: JiraReader = {
    commentByMark: async ({ mark }) =>
      comments.some((comment) => comment.mark === mark) ? { id: '1', url: 'https://acme.example/1' } : null,
    async count(query) {
      return { total: await behaviour.count(query), approximate: true, jql: 'project = "OPS"' };
    },
    search: async () => ({ issues: [], more: false, jql: 'project = "OPS"' }),
  };
  const writer: JiraWriter = {
    async comment(comment) {
      comments.push(comment);
      return { id: '1', url: 'https://acme.example/1' };
    },
  };
  return { comments, readers: { jira: reader }, writers: { jira: writer } };
}
