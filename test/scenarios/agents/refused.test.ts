/** Why: an agent may be wrong, broken or somebody else's. Each thing that it must not do is refused in words that it can act on. */
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ListTasksRequest, SendMessageRequest } from '@a2a-js/sdk';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectA2a, heard, messageOf, sendTask } from '../../support/a2a.ts';
import { agentsConfig, agentToken, ask, connectAgent, tokenOf } from '../../support/agents.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const others = {
  small: { per_hour: 3, owner: 'U0BEN' },
  waits: { waiting: 1 },
  flood: { owner: 'U0CHIARA' },
  hasty: { waiting: 100 },
  leaves: { owner: 'U0DEV' },
  revoked: {},
  rolls: { tools: ['deploys.*'] },
};
const rollback = {
  about: 'Roll back a service',
  ask: { verbs: ['revert'], nouns: ['deploy'], examples: ['revert the deploy of checkout'] },
  parameters: { service: { type: 'service' } },
  url: 'https://deploys.example.com/{service}',
  hosts: ['deploys.example.com'],
  undo: 'The version before can be deployed again.',
  verify: {
    within: '10m',
    plan: [
      'before = logs.spl service={service} window=PT1H',
      'after = logs.spl service={service} window=PT10M',
      '  expect: after.total < before.total',
    ].join('\n'),
  },
};
const config = (agents: Readonly<Record<string, object>>) =>
  agentsConfig(
    { per_hour: 500 },
    { rules: [{ approvers: ['U0ANA'] }], actions: { 'deploys.rollback': rollback } },
    { ...agents },
  );

let workspace: Workspace;
let agent: Client;
const clients: Client[] = [];
async function as(name: string): Promise<Client> {
  const client = await connectAgent(workspace, tokenOf(name));
  clients.push(client);
  return client;
}

beforeAll(async () => {
  workspace = await Workspace.start({ config: config(others), env: { PORT: String(await freePort()) } });
  agent = await connectAgent(workspace);
});
afterAll(async () => {
  await Promise.all([agent, ...clients].map((client) => client?.close()));
  await finish(workspace);
});

const page = (text: string, service = 'ops') => `pagerduty.page service=${service} text="${text}"`;
let keys = 0;
const propose = (given: object, client = agent) => {
  keys += 1;
  return ask(client, 'propose', { key: `key-${keys}`, ...given });
};
const step = (more: object) => ({
  id: 'page',
  tool: 'pagerduty.page',
  args: { service: 'ops', text: 'Hi' },
  ...more,
});
const looking = 'verify: within 10m after.total < 5: logs.spl service=checkout window=10m';
const counted = 'verify: within 10m after.total < 5: jira.count project=OPS';
const cause =
  'situation: ops\ncause: told when count.total > 0: "Ana agrees"\ncount = jira.count project=OPS';
const counting = { id: 'count', tool: 'jira.count', args: { project: 'OPS' } };
const code = {
  ...{ id: 'twice', tool: 'code', args: { total: { ref: 'count.total' } } },
  code: { source: 'return { twice: total * 2 }', result: { twice: 'number' } },
};
const coded =
  'count = jira.count project=OPS\ntwice = code total={count.total} -> twice: number\n  | return { twice: total * 2 };';
const post = (headers: Record<string, string>, body: string, method = 'POST', path = '/mcp') =>
  fetch(`http://127.0.0.1:${workspace.env.PORT}${path}`, {
    ...(method === 'GET' ? {} : { body }),
    ...{
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    },
  });

/** The answer to a request under another name, as after a rebinding of that name to this machine. */
function asHost(host: string): Promise<string> {
  const headers = { host, authorization: `Bearer ${agentToken}` };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request(
    { port: workspace.env.PORT, host: '127.0.0.1', path: '/mcp', method: 'POST', headers },
    (response) => text(response).then(resolve, reject),
  )
    .on('error', reject)
    .end('{}');
  return promise;
}

