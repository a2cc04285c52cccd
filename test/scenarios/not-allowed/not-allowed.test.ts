/** Why: no write without an approval by somebody who is allowed; a refused person privately learns who is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockText } from '../../support/block-text.ts';
import {
  breach,
  buttonValue,
  clickPayload,
  configWith,
  finish,
  forgedClick,
  rows,
} from '../../support/scenario.ts';
import { actionsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  const rules = [
    { tools: ['pagerduty.page'], approvers: ['S0SRE'] },
    { tools: ['slack.post'], approvers: [] },
  ];
  const approval = { four_eyes: true, expires_minutes: 30 };
  workspace = await Workspace.start({ config: configWith({ rules, approval }) });
});
afterAll(() => finish(workspace));

async function nothingHappened(): Promise<void> {
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
  expect(await rows(workspace, "select number from revisions where state = 'approved'")).toEqual([]);
  expect(workspace.pages()).toEqual([]);
}

/** Clicks within one second share a lookup. */
function nextSecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_100));
}

test('a click is refused when the approvers cannot be looked up', async () => {
  const goal = 'if OPS has more than 2 open P1 tickets, page ops';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  const match = { path: '/api/usergroups.users.list' };
  const fault = workspace.sandbox.faults.add({ vendor: 'slack', kind: 'status', status: 500, match });
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.whisper('chiara', 'I could not look up who may do this');
  await nothingHappened();
  workspace.sandbox.faults.remove(fault);
});

test('a person just removed from the approvers is refused at once', async () => {
  const goal = 'if OPS has more than 3 open P1 tickets, page ops';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  await workspace.sandbox.slack.openHome({ as: 'chiara' });
  await workspace.home(workspace.person('chiara'));
  const match = { path: '/api/usergroups.users.list' };
  const body = { ok: true, users: [workspace.person('ana')] };
  const group = workspace.sandbox.faults.add({ vendor: 'slack', kind: 'status', status: 200, body, match });
  await nextSecond();
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.whisper('chiara', 'You cannot approve this one.');
  await nothingHappened();
  workspace.sandbox.faults.remove(group);
  await nextSecond();
});

test('a person who is not an approver privately learns who is, and the card stays open', async () => {
  await workspace.plan('ana', breach);
  const card = await workspace.card(breach);
  await workspace.click('eva', card, 'plan.approve');
  const word = await workspace.whisper('eva', 'You cannot approve this one.');
  expect(wordsOf(word)).toContain('“Page the on-call of ops” may be approved by');
  expect(blockText(word.blocks)).toContain('@S0SRE');
  expect(actionsOf((await workspace.becomes(card, breach)).blocks)).toContain('plan.approve');
  expect(workspace.messages('ops').filter((message) => message.threadTs === card.ts)).toEqual([]);
  await nothingHappened();
});

test('under four eyes, neither the requester nor an editor can approve', async () => {
  const first = await workspace.card(breach);
  await workspace.click('ana', first, 'plan.approve');
  await workspace.whisper('ana', 'You asked for it or edited it, so someone else has to approve it');

  await workspace.click('chiara', first, 'plan.edit');
  const { id: viewId } = await workspace.modal('chiara');
  const values = { 'if:page:to': { v: '21' } };
  await workspace.sandbox.slack.submitView({ as: 'chiara', viewId, values });
  const second = await workspace.card('Changed:');
  for (const author of ['ana', 'chiara']) {
    await workspace.click(author, second, 'plan.approve');
    await workspace.whisper(author, 'You asked for it or edited it');
  }
  await nothingHappened();
});

test("a person from another workspace can do nothing, even with an approver's id", async () => {
  const message = await workspace.card('Changed:');
  for (const actionId of ['plan.approve', 'plan.edit', 'plan.reject', 'plan.dry_run', 'plan.cancel']) {
    const value = buttonValue(message, 'plan.approve') ?? '';
    const payload = clickPayload(workspace, { as: 'chiara', message, actionId, value });
    const stranger = { ...payload, team: { id: 'T0OTHER' }, user: { id: 'U0CHIARA', team_id: 'T0OTHER' } };
    await workspace.sandbox.slack.deliver({ type: 'interactive', payload: stranger });
  }
  const refused = (m: { text: string }) => m.text.includes('Only full members of this workspace can');
  const heard = () => workspace.messages('ops', 'U0CHIARA').filter(refused).length;
  await workspace.until(() => heard() === 5, 'five refusals');
  await nothingHappened();
});

