/** Why: a question is answered, not approved. One message with the answer first, which survives a crash. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotProcess, startHere } from '../../support/bot.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { actionsOf, type Message, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
let dies: BotProcess;
beforeAll(async () => {
  const spawned = await Workspace.spawn();
  [workspace, dies] = [spawned, spawned.bot];
});
afterAll(() => finish(workspace));

function threadOf(answer: Message): readonly Message[] {
  return workspace.messages().filter(({ threadTs, ts }) => threadTs === answer.ts && ts !== answer.ts);
}

test('the on-call question is answered in one message, name first, without an approval', async () => {
  await workspace.plan('ben', 'who is on call for ops?');
  const answer = await workspace.card('Ana Ruiz is on call for ops');
  expect(wordsOf(answer)).toMatch(/^Ana Ruiz is on call for ops until/);
  expect(answer.text).toMatch(/^Ana Ruiz is on call for ops until/);
  expect(actionsOf(answer.blocks)).toEqual(['plan.again', 'plan.edit']);
  expect(threadOf(answer)).toEqual([]);
  expect(await rows(workspace, 'select mode, state, outcome from runs')).toEqual([
    { mode: 'read', state: 'finished', outcome: 'done' },
  ]);
  expect(await rows(workspace, 'select * from grants')).toEqual([]);
  const lines = await rows(workspace, 'select kind, actor from audit order by seq');
  expect(lines).toEqual([
    { kind: 'revision.proposed', actor: 'U0BEN' },
    { kind: 'run.started', actor: 'system' },
    { kind: 'run.finished', actor: 'system' },
    { kind: 'revision.answered', actor: 'system' },
  ]);
});

test('the same in a direct message', async () => {
  const id = workspace.person('dev');
  const { slack } = workspace.sandbox;
  await slack.openHome({ as: 'dev' });
  await slack.postAs({ as: 'dev', channel: `D${id.slice(1)}`, text: 'pagerduty.oncall service=ops' });
  await workspace.card('Ana Ruiz is on call for ops', id);
});

test('every full member can run again or edit with one tap', async () => {
  await workspace.plan('ben', 'jira.count project=PAY priority=P1 status=open');
  const first = await workspace.card('3 open P1 tickets in PAY.');
  await workspace.click('eva', first, 'plan.again');
  await workspace.until(
    () => workspace.messages().filter((m) => wordsOf(m).includes('3 open P1 tickets in PAY.')).length === 2,
    'the second answer',
  );
  await workspace.click('dev', first, 'plan.edit');
  const { id: viewId } = await workspace.modal('dev');
  const values = { 'arg:count:priority': { v: 'P2' } };
  expect(
    (await workspace.sandbox.slack.submitView({ as: 'dev', viewId, values })).fieldErrors,
  ).toBeUndefined();
  const edited = await workspace.card(/open P2 tickets in PAY\./);
  expect(wordsOf(edited)).toContain('Changed:');
});

test('a failed read is reported as unknown, never as zero', async () => {
  const broken = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'status', status: 401 });
  await workspace.plan('ben', 'jira.count project=OPS priority=P3 status=open');
  const answer = await workspace.card('Couldn’t find out');
  workspace.sandbox.faults.remove(broken);
  expect(wordsOf(answer)).toMatch(
    /Couldn’t find out: {2}Count open P3 tickets in OPS\. .*token is not valid/,
  );
  expect(wordsOf(answer)).not.toMatch(/\b0 open/);
  await workspace.click('ben', answer, 'plan.again');
  await workspace.card(/\d+ open P3 tickets in OPS\./);
});

test('a slow answer is announced as being worked on, and then arrives', async () => {
  const slow = workspace.sandbox.faults.add({ vendor: 'jira', kind: 'delay' });
  await workspace.plan('eva', 'jira.count project=WEB priority=P1 status=open');
  await workspace.whisper('eva', 'Working on it.');
  workspace.sandbox.faults.remove(slow);
  await workspace.card(/open P1 tickets? in WEB\./);
});

test('a read started by a dead process is finished by the next one, with one answer', async () => {
  const { faults, journal } = workspace.sandbox;
  journal.clear();
  const hang = faults.add({ vendor: 'jira', kind: 'hang' });
  await workspace.plan('ben', 'jira.count project=WEB priority=P2 status=open');
  await workspace.until(() => journal.list({ vendor: 'jira' }).length > 0, 'the read');
  await dies.kill();
  faults.remove(hang);
  workspace.bot = await startHere(workspace.sandbox, workspace.env);
  await workspace.card(/open P2 tickets in WEB\./);
  const running = "select id from runs where state = 'running'";
  await until(async () => (await rows(workspace, running)).length === 0);
  expect(workspace.messages().filter((m) => /open P2 tickets in WEB\./.test(wordsOf(m)))).toHaveLength(1);
});
