/** Why: under four eyes, the person woken by a page must not need a second one to take it; the example file says how. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { newestPage, paged } from '../../support/pages.ts';
import { configWith, finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

const ack = 'step.next.pagerduty.ack';
const pages = { name: 'pages', tools: ['pagerduty.page'], approvers: ['U0ANA'], four_eyes: false };

let workspace: Workspace | undefined;
afterEach(() => workspace?.resolvePages());
afterAll(() => finish(workspace));

async function startWith(rules: readonly object[]): Promise<Workspace> {
  await finish(workspace);
  const approval = { four_eyes: true };
  workspace = await Workspace.start({
    config: configWith({ rules, approval, caps: { pages_per_hour: 100 } }),
  });
  return workspace;
}

test("with the example's rule the on-call person acknowledges alone, only for their own service", async () => {
  const example: { rules: { tools?: string[] }[] } = parse(readFileSync('countersign.example.yml', 'utf8'));
  const rule = example.rules.find(({ tools }) => tools?.includes('pagerduty.ack'));
  const here = await startWith([pages, rule ?? {}]);
  const card = await paged(here, 'Disk full');
  // Ben is on call for payments, not for ops.
  await here.click('ben', card, ack);
  const word = await here.whisper('ben', 'You cannot approve this one');
  expect(wordsOf(word)).toContain('whoever is on call for ops');
  expect(newestPage(here).status).toBe('triggered');
  await here.click('ana', card, ack);
  await here.becomes(card, /Acknowledged/);
  expect(newestPage(here).status).toBe('acknowledged');
  const log = await rows(
    here,
    "select actor from audit where kind = 'revision.approved' order by seq desc limit 1",
  );
  expect(log).toEqual([{ actor: here.person('ana') }]);
});

test('without that rule she learns who else can, and the card waits for them', async () => {
  const incidents = { name: 'incidents', services: ['ops'], approvers: ['oncall', 'U0CHIARA'] };
  const here = await startWith([pages, incidents]);
  const card = await paged(here, 'Search is down');
  await here.click('ana', card, ack);
  const word = await here.whisper('ana', 'someone else has to approve it');
  expect(JSON.stringify(word.blocks)).toContain('U0CHIARA');
  expect(wordsOf(word)).not.toContain('on call');
  expect(newestPage(here).status).toBe('triggered');
  await here.click('chiara', await here.reply(card, /Acknowledge incident.*Approvers/s), 'plan.approve');
  await here.becomes(card, /Acknowledged/);
});

test('if nobody else can, the refusal says what to change; a deny rule for a service covers its incidents', async () => {
  const frozen = {
    name: 'freeze',
    services: ['ops'],
    tools: ['pagerduty.resolve'],
    deny: 'An audit is under way.',
  };
  const incidents = {
    name: 'incidents',
    tools: ['pagerduty.ack', 'pagerduty.resolve'],
    approvers: ['oncall'],
  };
  const here = await startWith([pages, frozen, incidents]);
  const card = await paged(here, 'Queue is stuck');
  await here.click('ana', card, ack);
  const word = await here.whisper('ana', 'nobody else is an approver under “incidents”');
  expect(wordsOf(word)).toContain('four_eyes: false');
  await here.click('ana', card, 'step.next.pagerduty.resolve');
  await here.whisper('ana', 'An audit is under way.');
  await here.plan('ben', `policy pagerduty.ack incident=${newestPage(here).id}`);
  const said = await here.whisper('ben', 'Who may approve');
  expect(wordsOf(said)).toContain('whoever is on call for its service');
  expect(newestPage(here).status).toBe('triggered');
});
