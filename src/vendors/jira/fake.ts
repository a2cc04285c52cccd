import type { IssueQuery, JiraReader, JiraWriter } from './port.ts';

/** Parts of the fake that tests replace, also by what throws. */
export const jiraBehaviour = () => ({
  /** Tickets that a query counts. */
  count: async (_query: IssueQuery): Promise<number> => 24,
});

const query = { jql: 'project = "OPS"', url: 'https://acme.example/issues/?jql=project+%3D+%22OPS%22' };

/** Jira in memory, for tests of what stands on it. */
export function fakeJira(behaviour: ReturnType<typeof jiraBehaviour> = jiraBehaviour()) {
  const comments: Parameters<JiraWriter['comment']>[0][] = [];
  const reader: JiraReader = {
    commentByMark: async ({ mark }) =>
      comments.some((comment) => comment.mark === mark) ? { id: '1', url: 'https://acme.example/1' } : null,
    async count(asked) {
      return { total: await behaviour.count(asked), approximate: true, ...query };
    },
    search: async () => ({ issues: [], more: false, ...query }),
  };
  const writer: JiraWriter = {
    async comment(comment) {
      comments.push(comment);
      return { id: '1', url: 'https://acme.example/1' };
    },
  };
  return { comments, readers: { jira: reader }, writers: { jira: writer } };
}
