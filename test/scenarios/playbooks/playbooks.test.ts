/** Why: a vetted plan is the quickest to approve, and a plan that has proved itself becomes one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../../src/core/canonical.ts';
import { finish, rows } from '../../support/scenario.ts';
import { Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('playbooks are listed, called by name, saved from a run, and called again', async () => {
  await workspace.plan('ben', 'list');
  const list = await workspace.whisper('ben', 'sla-breach-check');
  expect(wordsOf(list)).toContain('/plan run sla-breach-check project=… priority=… service=…');

  await workspace.plan('ben', 'run');
  await workspace.plan('ben', 'help');
  const help = await workspace.whisper('ben', 'Type /plan and what you want.');
  expect(wordsOf(help)).toContain('/plan list');
  expect(help.text).toContain('For example: /plan Check open P1');
  await workspace.plan('ben', 'save');
  await workspace.whisper('ben', 'Give it a name');
  expect(await rows(workspace, 'select id from requests')).toEqual([]);

  await workspace.plan('ben', 'save too-early');
  await workspace.whisper('ben', 'nothing to save');

  await workspace.plan('ben', 'run sla-breach-check priority=P1 project=OPS');
  const card = await workspace.card('from a playbook');
  expect(wordsOf(card)).toContain('Assumed');
  expect(wordsOf(card)).toContain('service ops');
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.reply(card, /^Done:/);
  expect(workspace.pages()).toHaveLength(1);

  await workspace.plan('ben', 'save morning-sla');
  expect(wordsOf(await workspace.whisper('ben', 'Saved.'))).toMatch(/Compare open .* tickets/);
  await workspace.plan('ben', 'save morning-sla');
  await workspace.whisper('ben', 'That name is taken');
  expect(await rows(workspace, 'select name, owner from playbooks')).toEqual([
    { name: 'morning-sla', owner: workspace.person('ben') },
  ]);

  await workspace.plan('dev', 'run morning-sla project=PAY service=payments-api');
  const again = await workspace.card(/PAY[\s\S]*payments-api/);
  expect(wordsOf(again)).toContain('from a playbook');
  expect(workspace.pages()).toHaveLength(1);
});

test('the help says first what can be asked here, then the commands', async () => {
  await workspace.plan('ben', 'help');
  const help = wordsOf(await workspace.whisper('ben', 'Type /plan and what you want.'));
  const [asks = '', commands = ''] = help.split('Commands');
  for (const goal of ['how many open P1 tickets are in OPS', 'who is on call for ops', 'failed orders'])
    expect(asks).toContain(`/plan ${goal}`);
  expect(asks).toMatch(/Jira .*PagerDuty .*Slack .*Splunk .*Runbooks /s);
  expect(commands).toContain('/plan stop');
  await workspace.plan('ben', 'who is on call for ops');
  await workspace.card('Ana Ruiz is on call for ops');
});

test('a ready-made plan in the list is filled in and planned by its button', async () => {
  await workspace.plan('eva', 'list');
  const list = await workspace.whisper('eva', 'Ready-made plans.');
  await workspace.click('eva', list, 'playbook.fill_in');
  const form = await workspace.modal('eva');
  expect(JSON.stringify(form)).toContain('Look up who is on call for {service}');
  const values = { 'in:service': { v: 'checkout' }, 'in:project': { v: 'WEB' } };
  await workspace.sandbox.slack.submitView({ as: 'eva', viewId: form.id, values });
  const card = await workspace.card('run alert-evidence');
  expect(wordsOf(card)).toMatch(/on call for checkout/);
});

test('saved playbooks are listed with their owner and removed only by the owner or an operator', async () => {
  const remove = async (as: string) => {
    await workspace.plan(as, 'saved');
    const list = await workspace.whisper(as, /morning-sla[\s\S]*Remove/);
    expect(wordsOf(list)).toContain('/plan run morning-sla');
    await workspace.click(as, list, 'playbook.remove');
  };
  await remove('dev');
  await workspace.whisper('dev', 'You cannot end or change this.');
  expect(await rows(workspace, 'select name from playbooks')).toHaveLength(1);
  const [{ source } = { source: '' }] = await rows(workspace, 'select source from playbooks');
  await remove('ben');
  await workspace.whisper('ben', 'morning-sla is removed.');
  expect(await rows(workspace, 'select name from playbooks')).toEqual([]);
  const [owner, subject, digest] = [workspace.person('ben'), 'playbook:morning-sla', sha256(String(source))];
  expect(
    await rows(
      workspace,
      'select kind, actor, data::jsonb as data from audit where subject = $1 order by seq',
      [subject],
    ),
  ).toEqual([
    { kind: 'playbook.saved', actor: owner, data: { digest } },
    { kind: 'click.refused', actor: workspace.person('dev'), data: expect.anything() },
    { kind: 'playbook.removed', actor: owner, data: { digest, owner } },
  ]);
  await workspace.plan('ben', 'run morning-sla');
  await workspace.card(/There is no playbook “morning-sla”[\s\S]*run morning-report/);
  await workspace.plan('ben', 'saved');
  await workspace.whisper('ben', 'Nobody has saved a playbook yet');
});

test('a plan whose run failed is not saved', async () => {
  const away = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 403 });
  await workspace.plan('eva', 'run sla-breach-check priority=P2 project=OPS', 'incidents');
  const card = await workspace.card('from a playbook', 'incidents');
  expect(wordsOf(card)).toContain('Can’t be approved yet');
  workspace.sandbox.faults.remove(away);
  await workspace.click('dev', card, 'plan.edit');
  const { id: viewId } = await workspace.modal('dev');
  const values = { 'arg:count:priority': { v: 'P1' }, 'arg:sla:priority': { v: 'P1' } };
  await workspace.sandbox.slack.submitView({ as: 'dev', viewId, values });
  const readable = await workspace.card('Changed:', 'incidents');
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 403 });
  await workspace.click('chiara', readable, 'plan.approve');
  await workspace.reply(readable, /^Nobody was paged: /);
  workspace.sandbox.faults.clear();
  await workspace.plan('eva', 'save broken', 'incidents');
  await workspace.whisper('eva', 'did not succeed', 'incidents');
  expect(await rows(workspace, "select 1 from playbooks where name = 'broken'")).toEqual([]);
});