test('plans that name unknown things, or things that the agent may not use, are refused with the reason', async () => {
  const before = workspace.messages('ops').length;
  const refused: [object, string, RegExp][] = [
    [{ plan: { steps: [step({ tool: 'plan.approve' })] } }, 'unknown_tool', /no tool plan.approve/],
    [{ plan: 'pagerduty.pag service=ops text="x"' }, 'unknown_tool', /pagerduty.page/],
    [{ plan: 'slack.post channel=#ops text="x"' }, 'tool_not_allowed', /may not use slack.post, only jira/],
    [{ plan: `${page('x')}\n  ${looking}` }, 'tool_not_allowed', /may not use logs.spl, only jira/],
    [{ plan: page('x'), tools: ['pagerduty.ack'] }, 'tool_not_wanted', /would use pagerduty.page/],
    [
      { plan: `${page('x')}\n  ${counted}`, tools: ['pagerduty.page'] },
      'tool_not_wanted',
      /would use jira.count/,
    ],
    [{ plan: page('x', 'nowhere') }, 'unknown_target', /nowhere/],
    [{ plan: { steps: [step({ args: { service: 'nowhere', text: 'x' } })] } }, 'unknown_target', /nowhere/],
    [
      { plan: { steps: [step({})], digest: 'ab' } },
      'bad_arguments',
      /plan: there is no digest; leave it out/,
    ],
    [{ plan: { steps: [step({ approved: true })] } }, 'bad_arguments', /plan.steps.0: there is no approved/],
    [{ plan: page('x'), owner: 'U0BEN' }, 'bad_arguments', /there is no owner/],
    [{ plan: page('x'), key: 'with space' }, 'bad_arguments', /key must be/],
    [{ plan: page('x'), evidence: ['javascript:alert(1)'] }, 'bad_arguments', /evidence.0 must be an http/],
    [{ plan: page('x'), channel: '#general' }, 'channel_not_allowed', /#ops only/],
    [{ plan: `${page('x')}\n  why: The owner said yes` }, 'own_words', /argument why/],
    [{ plan: `assuming: approved by ana\n${page('x')}` }, 'own_words', /argument why/],
    [{ plan: { steps: [step({})], success: ['words: Ana agrees'] } }, 'own_words', /argument why/],
    [{ plan: { steps: [step({ success: ['words: Ana agrees'] })] } }, 'own_words', /argument why/],
    [{ plan: `${cause}\n${page('x')}` }, 'own_words', /argument why/],
    [{ plan: `${page('x')}\n  expect: words: Ana agrees` }, 'own_words', /argument why/],
    [{ plan: { steps: [counting, code] } }, 'code_not_allowed', /playbook/],
    [{ plan: `watch: every 10m\njira.count project=OPS` }, 'watch_not_allowed', /owner/],
    [{ goal: 'post "hello" to #general' }, 'tool_not_allowed', /slack.post/],
    [
      { goal: 'check open P1 tickets in OPS every 10 minutes and page ops over 30' },
      'watch_not_allowed',
      /owner/,
    ],
    [{ goal: `\u200bassuming: approved by ana\n${page('x')}` }, 'own_words', /argument why/],
    [{ goal: `\u2060${page('x')}\n\u200b  ${looking}` }, 'tool_not_allowed', /may not use logs.spl/],
    [{ goal: `\ufeff${coded}` }, 'code_not_allowed', /playbook/],
    [{ goal: ' \u200b' }, 'empty', /Give a goal/],
    [{}, 'empty', /Give a goal/],
  ];
  for (const [given, code, words] of refused) {
    const answer = await propose(given);
    expect([given, answer.code, answer.message]).toEqual([given, code, expect.stringMatching(words)]);
    expect(answer.state ?? 'refused').toBe('refused');
  }
  expect(workspace.messages('ops')).toHaveLength(before);
  expect(await rows(workspace, 'select 1 from revisions')).toEqual([]);
  expect(await rows(workspace, "select 1 from watches where owner like 'agent:%'")).toEqual([]);
});

test('an answer in plan notation is held to the same as a plan', async () => {
  const asked = await propose({ goal: 'page someone' });
  expect(asked.state).toBe('asking');
  const answered: [string, string][] = [
    [`assuming: approved by ana\n${page('x')}`, 'own_words'],
    [coded, 'code_not_allowed'],
    [`${page('x')}\n  ${looking}`, 'tool_not_allowed'],
  ];
  for (const [answer, code] of answered)
    expect(await ask(agent, 'answer', { id: asked.id, key: code, answer })).toMatchObject({ code });
  expect(await ask(agent, 'status', { id: asked.id })).toMatchObject({ state: 'asking' });
});

test('the check that an operator declares for an action needs no right of the agent’s own', async () => {
  const rolls = await as('rolls');
  expect(await propose({ plan: 'deploys.rollback service=checkout' }, rolls)).toMatchObject({
    state: 'waiting',
  });
  expect(wordsOf(await workspace.card('Roll back'))).toContain('checked for up to 10 minutes');
});

test('there is no tool that decides, and no answer about what others asked for', async () => {
  for (const name of ['approve', 'edit', 'set_caps'])
    expect(await ask(agent, name)).toMatchObject({ code: 'unknown_tool', message: /people do/ });
  await workspace.plan('ben', page('Of a person'));
  await workspace.card('Of a person');
  const [{ id } = {}] = await rows(workspace, "select id from requests where via = 'command'");
  for (const name of ['status', 'proof'])
    expect(await ask(agent, name, { id })).toMatchObject({ code: 'unknown_plan' });
});

test('who has no token of an agent gets nowhere, nor does a web page, an unknown host or 10 MB', async () => {
  const known = { authorization: `Bearer ${agentToken}` };
  const codeOf = async (response: Response) => [
    response.status,
    JSON.parse(await response.text()).error.data.code,
  ];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(await codeOf(await post({}, body))).toEqual([401, 'bad_token']);
  expect(await codeOf(await post({ authorization: `Bearer ${agentToken}x` }, body))).toEqual([
    401,
    'bad_token',
  ]);
  expect(await codeOf(await post({ ...known, origin: 'https://evil.example' }, body))).toEqual([
    403,
    'browser',
  ]);
  expect(await asHost('evil.example')).toContain('unknown_host');
  expect(await codeOf(await post(known, '{'))).toEqual([400, 'no_json']);
  expect((await post(known, body, 'GET')).status).toBe(405);
  const large = JSON.stringify({ ...JSON.parse(body), padding: 'x'.repeat(10_000_000) });
  const answered = await post(known, large).then(codeOf, () => 'cut');
  expect([[413, 'too_large'], 'cut']).toContainEqual(answered);
  expect((await post(known, body)).status).toBe(200);
});

test('over A2A the same things are refused as over MCP, and nothing is made of them', async () => {
  const client = await connectA2a(workspace);
  const before = await rows(workspace, 'select count(*) as n from requests');
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ plan: page('x'), owner: 'U0BEN' }, /there is no owner/],
    [{ plan: { steps: [step({})], digest: 'ab' } }, /there is no digest/],
    [{ plan: { steps: [step({ tool: 'plan.approve' })] } }, /unknown_tool: There is no tool plan.approve/],
    [{ plan: 'slack.post channel=#ops text="x"' }, /tool_not_allowed/],
    [{ plan: { steps: [counting, code] } }, /code_not_allowed/],
    [{ plan: page('x'), channel: '#general' }, /channel_not_allowed/],
    [{ skill: 'approve', id: 'x' }, /unknown_skill/],
    [{ skill: 'optimize_plan', plan: page('x', 'nowhere') }, /nowhere/],
  ];
  for (const [nth, [given, words]] of refused.entries())
    await expect(client.sendMessage(messageOf(`a2a-${nth}`, given))).rejects.toThrow(words);
  const file = {
    message: { messageId: 'file', role: 'ROLE_USER', parts: [{ url: 'https://evil.example' }] },
  };
  await expect(client.sendMessage(SendMessageRequest.fromJSON(file))).rejects.toThrow('at most one object');
  await expect(client.getTask({ tenant: '', id: 'nothing' })).rejects.toThrow('None of your proposals');
  expect(await rows(workspace, 'select count(*) as n from requests')).toEqual(before);
});

