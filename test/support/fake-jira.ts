import type {
  CreatedIssue,
  Issue,
  IssueQuery,
  JiraMove,
  JiraReader,
  JiraWriter,
} from '../../src/vendors/jira/port.ts';

/** Parts of the fake that tests replace, possibly with ones that throw. */
export const jiraBehaviour = () => ({
  /** Number of tickets a query counts. */
  count: async (_query: IssueQuery): Promise<number> => 24,
});

const found = { jql: 'project = "OPS"', url: 'https://acme.example/issues/?jql=project' };

/** An in-memory Jira for tests. */
export function fakeJira(behaviour: ReturnType<typeof jiraBehaviour> = jiraBehaviour()) {
  const comments: Parameters<JiraWriter['comment']>[0][] = [];
  const moves: { readonly key: string; readonly mark: string; readonly made: JiraMove }[] = [];
  const issues: { readonly mark: string; readonly made: CreatedIssue }[] = [];
  const reader: JiraReader = {
    commentByMark: async ({ mark }) =>
      comments.some((comment) => comment.mark === mark) ? { id: '1', url: 'https://acme.example/1' } : null,
    issue: async (key) => {
      const status = moves.findLast((one) => one.key === key)?.made.to;
      return { ...fakeIssue(key), ...(status === undefined ? {} : { status }) };
    },
    plannedMove: async ({ key, status }) => ({ ...moved(key, status), summary: 'Disk almost full' }),
    moveByMark: async ({ mark }) => moves.find((one) => one.mark === mark)?.made ?? null,
    plannedIssue: async ({ type = 'Task', assignee = null }) => ({ type, assignee }),
    issueByMark: async ({ mark }) => issues.find((one) => one.mark === mark)?.made ?? null,
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
    async move({ key, status, mark }) {
      const made = moved(key, status);
      moves.push({ key, mark, made });
      return made;
    },
    async create({ project, follows, mark }) {
      const key = `${project}-${issues.length + 100}`;
      const made = { key, url: `https://acme.example/browse/${key}`, linked: follows !== undefined };
      issues.push({ mark, made });
      return made;
    },
  };
  return { comments, readers: { jira: reader }, writers: { jira: writer } };
}

function moved(key: string, to: string): JiraMove {
  return { from: 'To Do', to, url: `https://acme.example/browse/${key}` };
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
