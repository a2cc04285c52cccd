/** Why: agents that speak A2A get the same as those that speak MCP: they propose tasks, people decide, and the task says how it ended. */
import { type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectA2a, heard, messageOf, saidBy, sendTask, stateOf } from '../../support/a2a.ts';
import { agentsConfig, ask, connectAgent } from '../../support/agents.ts';
import { freePort } from '../../support/port.ts';
import { finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let agent: Client;
beforeAll(async () => {
  const sections = { rules: [{ approvers: ['U0ANA', 'U0BEN'] }], caps: { pages_per_hour: 100 } };
  workspace = await Workspace.start({
    config: agentsConfig({ per_hour: 200, waiting: 50 }, sections),
    env: { PORT: String(await freePort()) },
  });
  agent = await connectA2a(workspace);
});
afterEach(() => workspace.resolvePages());
afterAll(() => finish(workspace));

const page = (text: string) => `pagerduty.page service=ops text="${text}"`;
const outcomeOf = ({ artifacts }: Task) => {
  const content = artifacts[0]?.parts[0]?.content;
  return content?.$case === 'data' ? content.value : null;
};

test('the card says to anybody what can be asked for, where, and in which versions', async () => {
  const at = `http://127.0.0.1:${workspace.env.PORT}`;
  const card = await agent.getAgentCard();
  expect(card.skills.map(({ id }) => id)).toEqual(['create_plan', 'optimize_plan']);
  expect(card.supportedInterfaces.map((one) => [one.url, one.protocolBinding, one.protocolVersion])).toEqual([
    [`${at}/a2a`, 'JSONRPC', '1.0'],
    [`${at}/a2a/v1`, 'HTTP+JSON', '1.0'],
    [`${at}/a2a`, 'JSONRPC', '0.3'],
  ]);
  expect(JSON.stringify(card.capabilities?.extensions)).toContain('jira.count');
  const open = await (await fetch(`${at}/.well-known/agent-card.json`)).json();
  expect(open).toMatchObject({
    ...{ protocolVersion: '0.3', url: `${at}/a2a`, preferredTransport: 'JSONRPC' },
    supportedInterfaces: [{ protocolVersion: '1.0' }, {}, {}],
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  });
  expect(JSON.stringify(open)).not.toContain('jira.count');
});

describe.each([
  { binding: 'JSONRPC', version: '1.0' },
  { binding: 'HTTP+JSON', version: '1.0' },
  { binding: 'JSONRPC', version: '0.3' },
] as const)('over $binding $version', (speaks) => {
  const words = `Over-${speaks.binding}-${speaks.version}`;

  test('a plan is a card, and its task is followed until the run that a person approved has ended', async () => {
    const client = await connectA2a(workspace, speaks);
    const stream = client.sendMessageStream(messageOf(words, { plan: page(words), why: 'Errors rise' }));
    const said = heard(stream);
    const card = await workspace.card(words);
    expect(wordsOf(card)).toMatch(/Proposed by\s+bits-ai.*Errors rise/s);
    await workspace.click('ben', card, 'plan.approve');
    await workspace.becomes(card, /Done/);
    const all = await said;
    expect(all[0]).toBe('task TASK_STATE_WORKING');
    expect(all.slice(-2)).toEqual(['artifactUpdate', 'statusUpdate TASK_STATE_COMPLETED']);
    const task = await sendTask(client, words, { plan: page(words), why: 'Errors rise' });
    expect(stateOf(task)).toBe('TASK_STATE_COMPLETED');
    expect(outcomeOf(task)).toMatchObject({ state: 'done', decided: { by: 'U0BEN' } });
    expect(workspace.messages('ops').filter((one) => wordsOf(one).includes(`text=${words}`))).toHaveLength(1);
  });

  test('a question is input that the task requires, and the answer leads to the card', async () => {
    const client = await connectA2a(workspace, speaks);
    const asked = await sendTask(client, `${words}-asks`, `comment on the ticket that "${words} is known"`);
    expect([stateOf(asked), saidBy(asked)]).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      expect.stringContaining('?'),
    ]);
    const answer = [`${words}-answers`, 'OPS-5', { taskId: asked.id, contextId: asked.contextId }] as const;
    expect(stateOf(await sendTask(client, ...answer))).toBe('TASK_STATE_WORKING');
    expect(wordsOf(await workspace.card(`${words} is known`))).toContain('OPS-5');
    const again = await sendTask(client, ...answer);
    expect([again.id, stateOf(again)]).toEqual([asked.id, 'TASK_STATE_WORKING']);
    expect(again.history.map(({ role, parts }) => [role, parts.length])).toEqual([
      [1, 1],
      [2, 1],
      [1, 1],
    ]);
    await expect(sendTask(client, 'late', 'OPS-6', { taskId: asked.id })).rejects.toThrow('no_question');
  });

  test('a plan is given back at once with what it shares and what runs at once, and is no task', async () => {
    const client = await connectA2a(workspace, speaks);
    const plan = 'a = jira.count project=OPS\nb = jira.count project=OPS\nc = jira.count project=PAY';
    const before = await rows(workspace, 'select count(*) as n from requests');
    const answer = await client.sendMessage(messageOf('optimise', { skill: 'optimize_plan', plan }));
    expect(JSON.stringify(answer)).toContain('"shared":["b"],"groups":[["a","c"]]');
    expect(await rows(workspace, 'select count(*) as n from requests')).toEqual(before);
  });
});

