/** Why: a click counts only for the plan that was shown, while it is open. Any other click does nothing and says so. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, buttonValue, finish, forgedClick, rows } from '../../support/scenario.ts';
import { actionsOf, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

async function nothingRan(): Promise<void> {
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);
  expect(workspace.pages()).toEqual([]);
}

test('a forged button value or one from another plan does nothing and is explained', async () => {
  await workspace.plan('ben', 'slack.post channel=#ops text="Something else."');
  const foreign = JSON.parse(buttonValue(await workspace.card('Something else.'), 'plan.approve') ?? '{}');
  await workspace.plan('ben', breach);
  const message = await workspace.card(breach);
  const own = JSON.parse(buttonValue(message, 'plan.approve') ?? '{}');
  const forgeries: Record<string, string> = {
    'a foreign digest': JSON.stringify({ ...own, d: foreign.d }),
    'a digest of zeros': JSON.stringify({ ...own, d: '0'.repeat(64) }),
    'an extra field': JSON.stringify({ ...own, approved: true }),
    'no JSON': 'approve',
    nothing: '',
    'a prototype': `{"__proto__":{"r":"${own.r}"},"n":1,"d":"${own.d}"}`,
    'a revision that is not there': JSON.stringify({ ...own, n: 7 }),
    'a request that is not there': JSON.stringify({ ...own, r: 'no-such-request' }),
    'too much': JSON.stringify({ ...own, s: 'x'.repeat(10_000) }),
  };
  for (const [index, value] of Object.values(forgeries).entries()) {
    await forgedClick(workspace, { as: 'ana', message, actionId: 'plan.approve', value });
    await heard('ana', /Nothing was done/, index + 1);
  }
  await nothingRan();
  expect(actionsOf((await workspace.becomes(message, breach)).blocks)).toContain('plan.approve');
  const noted = await rows(
    workspace,
    "select actor, subject, data::jsonb ->> 'reason' as reason from audit where kind = 'click.refused' order by seq",
  );
  const named = `revision:${own.r}/1`;
  expect(noted).toEqual(
    [
      [named, 'tampered'],
      [named, 'not_ours'],
      ['button', 'not_ours'],
      ['button', 'not_found'],
    ].map(([subject, reason]) => ({ actor: 'U0ANA', subject, reason })),
  );
});

test("a stored plan changed behind the bot's back cannot be approved, and the log says so", async () => {
  const message = await workspace.card(breach);
  const value = buttonValue(message, 'plan.approve') ?? '';
  const { r, n } = JSON.parse(value);
  const swap = (from: string, to: string) =>
    rows(workspace, 'update revisions set bytes = replace(bytes, $1, $2) where request_id = $3', [
      from,
      to,
      r,
    ]);
  await swap('"service":"ops"', '"service":"pay"');
  await forgedClick(workspace, { as: 'ana', message, actionId: 'plan.approve', value });
  await heard('ana', /The stored plan was changed after it was shown/, 1);
  const noted = await rows(workspace, "select actor, subject from audit where kind = 'revision.tampered'");
  expect(noted).toEqual([{ actor: 'U0ANA', subject: `revision:${r}/${n}` }]);
  await swap('"service":"pay"', '"service":"ops"');
  await nothingRan();
});

test('an unknown action is ignored silently', async () => {
  const message = await workspace.card(breach);
  const value = buttonValue(message, 'plan.approve') ?? '';
  const outcome = await forgedClick(workspace, { as: 'ana', message, actionId: 'plan.approve_all', value });
  expect(outcome.acknowledged).toBe(true);
  await nothingRan();
});

test('an expired card says so, and a late click is told', async () => {
  const card = await workspace.card(breach);
  const value = buttonValue(card, 'plan.approve') ?? '';
  await rows(
    workspace,
    "update revisions set expires_at = now() - interval '1 second' where state = 'proposed'",
  );
  const expired = await workspace.becomes(card, 'Expired');
  expect(actionsOf(expired.blocks)).toEqual([]);
  for (const actionId of ['plan.approve', 'plan.dry_run', 'plan.edit']) {
    await forgedClick(workspace, { as: 'chiara', message: card, actionId, value });
  }
  await heard('chiara', /Too late\./, 3);
  await nothingRan();
});

test('a form submitted after the card was decided changes nothing, and the person is told', async () => {
  await workspace.plan('ben', 'slack.post channel=#ops text="Lunch is served."');
  const card = await workspace.card('Lunch is served.');
  await workspace.click('dev', card, 'plan.edit');
  await workspace.click('eva', card, 'plan.reject');
  const [edit, reject] = [await workspace.modal('dev'), await workspace.modal('eva')];
  await workspace.click('ana', card, 'plan.approve');
  await workspace.reply(card, /^Done/);
  const { slack } = workspace.sandbox;
  await slack.submitView({ as: 'dev', viewId: edit.id, values: { words: { v: 'use P2' } } });
  await slack.submitView({ as: 'eva', viewId: reject.id, values: { reason: { v: 'too late, I know' } } });
  for (const as of ['U0DEV', 'U0EVA']) {
    const told = () => workspace.messages(as).some((message) => message.text.includes('Already approved'));
    await workspace.until(told, `a direct message for ${as}`);
  }
  const states = await rows(workspace, 'select number, state from revisions where state = $1', ['approved']);
  expect(states).toEqual([{ number: 1, state: 'approved' }]);
  expect(workspace.pages()).toEqual([]);
});

test('when two people edit the same card, one makes the new revision and the other is told', async () => {
  const goal = 'if OPS has more than 20 open P1 tickets, page ops';
  await workspace.plan('ben', goal);
  const card = await workspace.card(goal);
  const editors = ['dev', 'chiara'];
  for (const as of editors) await workspace.click(as, card, 'plan.edit');
  const forms = await Promise.all(editors.map((as) => workspace.modal(as)));
  await Promise.all(
    editors.map((as, index) =>
      workspace.sandbox.slack.submitView({
        ...{ as, viewId: forms[index]?.id ?? '', values: { 'if:page:to': { v: String(10 + index) } } },
      }),
    ),
  );
  await workspace.card('Changed:');
  const told = /Nothing was changed|This card is old/;
  const heard = () =>
    ['U0DEV', 'U0CHIARA'].flatMap((as) => workspace.messages(as)).filter((m) => told.test(m.text));
  await workspace.until(() => heard().length === 1, 'one of the two to be told');
  const open = await rows(
    workspace,
    'select number, state from revisions order by created_at desc, number desc limit 2',
  );
  expect(open).toEqual([
    { number: 2, state: 'proposed' },
    { number: 1, state: 'superseded' },
  ]);
});

/** Resolves once a person has got the private message `times` times. */
async function heard(as: string, text: RegExp, times: number): Promise<void> {
  const id = workspace.person(as);
  const count = () =>
    workspace.messages('ops', id).filter((m) => m.ephemeralFor === id && text.test(m.text)).length;
  await workspace.until(() => count() >= times, `${as} to hear ${text} ${times} times`);
}
