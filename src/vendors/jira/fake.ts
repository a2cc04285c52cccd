import type { Issue, IssueQuery, JiraReader, JiraWriter } from './port.ts';

/** Parts of the fake that tests replace, also by what throws. */
export const jiraBehaviour = () => ({
  /** Tickets that a query counts. */
  count: async (_query: IssueQuery): Promise<number> => 24,
});

const found = { jql: 'project = "OPS"', url: 'https://acme.example/issues/?jql=project' };

/** Jira in memory, for tests of what stands on it. */
export function fakeJira(behaviour: ReturnType<typeof jiraBehaviour> = jiraBehaviour()) {
  const comments: Parameters<JiraWriter['comment']>[0][] = [];
  const reader: JiraReader = {
    commentByMark: async ({ mark }) =>
      comments.some((comment) => comment.mark === mark) ? { id: '1', url: 'https://acme.example/1' } : null,
    issue: async (key) => fakeIssue(key),
    slas: async () => null,
    async count(query) {
      return { total: await behaviour.count(query), approximate: false, ...found };
    },
    search: async () => ({ issues: [], more: false, ...found }),
  };
  const writer: JiraWriter = {
    async comment(comment) {
      comments.push(comment);
      return { id: '1', url: 'https://acme.example/1' };
    },
  };
  return { comments, readers: { jira: reader }, writers: { jira: writer } };
}

function fakeIssue(key: string): Issue {
  const created = new Date('2026-03-10T10:30:00Z');
  return {
    ...{
      key,
      summary: 'Disk almost full',
      status: 'To Do',
      done: false,
      isRequest: false,
      priority: 'P1',
      assignee: '',
    },
    ...{ created, updated: created, resolved: null, url: `https://acme.example/browse/${key}` },
    ...{ type: 'Bug', reporter: 'Ana Ruiz', labels: [], components: [], description: '' },
    comments: { total: 0, latest: null },
  };
}
