import { afterAll, beforeAll, expect, test } from 'vitest';
import { breach, buttonValue, clickPayload, finish, rows } from '../support/scenario.ts';
import { type Message, Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

let forms = 0;

/** A forged form: any metadata, any values, whether or not it was ever shown. */
function forge(as: string, card: Message, metadata: string, values: Record<string, object>) {
  forms += 1;
  const { team, user } = clickPayload(workspace, { as, message: card, actionId: 'x', value: '' });
  const view = {
    id: `V0FORGED${forms}`,
    hash: `${forms}.x`,
    type: 'modal',
    callback_id: 'plan.details.submit',
    private_metadata: metadata,
    state: { values },
  };
  const payload = { type: 'view_submission', team, user, trigger_id: `${Date.now()}.${forms}`, view };
  return workspace.sandbox.slack.deliver({ type: 'interactive', payload });
}

const read = { read_all: { v: { type: 'checkboxes', selected_options: [{ value: 'yes' }] } } };

test('a form without the tick or with changed metadata approves nothing', async () => {
  await workspace.plan('ben', breach);
  const card = await workspace.card(breach);
  const own = buttonValue(card, 'plan.approve') ?? '';
  const unticked = { read_all: { v: { type: 'checkboxes', selected_options: [] } } };
  for (const values of [{}, unticked, { read_all: { v: { type: 'plain_text_input', value: 'yes' } } }]) {
    const outcome = await forge('ana', card, own, values);
    expect(outcome.response).toMatchObject({ response_action: 'errors' });
  }
  await forge(
    'ana',
    card,
    own.replace(/"d":"./, (start) => (start.endsWith('0') ? '"d":"1' : '"d":"0')),
    read,
  );
  await forge('ana', card, own.replace(/"n":1/, '"n":2'), read);
  await forge('ana', card, own.replace(/"r":"./, '"r":"z'), read);
  await forge('ana', card, '{}', read);
  const told = () => workspace.messages('U0ANA', 'U0ANA').filter((message) => message.isBot).length;
  await workspace.until(() => told() === 4, 'a word about each');
  expect(await rows(workspace, "select id from runs where mode = 'run'")).toEqual([]);

  await forge('eva', card, own, read);
  await forge('ana', card, own, read);
  await workspace.reply(card, /^Done/);
  expect(await rows(workspace, 'select approver from grants')).toEqual([{ approver: 'U0ANA' }]);
});
