/** Why: what was acknowledged to an agent becomes a card, whatever happens to the process in the next moment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/faults.ts';
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

beforeAll(async () => {
  const spawned = await Workspace.spawn({ config: agentsConfig(), env: { PORT: String(await freePort()) } });
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
