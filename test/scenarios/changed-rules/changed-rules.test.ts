/** Why: a card is approved under what it was made of: its tools, its names and the rules about it. Only a change of these voids it. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sandboxConfig } from '../../../sandbox/config.ts';
import { breach, configWith, finish, rows } from '../../support/scenario.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let card: Message;
beforeAll(async () => {
  workspace = await Workspace.start({ config: configWith({}) });
});
afterAll(() => finish(workspace, /cannot be paged/));

const record = z.record(z.string(), z.unknown());
const sections = z
  .looseObject({
    rules: z.array(z.unknown()),
    channels: record,
    projects: record,
    services: record,
    caps: record,
    approval: record,
  })
  .parse(sandboxConfig());

async function restart(sections: Readonly<Record<string, unknown>>): Promise<void> {
  expect(await workspace.bot.stop()).toBe(0);
  await writeFile(workspace.env.COUNTERSIGN_CONFIG ?? '', configWith(sections));
  workspace.bot = await workspace.startAnother();
}

test('an open card cannot be approved after its approvers change, and the clicker learns why', async () => {
  await workspace.plan('ben', breach);
  card = await workspace.card(breach);
  await restart({ rules: [{ approvers: ['U0EVA'] }] });
  for (const as of ['ana', 'eva']) {
    await workspace.click(as, card, 'plan.approve');
    await workspace.whisper(as, 'Changed since this card was made: who may approve it. Ask again');
  }
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
});

test('with the original rules restored, the card can be approved again, also after a restart', async () => {
  await restart({});
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});

test('an open card and a standing approval outlive changes that do not concern their plan', async () => {
  const goal =
    'count = jira.count project=OPS priority=P1 status=open; when count.total > 20: slack.post channel=#ops text="{count.total} open"';
  await workspace.plan('ben', goal);
  const open = await workspace.card('to #ops');
  const { rules, channels, caps, projects, approval } = sections;
  await restart({
    channels: { ...channels, 'new-one': { id: 'C0NEWONE' } },
    projects: { ...projects, NEW: { service: 'ops' } },
    people: { dora: 'U0DORA' },
    rules: [{ tools: ['jira.create'], approvers: ['U0EVA'] }, ...rules],
    caps: { ...caps, questions_per_hour: 999 },
    approval: { ...approval, expires_minutes: 45 },
  });
  await workspace.click('ana', open, 'plan.approve');
  await workspace.reply(open, /^Done/);
});

test('a service that now means another one in PagerDuty voids the card, and the clicker learns which', async () => {
  await workspace.plan('ben', 'pagerduty.page service=payments-api text="Please look"');
  const open = await workspace.card('Page the on-call of payments-api');
  const { services } = sections;
  await restart({ services: { ...services, 'payments-api': { pagerduty: 'PSELSE1' } } });
  await workspace.click('ana', open, 'plan.approve');
  await workspace.whisper('ana', 'Changed since this card was made: service payments-api. Ask again');
});