test('a task is its agent’s alone, nobody withdraws or changes it, and the same message is the same task', async () => {
  const [mine, theirs] = [
    await connectA2a(workspace),
    await connectA2a(workspace, { token: tokenOf('hasty') }),
  ];
  const task = await sendTask(mine, 'mine', { plan: page('Mine alone') });
  await workspace.card('Mine alone');
  const of = { tenant: '', id: task.id };
  await expect(theirs.getTask(of)).rejects.toThrow('None of your proposals');
  await expect(sendTask(theirs, 'theirs', 'yes', { taskId: task.id })).rejects.toThrow('None of your');
  await expect(mine.cancelTask({ ...of, metadata: undefined })).rejects.toThrow('People decide about it');
  await expect(sendTask(mine, 'approved', 'approved', { taskId: task.id })).rejects.toThrow('no_question');
  expect((await sendTask(mine, 'mine', { plan: page('Mine alone') })).id).toBe(task.id);
  await expect(sendTask(mine, 'mine', { plan: page('Changed') })).rejects.toThrow('key_used');
  const pushed = {
    id: 7,
    jsonrpc: '2.0',
    method: 'CreateTaskPushNotificationConfig',
    params: { taskId: task.id },
  };
  const headers = { authorization: `Bearer ${agentToken}`, 'a2a-version': '1.0' };
  const answer = await post(headers, JSON.stringify(pushed), 'POST', '/a2a');
  expect(await answer.text()).toContain('Follow the task');
});

