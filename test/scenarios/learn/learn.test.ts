/** Why: repeated corrections are reported, and one command prevents the next. Nothing changes by itself. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli } from '../../support/cli.ts';
import { finish } from '../../support/scenario.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-learn-'));
const settings = join(folder, 'countersign.yml');
const playbooks = join(folder, 'playbooks');
let workspace: Workspace;
beforeAll(async () => {
  cpSync('sandbox/countersign.yml', settings);
  cpSync('playbooks', playbooks, { recursive: true });
  workspace = await Workspace.start();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await finish(workspace);
});

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  const env = { ...workspace.env, COUNTERSIGN_CONFIG: settings };
  const { code, text } = await cli(['learn', ...args, '--playbooks', playbooks], { env });
  return { code, text: text.trimEnd() };
}

async function edit(card: Message, values: Readonly<Record<string, { v: string }>>) {
  await workspace.click('ben', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('ben');
  await workspace.sandbox.slack.submitView({ as: 'ben', viewId, values });
}

test('a plan that needed no correction yields no suggestion', async () => {
  await workspace.plan('ben', 'how many open P1 tickets are in OPS');
  await workspace.card(/24 open P1 tickets in OPS/);
  const { code, text } = await run();
  expect(code).toBe(0);
  expect(text).toBe(
    '1 requests with a plan: 0 after a question, 0 edited, 0 rejected\n\nNo suggestions: no word and no playbook would have saved the same correction three times.',
  );
});

test('three people correct the guess for an unknown word', async () => {
  for (const goal of [
    'how many open P1 tickets does the cards team have',
    'count open P1 tickets for the cards team',
    'how many open P1 tickets are there for cards',
  ]) {
    await workspace.plan('ben', goal);
    await edit(await workspace.card(goal), { words: { v: 'use PAY instead' } });
    await workspace.card(new RegExp(`${goal}[\\s\\S]*Changed`));
  }
});

const goal = 'page ops: the quarterly failover drill begins';

test('a plan is replaced by the same edit three times, and a fourth one is rejected', async () => {
  const edited = 'pagerduty.page service=ops text="the quarterly failover drill begins" urgency=low';
  for (let round = 0; round < 3; round += 1) {
    await workspace.plan('ben', goal);
    const card = await workspace.card(/WRITE[\s\S]*drill begins/);
    await edit(card, { plan_text: { v: edited } });
    const changed = await workspace.card(/Changed[\s\S]*urgency/);
    await workspace.click('ana', changed, 'plan.approve');
    await workspace.becomes(changed, /finished/i);
    workspace.resolvePages();
  }
  await workspace.plan('ben', goal);
  const unwanted = await workspace.card(/drill begins[\s\S]*Reject/);
  await workspace.click('eva', unwanted, 'plan.reject');
  const { id: viewId } = await workspace.modal('eva');
  await workspace.sandbox.slack.submitView({
    as: 'eva',
    viewId,
    values: { reason: { v: 'It is being cleaned' } },
  });
  await workspace.becomes(unwanted, 'Rejected');
  expect(workspace.pages()).toHaveLength(3);
});

test('two comments are approved that Jira then refuses', async () => {
  const { store } = workspace.sandbox.jira;
  for (let round = 0; round < 2; round += 1) {
    const { key } = store.create({ project: 'OPS', summary: 'Disk almost full', reporter: store.bot });
    const path = `/rest/api/3/issue/${key}/comment`;
    workspace.sandbox.faults.add({
      vendor: 'jira',
      kind: 'status',
      status: 403,
      match: { method: 'POST', path },
    });
    await workspace.plan('ben', `comment "looked at it" on ${key}`);
    const card = await workspace.card(new RegExp(`comments on ${key}`));
    await workspace.click('ana', card, 'plan.approve');
    await workspace.reply(card, /^Failed/);
    workspace.sandbox.faults.clear();
  }
});

describe('suggestions from all corrections', () => {
  let text: string;
  beforeAll(async () => {
    // The trials keep the process busy for longer than it may leave Slack’s pings unanswered, so the bot stops first.
    expect(await workspace.bot.stop()).toBe(0);
    ({ text } = await run());
  });

  test('a word corrected in three requests is suggested as an alias where it breaks nothing', () => {
    expect(text).toContain(
      '10 requests with a plan: 0 after a question, 6 edited, 1 rejected, 2 with a step that failed',
    );
    expect(text).toContain(
      '“count open P1 tickets for the cards team”, asked 1×\n  1× edited: project of jira.count: OPS → PAY',
    );
    expect(text).toContain('1. Add “cards” to projects.PAY.aliases (3 requests)');
  });

  test('a step that failed is told with its reason, once for each phrase', () => {
    expect(text).toMatch(
      /“comment "looked at it" on OPS-\d+”, asked 1×\n {2}1× failed: jira\.comment: .*Jira/,
    );
  });

  test('a phrase edited the same way three times is suggested as a playbook; a rejection shows its reason', () => {
    expect(text).toContain(
      `“${goal}”, asked 4×\n  3× edited: urgency of pagerduty.page: nothing → low\n  1× rejected: It is being cleaned`,
    );
    expect(text).toContain(`2. Keep the plan of “${goal}” as a playbook (3 requests)`);
    expect(text).not.toContain('\n3. ');
  });

  test('--json prints everything for scripts', async () => {
    const { asked, lessons, suggestions } = JSON.parse((await run('--json')).text);
    expect([asked, lessons[0].edited, lessons[0].rejected, suggestions.length]).toEqual([10, 3, 1, 2]);
  });

  const shown = () => `${settings}\n-     aliases: [payments]\n+     aliases: [payments, cards]`;

  test('a suggestion shows its changed lines, and --dry-run writes nothing', async () => {
    expect((await run('apply', '1', '--dry-run')).text).toBe(shown());
    expect(readFileSync(settings, 'utf8')).toContain('aliases: [payments]\n');
  });

  test('one command applies a suggestion and keeps comments and all other lines', async () => {
    const before = readFileSync(settings, 'utf8');
    expect((await run('apply', '1')).text).toContain(shown());
    expect(readFileSync(settings, 'utf8')).toBe(before.replace('[payments]', '[payments, cards]'));
  });

  test('an applied suggestion is gone, and a suggested playbook is saved as a readable file', async () => {
    expect((await run('apply', '1')).text).toContain('+ name: page-ops-the-quarterly-failover');
    const saved = readFileSync(join(playbooks, 'page-ops-the-quarterly-failover.yml'), 'utf8');
    expect(saved).toMatch(/pagerduty\.page .*service=\{service\} .*urgency=low$/m);
  });

  test('a number is rejected when there are no suggestions left', async () => {
    expect(await run('apply', '1')).toMatchObject({
      ...{ code: 2, text: expect.stringContaining('There is none now') },
    });
  });
});
