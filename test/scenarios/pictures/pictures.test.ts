/** Why: a chart shows at a glance whether it gets worse and what took so long; without charts a line of text does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newestPage } from '../../support/pages.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { openTickets } from '../../support/tickets.ts';
import { type Message, Workspace, wordsOf } from '../../support/workspace.ts';

const question =
  'count = jira.count project=OPS priority=P1 status=open\nlimit = sla.threshold project=OPS priority=P1';
const config = () => configWith({ rules: [{ approvers: ['U0ANA'] }], caps: { pages_per_hour: 100 } });

async function ask(workspace: Workspace, text: string): Promise<Message> {
  const before = workspace.messages().length;
  await workspace.plan('ben', text);
  await workspace.until(() => workspace.messages().length > before, 'an answer');
  const newest = workspace.messages().at(-1);
  if (newest === undefined) throw new Error('no answer');
  return newest;
}

/** Moves everything so far back by the given number of days. */
async function daysPass(workspace: Workspace, days: number): Promise<void> {
  await rows(workspace, `update step_results set finished_at = finished_at - interval '${days} days'`);
}

async function grown(workspace: Workspace): Promise<Message> {
  for (let day = 0; day < 3; day += 1) {
    await ask(workspace, question);
    await daysPass(workspace, 1);
    openTickets(workspace, 1);
  }
  return ask(workspace, question);
}

const chartsIn = ({ blocks }: Message) =>
  (blocks as readonly unknown[]).filter((block) =>
    JSON.stringify(block).startsWith('{"type":"data_visualization"'),
  );

describe('in a Slack with charts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await Workspace.start({ config: config() });
  });
  afterAll(() => finish(workspace));

  test('a count with a limit shows a trend after three earlier values, and other counts never do', async () => {
    const first = await ask(workspace, 'jira.count project=OPS priority=P2 status=open');
    expect(chartsIn(first)).toEqual([]);
    const fourth = await grown(workspace);
    const [chart] = chartsIn(fourth);
    expect(chart).toMatchObject({ title: 'open P1 tickets in OPS, limit 20', chart: { type: 'line' } });
    const series = JSON.stringify(chart)
      .match(/"value":\d+/g)
      ?.map((value) => Number(value.slice(8)));
    expect(series).toEqual([24, 25, 26, 27, 20, 20, 20, 20]);
    const second = workspace.messages().filter((m) => m.isBot && wordsOf(m).includes('the SLA allows 20'));
    expect(second.slice(0, 3).map((m) => chartsIn(m).length)).toEqual([0, 0, 0]);
  });

  test("the thread ends with the time each stage took, and /plan show lists the incident's history", async () => {
    await workspace.plan('ben', 'pagerduty.page service=ops text="Disk full"');
    const card = await workspace.card('Disk full');
    await workspace.click('ana', card, 'plan.approve');
    await workspace.becomes(card, /Done/);
    const incident = newestPage(workspace);
    const { store } = workspace.sandbox.pagerduty;
    store.setStatus(incident, 'acknowledged', 'PCHIARA01');
    store.setStatus(incident, 'resolved', 'PCHIARA01');
    const end = await workspace.reply(card, /^Resolved/, 25_000);
    expect(wordsOf(end)).toMatch(
      /Since the question: approved (at once|after).*paged (at once|after).*acknowledged (at once|after).*resolved (at once|after)/,
    );
    expect(chartsIn(end)).toHaveLength(1);
    await workspace.plan('ben', 'show');
    expect(wordsOf(await workspace.whisper('ben', 'After the page'))).toMatch(
      /Acknowledged\s+by Chiara Conti.*Resolved\s+by Chiara Conti/s,
    );
  });
});

test('without chart blocks the trend is a line of text', async () => {
  const workspace = await Workspace.start({
    config: config(),
    sandbox: { unknownBlocks: ['data_visualization'] },
  });
  try {
    const fourth = await grown(workspace);
    expect(chartsIn(fourth)).toEqual([]);
    expect(wordsOf(fourth)).toMatch(/▁▃▆█ 24 → 27 since .*, limit 20/);
  } finally {
    await finish(workspace);
  }
});