test('on each path of A2A a call without a token, from a web page, of 10 MB or of another version is refused', async () => {
  const known = { authorization: `Bearer ${agentToken}` };
  const large = JSON.stringify({ padding: 'x'.repeat(10_000_000) });
  const statusOf = (answer: Promise<Response>) =>
    answer.then(
      ({ status }) => status,
      () => 413,
    );
  for (const [path, method] of [
    ['/a2a', 'POST'],
    ['/a2a/v1/message:send', 'POST'],
    ['/a2a/v1/message:stream', 'POST'],
    ['/a2a/v1/tasks', 'GET'],
    ['/a2a/v1/tasks/x', 'GET'],
    ['/a2a/v1/tasks/x:cancel', 'POST'],
    ['/a2a/v1/extendedAgentCard', 'GET'],
  ] as const) {
    expect([path, await statusOf(post({}, '{}', method, path))]).toEqual([path, 401]);
    expect(await statusOf(post({ ...known, origin: 'https://evil.example' }, '{}', method, path))).toBe(403);
    const other = await post({ ...known, 'a2a-version': '9.0' }, '{"jsonrpc":"2.0"}', method, path);
    expect(await other.text()).toContain("version '9.0' is not supported");
    if (method === 'POST') expect(await statusOf(post(known, large, method, path))).toBe(413);
  }
  const card = await post({}, '', 'GET', '/.well-known/agent-card.json');
  expect(card.status).toBe(200);
  for (const path of ['/a2a/v1/tasks/%E0%A4%A', '/a2a/v1/nothing', '/a2a/v1/tasks/x:approve'])
    expect([path, await statusOf(post(known, '{}', 'POST', path))]).toEqual([path, 400]);
});

test('caps hold when many proposals arrive at once, and the owner is told once', async () => {
  const [small, waits] = [await as('small'), await as('waits')];
  const many = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((nth) => propose({ plan: page(`Small ${nth}`) }, small)),
  );
  expect(many.filter(({ code }) => code === 'over_hourly_cap')).toHaveLength(3);
  const two = await Promise.all([1, 2].map((nth) => propose({ plan: page(`Waits ${nth}`) }, waits)));
  expect(two.map(({ code }) => code).sort()).toEqual(['over_waiting_cap', undefined]);
  const told = () =>
    workspace.sandbox.slack
      .state('U0BEN')
      .channels.flatMap(({ messages }) => messages)
      .filter((message) => /Your agent small asks more often/.test(wordsOf(message)));
  await until(async () => told().length === 1);
  expect(await propose({ plan: page('Small again') }, small)).toMatchObject({ code: 'over_hourly_cap' });
  expect(told()).toHaveLength(1);
});

test('an agent that calls without a pause is slowed down, and others are not', async () => {
  const flood = await as('flood');
  const codes: (string | undefined)[] = [];
  for (let nth = 0; nth < 122; nth += 1) codes.push((await ask(flood, 'plans')).code);
  expect(codes.lastIndexOf(undefined)).toBe(119);
  expect(codes.slice(120)).toEqual(['too_many_calls', 'too_many_calls']);
  expect(await ask(agent, 'plans')).not.toHaveProperty('code');
});

test('an agent that does not wait for its answers is refused beyond a few at once', async () => {
  const hasty = await as('hasty');
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_one, nth) => propose({ plan: page(`At once ${nth}`) }, hasty)),
  );
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([undefined, 'too_many_at_once']));
});

test('an agent whose owner is no full member proposes nothing', async () => {
  workspace.makeGuest('dev');
  const answer = await propose({ plan: page('Of a guest') }, await as('leaves'));
  expect(answer).toMatchObject({ state: 'refused', code: 'owner_not_member' });
});

test('a revoked agent is refused from then on, and its card is still for people to decide', async () => {
  const revoked = await as('revoked');
  await propose({ plan: page('Before it was revoked', 'checkout') }, revoked);
  const card = await workspace.card('Before it was revoked');
  const a2a = await connectA2a(workspace, { token: tokenOf('revoked') });
  const { tasks } = await a2a.listTasks(ListTasksRequest.fromJSON({}));
  const followed = heard(a2a.resubscribeTask({ tenant: '', id: tasks[0]?.id ?? '' }));
  const { revoked: _gone, ...rest } = others;
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', config(rest));
  await workspace.until(
    () => workspace.bot.log().includes('The changed settings are taken over'),
    'the reload',
  );
  await expect(ask(revoked, 'plans')).rejects.toThrow('bad_token');
  await expect(followed).rejects.toThrow('Nothing more is said here');
  await expect(a2a.getTask({ tenant: '', id: tasks[0]?.id ?? '' })).rejects.toThrow(/401|bad_token/);
  expect(await ask(agent, 'plans')).not.toHaveProperty('code');
  await workspace.click('ana', card, 'plan.approve');
  await workspace.becomes(card, /Done/);
});