test('each refusal is audited once, however often the click is repeated', async () => {
  const card = await workspace.card('Changed:');
  const before = await refusals();
  const eva = workspace.person('eva');
  for (let count = 0; count < 3; count += 1) await workspace.click('eva', card, 'plan.approve');
  const heard = () =>
    workspace.messages('ops', eva).filter((m) => m.ephemeralFor === eva && /cannot approve/.test(wordsOf(m)));
  await workspace.until(() => heard().length === 4, 'three more refusals');
  const after = await refusals();
  expect(after.slice(before.length)).toEqual(['U0EVA 2 not_an_approver']);
  // Simultaneous clicks are recorded in any order.
  expect(before.toSorted()).toEqual([
    'U0ANA 1 four_eyes',
    'U0ANA 2 four_eyes',
    'U0CHIARA 1 cannot_tell',
    'U0CHIARA 1 not_an_approver',
    'U0CHIARA 2 external',
    'U0CHIARA 2 four_eyes',
    'U0EVA 1 not_an_approver',
  ]);
});

async function refusals(): Promise<string[]> {
  const found = await rows(workspace, "select * from audit where kind = 'click.refused' order by seq");
  return found.map(({ actor, subject, data }) => {
    const { reason } = JSON.parse(String(data));
    return `${actor} ${String(subject).split('/')[1]} ${reason}`;
  });
}

test('with an empty list of approvers nobody can approve', async () => {
  const goal = 'post "the deploy is done" to #incidents';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  expect(actionsOf(card)).not.toContain('plan.approve');
  const value = buttonValue(card, 'plan.edit') ?? '';
  await forgedClick(workspace, { as: 'ana', message: card, actionId: 'plan.approve', value });
  await workspace.whisper('ana', 'Nobody may approve this.');
  await nothingHappened();
  expect(workspace.messages('incidents')).toEqual([]);
});

test('a read-only plan is answered for anybody without an approval', async () => {
  await workspace.plan('eva', 'jira.count project=PAY priority=P1 status=open');
  const answer = await workspace.card('3 open P1 tickets in PAY.');
  expect(actionsOf(answer.blocks)).toEqual(['plan.again', 'plan.edit']);
  const value = buttonValue(answer, 'plan.again') ?? '';
  await forgedClick(workspace, { as: 'chiara', message: answer, actionId: 'plan.approve', value });
  await workspace.whisper('chiara', 'There is nothing to decide.');
  await nothingHappened();
});

test('in a shared channel only members of our company can act, from any of its workspaces', async () => {
  const goal = 'how many P2 tickets are open in WEB?';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  const value = buttonValue(card, 'plan.again') ?? '';
  const { faults, slack, world } = workspace.sandbox;
  const clickAs = async (user: Readonly<Record<string, unknown>>, home: string) => {
    const match = { path: '/api/users.info' };
    const fault = faults.add({
      vendor: 'slack',
      kind: 'status',
      status: 200,
      match,
      body: { ok: true, user },
    });
    const id = String(user.id);
    const payload = clickPayload(workspace, { as: 'eva', message: card, actionId: 'plan.again', value });
    const who = { team: { id: home }, user: { id, team_id: home } };
    await slack.deliver({ type: 'interactive', payload: { ...payload, ...who } });
    return fault;
  };
  // Slack marks nobody in a shared channel as a stranger.
  const partner = await clickAs({ id: 'U0DEV', team_id: 'T0THEIRS', is_stranger: false }, 'T0THEIRS');
  await workspace.whisper('dev', 'Only full members of this workspace can');
  const answers = () => workspace.messages().filter((m) => wordsOf(m).includes(goal)).length;
  expect(answers()).toBe(1);
  faults.remove(partner);

  const company = { id: 'W0GRID', enterprise_id: 'E0ACME', teams: ['T0HOME', world.team.id] };
  const colleague = { id: 'W0GRID', team_id: 'T0HOME', enterprise_user: company };
  const looked = await clickAs(colleague, 'T0HOME');
  await workspace.until(() => answers() === 2, 'another answer');
  faults.remove(looked);
});

test('an approver can approve, and then it runs', async () => {
  const card = await workspace.card('if OPS has more than 2 open');
  await workspace.click('chiara', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  expect(workspace.pages()).toHaveLength(1);
});