test('a person who rejects the card rejects the task, with the reason', async () => {
  const task = await sendTask(agent, 'rejected', { plan: page('Not needed') });
  const card = await workspace.card('Not needed');
  const waiting = await agent.getTask({ tenant: '', id: task.id });
  expect(saidBy(waiting)).toMatch(/People decide about it in Slack: https.* until/);
  await workspace.click('ana', card, 'plan.reject');
  const { id: viewId } = await workspace.modal('ana');
  await workspace.sandbox.slack.submitView({ as: 'ana', viewId, values: { reason: { v: 'Wrong service' } } });
  await workspace.becomes(card, /Rejected/);
  const after = await agent.getTask({ tenant: '', id: task.id });
  expect(stateOf(after)).toBe('TASK_STATE_REJECTED');
  expect(outcomeOf(after)).toMatchObject({ decided: { by: 'U0ANA', reason: 'Wrong service' } });
});

test('an agent lists its own tasks by what belongs together, page by page, whichever door they came through', async () => {
  const mcp = await connectAgent(workspace);
  const { id } = await ask(mcp, 'propose', { key: 'mcp', plan: page('Through MCP'), group: 'incident-7' });
  await mcp.close();
  const other = await sendTask(agent, 'together', { plan: page('Through A2A') }, { contextId: 'incident-7' });
  const of = { tenant: '', contextId: 'incident-7', status: TaskState.TASK_STATE_UNSPECIFIED };
  const list = (pageToken: string) =>
    agent.listTasks({ ...of, pageSize: 1, pageToken, statusTimestampAfter: undefined });
  const first = await list('');
  const second = await list(first.nextPageToken);
  expect([first, second].map(({ tasks }) => tasks.map((task) => task.id))).toEqual([[other.id], [id]]);
  expect([first.totalSize, second.nextPageToken]).toEqual([2, '']);
});

test('following a task does not keep the process from stopping, and the stream says that it has ended', async () => {
  const { id } = await sendTask(agent, 'followed', { plan: page('Followed to the stop') });
  const followed = agent.resubscribeTask({ tenant: '', id });
  expect((await followed.next()).value).toMatchObject({ payload: { $case: 'task' } });
  const [ended] = await Promise.allSettled([heard(followed), workspace.bot.stop()]);
  expect(String(ended.status === 'rejected' && ended.reason)).toContain('Nothing more is said here');
});
