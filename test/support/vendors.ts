import type { IssueQuery, OnCallPerson, Readers, Writers } from '../../src/core/ports.ts';

type Page = Parameters<Writers['pagerduty']['page']>[0];
type Post = Parameters<Writers['slack']['post']>[0];

const ana: OnCallPerson = {
  id: 'PANA01',
  name: 'Ana Ruiz',
  email: 'ana@acme.example',
  level: 1,
  until: null,
};

/** Jira, PagerDuty, Slack and the SLAs in memory. Tests replace the parts whose behaviour they are about. */
export function createVendors() {
  const pages: Page[] = [];
  const posts: Post[] = [];
  const behaviour = {
    /** Tickets that a query counts; may throw. */
    count: async (_query: IssueQuery): Promise<number> => 24,
    maxOpen: 20,
    oncall: async (): Promise<OnCallPerson[]> => [ana],
    /** Called before a page is taken, and after. Throwing afterwards is an answer that was lost. */
    beforePage: async (_page: Page, _signal: AbortSignal): Promise<void> => {},
    afterPage: async (_page: Page): Promise<void> => {},
    beforePost: async (_post: Post): Promise<void> => {},
    /** Called before a page is looked for. */
    beforeFind: async (): Promise<void> => {},
  };
  const readers: Readers = {
    jira: {
      count: async (query) => ({
        total: await behaviour.count(query),
        approximate: true,
        jql: 'project = "OPS"',
      }),
      search: async () => ({ issues: [], more: false, jql: 'project = "OPS"' }),
    },
    pagerduty: {
      oncall: () => behaviour.oncall(),
      pageByKey: async (_service, key) => {
        await behaviour.beforeFind();
        const found = pages.some((page) => page.dedupKey === key);
        return found ? { incidentId: 'Q1', state: 'triggered', url: '' } : null;
      },
    },
    slack: {
      postByKey: async (_channel, key) => {
        const found = posts.some((post) => post.key === key);
        return found ? { channel: 'C0OPS', ts: '1.2', link: 'https://acme.slack.com/p12' } : null;
      },
    },
    sla: { threshold: () => ({ maxOpen: behaviour.maxOpen, resolveWithin: null }) },
    model: { summarize: async (material) => `summary of ${material.length} characters` },
  };
  const writers: Writers = {
    pagerduty: {
      async page(page, signal) {
        await behaviour.beforePage(page, signal);
        // One key opens one incident, however often it comes.
        if (pages.every(({ dedupKey }) => dedupKey !== page.dedupKey)) pages.push(page);
        await behaviour.afterPage(page);
        return { dedupKey: page.dedupKey };
      },
    },
    slack: {
      async post(post) {
        await behaviour.beforePost(post);
        posts.push(post);
        return { channel: 'C0OPS', ts: '1.2', link: 'https://acme.slack.com/p12' };
      },
    },
  };
  return { pages, posts, behaviour, readers, writers };
}

export type Vendors = ReturnType<typeof createVendors>;
