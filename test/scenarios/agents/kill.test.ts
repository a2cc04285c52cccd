/** Why: what was acknowledged to an agent becomes a card, whatever happens to the process in the next moment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
import { connectA2a, heard, sendTask, stateOf } from '../../support/a2a.ts';
import { agentsConfig, ask, connectAgent } from '../../support/agents.ts';
import { startHere } from '../../support/bot.ts';
import { freePort } from '../../support/port.ts';
import { finish } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
const plan = (words: string) => `pagerduty.page service=checkout text="${words}"`;
/** While it is planned, or while its card hangs in Slack. */
const faults: Readonly<Record<string, Fault>> = {
  Planning: { vendor: 'pagerduty-rest', match: { path: '/oncalls' }, kind: 'hang', times: 1 },
  Posting: { vendor: 'slack', match: { path: '/api/chat.postMessage' }, kind: 'hang', times: 1 },
};
const acknowledged: Record<string, string | undefined> = {};
let task = '';
let question = '';
let cut: Promise<string[]>;

beforeAll(async () => {
  const spawned = await Workspace.spawn({
    config: agentsConfig({}, { rules: [{ approvers: ['U0BEN'] }] }),
    env: { PORT: String(await freePort()) },
  });
  workspace = spawned;
  const { sandbox } = workspace;
  const agent = await connectAgent(workspace);
  for (const [words, fault] of Object.entries(faults)) {
    const filter = { vendor: fault.vendor, path: fault.match?.path ?? '' };
    const before = sandbox.journal.list(filter).length;
    sandbox.faults.add(fault);
    const { id } = await ask(agent, 'propose', { key: words, plan: plan(words) });
    acknowledged[words] = id;
    await workspace.until(() => sandbox.journal.list(filter).length > before, `a request to ${filter.path}`);
  }
  const a2a = await connectA2a(workspace);
  task = (await sendTask(a2a, 'task', { plan: plan('Task') })).id;
  await workspace.card('Task');
  const asked = await sendTask(a2a, 'asked', 'comment on the ticket that "It was asked before"');
  question = asked.id;
  cut = heard(a2a.resubscribeTask({ tenant: '', id: task })).catch(() => ['cut']);
  await spawned.bot.kill();
  await agent.close();
  sandbox.faults.clear();
  workspace.bot = await startHere(sandbox, workspace.env);
});
afterAll(() => finish(workspace));

test('after a kill each acknowledged proposal has one card, and the same key is still the same proposal', async () => {
  for (const words of Object.keys(faults)) await workspace.card(words, 'ops', 25_000);
  const agent = await connectAgent(workspace);
  for (const words of Object.keys(faults)) {
    const again = await ask(agent, 'propose', { key: words, plan: plan(words) });
    expect(again).toMatchObject({ id: acknowledged[words], state: 'waiting' });
    const cards = workspace.messages('ops').filter((card) => wordsOf(card).includes(`text=${words}`));
    expect(cards).toHaveLength(1);
  }
  await agent.close();
});

test('after a kill a task is the same task: it is followed to its end, and a question can still be answered', async () => {
  expect((await cut).at(-1)).toMatch(/cut|WORKING/);
  const a2a = await connectA2a(workspace);
  const said = heard(a2a.resubscribeTask({ tenant: '', id: task }));
  await workspace.click('ben', await workspace.card('Task'), 'plan.approve');
  expect((await said).at(-1)).toBe('statusUpdate TASK_STATE_COMPLETED');
  const open = await a2a.getTask({ tenant: '', id: question });
  expect(stateOf(open)).toBe('TASK_STATE_INPUT_REQUIRED');
  await sendTask(a2a, 'answer', 'OPS-5', { taskId: question });
  await workspace.card('It was asked before');
});
