import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../../sandbox/start.ts';
import { connectJira } from '../../../src/vendors/jira/connect.ts';

/** The parts of Jira Cloud's REST API v3 that we send, as documented: closed, so that a stray field shows. */
const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1) });
const paragraph = z.strictObject({ type: z.literal('paragraph'), content: z.array(text) });
const document = z.strictObject({
  ...{ type: z.literal('doc'), version: z.literal(1) },
  content: z.array(paragraph).min(1),
});
const properties = z.array(z.strictObject({ key: z.string().min(1).max(255), value: z.unknown() })).min(1);
const keyed = z.strictObject({ key: z.string() });
const link = z.strictObject({ type: z.strictObject({ name: z.string() }), outwardIssue: keyed });
const name = z.strictObject({ name: z.string() });
const bodies: readonly (readonly [string, RegExp, z.ZodType])[] = [
  [
    'POST',
    /^\/rest\/api\/3\/issue$/,
    z.strictObject({
      fields: z.strictObject({
        project: z.strictObject({ key: z.string() }),
        issuetype: z.strictObject({ id: z.string() }),
        summary: z
          .string()
          .max(255)
          .regex(/^[^\n]+$/),
        description: document,
        priority: name.optional(),
        labels: z.array(z.string().regex(/^\S+$/)).optional(),
        components: z.array(name).optional(),
        assignee: z.strictObject({ accountId: z.string() }).optional(),
      }),
      properties,
      update: z.strictObject({ issuelinks: z.array(z.strictObject({ add: link })) }).optional(),
    }),
  ],
  ['POST', /^\/rest\/api\/3\/issueLink$/, link.extend({ inwardIssue: keyed })],
  [
    'POST',
    /^\/rest\/api\/3\/issue\/[A-Z]+-\d+\/transitions$/,
    z.strictObject({
      transition: z.strictObject({ id: z.string().regex(/^\d+$/) }),
      fields: z.strictObject({ resolution: name }).optional(),
      properties,
    }),
  ],
  ['POST', /^\/rest\/api\/3\/issue\/[A-Z]+-\d+\/comment$/, z.strictObject({ body: document, properties })],
  [
    'POST',
    /^\/rest\/api\/3\/search\/jql$/,
    z.strictObject({
      jql: z.string().min(1),
      fields: z.array(z.string()).min(1),
      maxResults: z.int().min(1).max(5_000),
      nextPageToken: z.string().optional(),
      properties: z.array(z.string()).max(5).optional(),
    }),
  ],
  ['POST', /^\/rest\/api\/3\/comment\/list$/, z.strictObject({ ids: z.array(z.int()).max(1_000) })],
];
/** The query parameters that each address accepts. */
const queries: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/rest\/api\/3\/issue\/[A-Z]+-\d+$/, ['fields', 'properties']],
  [/^\/rest\/api\/3\/issue\/[A-Z]+-\d+\/comment$/, ['orderBy', 'maxResults']],
  [/^\/rest\/api\/3\/issue\/[A-Z]+-\d+\/transitions$/, ['expand']],
  [/^\/rest\/api\/3\/issue\/createmeta\/[A-Z]+\/issuetypes(\/\d+)?$/, ['startAt', 'maxResults']],
  [/^\/rest\/api\/3\/user\/search$/, ['query', 'maxResults']],
  [/^\/rest\/api\/3\/comment\/list$/, ['expand']],
  [/^\/rest\/servicedeskapi\/request\/[A-Z]+-\d+\/sla$/, ['limit']],
];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
}

function connected(sent: Sent[]) {
  const { JIRA_HOST: host = '', JIRA_EMAIL: email = '', JIRA_API_TOKEN: apiToken = '' } = sandbox.env;
  const recording: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = request.method === 'GET' ? null : JSON.parse(await request.clone().text());
    sent.push({ method: request.method, url: new URL(request.url), body });
    return fetch(request);
  };
  const people = { idOf: () => null, emailOf: async () => 'ana@acme.example' };
  const options = { host, email, apiToken, people, priorities: {}, projects: ['OPS'] };
  return connectJira({ ...options, fetch: recording, now: () => new Date() });
}

test('every address, parameter and body is as the API documents it', async () => {
  const sent: Sent[] = [];
  const {
    readers: { jira: read },
    writers: { jira: write },
  } = connected(sent);
  const { signal } = new AbortController();
  const since = new Date();
  const who = { assignee: 'me', asker: 'U0ANA' };
  await read.count({ project: 'OPS', ...who }, signal);
  await read.search({ project: 'OPS', text: 'disk' }, { limit: 1_000, order: 'updated' }, signal);
  await read.issue('OPS-1', signal);
  await read.slas('OPS-1', signal);
  const made = await write.create(
    {
      ...{ project: 'OPS', summary: 'One\ntwo', text: 'a\n\nb', type: 'bug', priority: 'P2', label: 'x' },
      ...{ component: 'web', follows: 'OPS-1', mark: 'cs-1', ...who },
    },
    signal,
  );
  await read.issueByMark({ project: 'OPS', mark: 'cs-1', since }, signal);
  await write.move({ key: made.key, status: 'Blocked', mark: 'cs-2' }, signal);
  await read.moveByMark({ key: made.key, mark: 'cs-2' }, signal);
  await write.comment({ key: made.key, text: 'one\n\ntwo', mark: 'cs-3' }, signal);
  await read.commentByMark({ key: made.key, mark: 'cs-3', since }, signal);
  const { key } = await write.create(
    { project: 'WEB', summary: 's', text: 't', follows: 'OPS-1', mark: 'cs-4' },
    signal,
  );
  await write.move({ key, status: 'In Progress', mark: 'cs-5' }, signal);
  await write.move({ key, status: 'Done', resolution: 'done', mark: 'cs-6' }, signal);

  for (const { method, url, body } of sent) {
    const known = queries.find(([address]) => address.test(url.pathname))?.[1] ?? [];
    expect(
      [...url.searchParams.keys()].filter((one) => !known.includes(one)),
      url.pathname,
    ).toEqual([]);
    if (method === 'GET') continue;
    const schema = bodies.find(([verb, address]) => verb === method && address.test(url.pathname))?.[2];
    expect(schema?.safeParse(body).error?.issues, `${method} ${url.pathname}`).toBeUndefined();
    expect(schema, `${method} ${url.pathname}`).toBeDefined();
  }
  expect(new Set(sent.filter(({ method }) => method !== 'GET').map(({ url }) => url.pathname)).size).toBe(7);
});

test('text in a ticket or comment is sent as plain text', async () => {
  const sent: Sent[] = [];
  const { writers } = connected(sent);
  const { signal } = new AbortController();
  const nasty = '[~accountid:1] @ana *b* {code}x{code} <!channel> \u202Etxt https://evil.example';
  await writers.jira.comment({ key: 'OPS-1', text: nasty, mark: 'cs-7' }, signal);
  await writers.jira.create({ project: 'OPS', summary: nasty, text: nasty, mark: 'cs-8' }, signal);
  const words = nasty.replace('\u202E', '');
  for (const { body } of sent.filter(({ method }) => method === 'POST')) {
    const json = JSON.stringify(body);
    expect(json).toContain(JSON.stringify({ type: 'text', text: words }));
    expect(json).not.toMatch(/"marks"|"mention"|"inlineCard"|\u202E/);
  }
});
