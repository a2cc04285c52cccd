import { describe, expect, test } from 'vitest';
import { type Fields, fieldsAt } from '../../sandbox/slack/fields.ts';
import type { SlackSandbox } from '../../sandbox/slack/slack-sandbox.ts';
import type { ViewSnapshot } from '../../sandbox/slack/snapshot.ts';
import { boltApp, callApi, startWorkspace } from './slack-workspace.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const section = (text: string) => ({ type: 'section' as const, text: plain(text) });
const modal = (blocks: Fields[], more: Fields = {}): Fields => ({
  type: 'modal',
  callback_id: 'edit',
  title: plain('Edit'),
  submit: plain('Save'),
  blocks,
  ...more,
});
const field = (blockId: string, element: Fields, more: Fields = {}): Fields => ({
  type: 'input',
  block_id: blockId,
  label: plain(blockId),
  element: { action_id: 'value', ...element },
  ...more,
});

/** The trigger of the newest interaction that was delivered. */
function lastTrigger(slack: SlackSandbox): string {
  return String(slack.deliveries.at(-1)?.envelope.payload.trigger_id);
}

function topView(slack: SlackSandbox, user: string): ViewSnapshot {
  const view = slack.state(user).views[user]?.at(-1);
  if (view === undefined) throw new TypeError('no modal is open');
  return view;
}

describe('modals', () => {
  test('a trigger opens one modal, within three seconds', async () => {
    const { slack, advance } = await startWorkspace();
    const open = (trigger: string, view: Fields = modal([section('Hi')], { submit: undefined })) =>
      callApi(slack, 'views.open', { trigger_id: trigger, view });
    await slack.command({ as: 'ben', channel: 'ops', text: 'a' });
    const first = lastTrigger(slack);
    expect(await open(first, modal([]))).toMatchObject({ error: 'invalid_arguments' });
    const opened = await open(first);
    expect(opened).toMatchObject({
      ok: true,
      view: { type: 'modal', callback_id: 'edit', state: { values: {} } },
    });
    expect(await open(first)).toMatchObject({ error: 'exchanged_trigger_id' });
    expect(await open('nonsense')).toMatchObject({ error: 'invalid_trigger_id' });
    expect(await open('1.2.abc')).toMatchObject({ error: 'invalid_trigger_id' });
    await slack.command({ as: 'ben', channel: 'ops', text: 'b' });
    advance(3_001);
    expect(await open(lastTrigger(slack))).toMatchObject({ error: 'expired_trigger_id' });
    expect(slack.state('U0BEN').views.U0BEN).toHaveLength(1);

    const big = modal(
      Array.from({ length: 90 }, () => section('x'.repeat(3_000))),
      { submit: undefined },
    );
    expect(await open(first, big)).toMatchObject({ error: 'view_too_large' });
  });

  test('an update keeps what was entered, and an old hash changes nothing', async () => {
    const { slack } = await startWorkspace();
    await slack.command({ as: 'ben', channel: 'ops', text: 'a' });
    const who = {
      ...{ type: 'static_select', action_id: 'who' },
      options: [{ text: plain('Ana'), value: 'U0ANA' }],
    };
    const blocks = [
      field('limit', { type: 'plain_text_input', initial_value: '20' }),
      { type: 'actions', block_id: 'more', elements: [who] },
    ];
    const view = modal(blocks, { external_id: 'plan-1', private_metadata: 'r1' });
    await callApi(slack, 'views.open', { trigger_id: lastTrigger(slack), view });
    const { id, hash } = topView(slack, 'U0BEN');
    await slack.blockActionInView({ as: 'ben', viewId: id, actionId: 'who', value: 'U0ANA' });
    expect(slack.deliveries.at(-1)?.envelope.payload).toMatchObject({
      type: 'block_actions',
      container: { type: 'view', view_id: id },
      view: { private_metadata: 'r1', state: { values: { limit: { value: { value: '20' } } } } },
      actions: [{ action_id: 'who', selected_option: { value: 'U0ANA' } }],
    });
    const update = (args: Fields) =>
      callApi(slack, 'views.update', { view: { ...view, title: plain('Two') }, ...args });
    expect(await update({})).toMatchObject({ error: 'invalid_arguments' });
    expect(await update({ view_id: 'V0GONE' })).toMatchObject({ error: 'not_found' });
    expect(await update({ view_id: id, hash: '1.abc' })).toMatchObject({ error: 'hash_conflict' });
    const updated = await update({ external_id: 'plan-1', hash });
    expect(updated).toMatchObject({ ok: true, view: { id, title: { text: 'Two' } } });
    expect(fieldsAt(updated, 'view').hash).not.toBe(hash);
    expect(topView(slack, 'U0BEN').values).toMatchObject({
      more: { who: { selected_option: { value: 'U0ANA' } } },
    });

    await slack.command({ as: 'ana', channel: 'ops', text: 'a' });
    expect(await callApi(slack, 'views.open', { trigger_id: lastTrigger(slack), view })).toMatchObject({
      error: 'duplicate_external_id',
    });
  });

  test('a form that Slack’s own client would not submit never reaches the app', async () => {
    const { slack } = await startWorkspace();
    await slack.command({ as: 'ben', channel: 'ops', text: 'a' });
    const options = ['P1', 'P2'].map((value) => ({ text: plain(value), value }));
    const view = modal([
      field('name', { type: 'plain_text_input', min_length: 2, max_length: 4 }),
      field('note', { type: 'plain_text_input' }, { optional: true }),
      field('count', { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' }),
      field('priority', { type: 'static_select', options }),
      field('flags', { type: 'checkboxes', options }, { optional: true }),
    ]);
    await callApi(slack, 'views.open', { trigger_id: lastTrigger(slack), view });
    const viewId = topView(slack, 'U0BEN').id;
    const before = slack.deliveries.length;
    const submit = (values: Record<string, unknown>) =>
      slack.submitView({
        as: 'ben',
        viewId,
        values: Object.fromEntries(Object.entries(values).map(([block, value]) => [block, { value }])),
      });
    expect(await submit({ name: 'x', count: '2.5' })).toMatchObject({
      delivered: false,
      fieldErrors: {
        name: 'Please enter at least 2 characters.',
        count: 'Please enter a whole number.',
        priority: 'Please complete this required field.',
      },
    });
    expect(await submit({ name: 'abcde', count: '10', priority: 'P1' })).toMatchObject({
      fieldErrors: {
        name: 'Please enter fewer than 5 characters.',
        count: 'Please enter a number of at most 9.',
      },
    });
    await expect(submit({ priority: 'P9' })).rejects.toMatchObject({ code: 'unknown_option' });
    await expect(submit({ colour: 'red' })).rejects.toMatchObject({ code: 'unknown_element' });
    expect(slack.deliveries.length).toBe(before);

    const failed = await submit({ name: 'abc', count: '3', flags: ['P2'] });
    expect(failed).toMatchObject({ delivered: true, acknowledged: false, error: 'dispatch_failed' });
    expect(topView(slack, 'U0BEN').notice).toBe('We had some trouble connecting. Try again?');
    expect(slack.deliveries.at(-1)?.envelope.payload).toMatchObject({
      type: 'view_submission',
      view: {
        state: {
          values: {
            note: { value: { type: 'plain_text_input', value: null } },
            count: { value: { type: 'number_input', value: '3' } },
            priority: { value: { selected_option: { value: 'P1' } } },
            flags: { value: { selected_options: [{ value: 'P2' }] } },
          },
        },
      },
    });
  });

  test('the app answers a submission with errors, an update, another modal on top, or the end of all', async () => {
    const { slack } = await startWorkspace();
    const app = boltApp(slack);
    const name = field('name', { type: 'plain_text_input' });
    const closed: unknown[] = [];
    app.command('/plan', async ({ ack, client, body }) => {
      await ack();
      await client.apiCall('views.open', { trigger_id: body.trigger_id, view: modal([name]) });
    });
    app.view('edit', async ({ ack, view }) => {
      const entered = view.state.values.name?.value?.value ?? '';
      const answers: Record<string, () => Promise<void>> = {
        errors: () => ack({ response_action: 'errors', errors: { name: 'Taken' } }),
        stray: () => ack({ response_action: 'errors', errors: { elsewhere: 'Taken' } }),
        update: () =>
          ack({ response_action: 'update', view: { type: 'modal', title: plain('Two'), blocks: [] } }),
        push: () =>
          ack({
            response_action: 'push',
            view: { type: 'modal', title: plain('On top'), blocks: [section('Hi')], notify_on_close: true },
          }),
        clear: () => ack({ response_action: 'clear' }),
      };
      await (answers[entered] ?? (() => ack()))();
    });
    app.view({ type: 'view_closed' }, async ({ ack, body }) => {
      if (body.type === 'view_closed') closed.push(body.is_cleared);
      await ack();
    });
    await app.start();
    const open = async () => {
      await slack.command({ as: 'ben', channel: 'ops', text: 'a' });
      await expect.poll(() => slack.state().views.U0BEN?.length).toBe(1);
      return topView(slack, 'U0BEN').id;
    };
    const viewId = await open();
    const submit = (value: string) => slack.submitView({ as: 'ben', viewId, values: { name: { value } } });

    expect(await submit('errors')).toMatchObject({ acknowledged: true, fieldErrors: { name: 'Taken' } });
    await submit('stray');
    expect(topView(slack, 'U0BEN')).toMatchObject({ errors: {}, notice: expect.stringContaining('trouble') });
    await submit('update');
    expect(topView(slack, 'U0BEN').notice).toContain('invalid_arguments');
    await submit('push');
    const top = topView(slack, 'U0BEN');
    expect(top.definition.title).toMatchObject({ text: 'On top' });
    await expect(submit('clear')).rejects.toMatchObject({ code: 'view_not_on_top' });
    await expect(slack.closeView({ as: 'ana', viewId: top.id })).rejects.toMatchObject({
      code: 'unknown_view',
    });
    expect(await slack.closeView({ as: 'ben', viewId: top.id })).toMatchObject({ acknowledged: true });
    expect(closed).toEqual([false]);
    expect(topView(slack, 'U0BEN').id).toBe(viewId);
    await submit('clear');
    expect(slack.state().views).toEqual({});

    const again = await open();
    await slack.submitView({ as: 'ben', viewId: again, values: { name: { value: 'fine' } } });
    expect(slack.state().views).toEqual({});
  });

  test('at most three modals lie on top of each other, and each push needs a trigger from the one below', async () => {
    const { slack } = await startWorkspace();
    const button = { type: 'button', action_id: 'more', text: plain('More') };
    const view = modal([{ type: 'actions', block_id: 'b', elements: [button] }], { submit: undefined });
    await slack.command({ as: 'ben', channel: 'ops', text: 'a' });
    expect(await callApi(slack, 'views.push', { trigger_id: lastTrigger(slack), view })).toMatchObject({
      error: 'not_found',
    });
    await slack.command({ as: 'ben', channel: 'ops', text: 'a' });
    await callApi(slack, 'views.open', { trigger_id: lastTrigger(slack), view });
    const answers: unknown[] = [];
    for (let level = 0; level < 3; level += 1) {
      const viewId = topView(slack, 'U0BEN').id;
      await slack.blockActionInView({ as: 'ben', viewId, actionId: 'more' });
      const answer = await callApi(slack, 'views.push', { trigger_id: lastTrigger(slack), view });
      answers.push(answer.error ?? answer.ok);
    }
    expect(answers).toEqual([true, true, 'push_limit_reached']);
    const [root, , top] = slack.state().views.U0BEN ?? [];
    expect([root?.id === top?.id, slack.state().views.U0BEN?.length]).toEqual([false, 3]);
  });
});

describe('the home tab', () => {
  test('opening it tells the app, which publishes one home per person', async () => {
    const { slack } = await startWorkspace();
    const app = boltApp(slack);
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({
        user_id: event.user,
        view: { type: 'home', blocks: [section('Your plans')] },
      });
    });
    await app.start();
    expect(await slack.openHome({ as: 'ana' })).toMatchObject({ acknowledged: true });
    await expect
      .poll(() => slack.state('U0ANA').homes.U0ANA?.definition.blocks)
      .toMatchObject([{ type: 'section' }]);
    expect(slack.state('U0BEN').homes).toEqual({});
    const view = { type: 'home', blocks: [section('More')] };
    const publish = (args: Fields) => callApi(slack, 'views.publish', { user_id: 'U0ANA', view, ...args });
    expect(await publish({ hash: '1.abc' })).toMatchObject({ error: 'hash_conflict' });
    expect(await publish({ user_id: 'U0NOBODY' })).toMatchObject({ error: 'user_not_found' });
    expect(await publish({ view: modal([section('a')]) })).toMatchObject({ error: 'invalid_arguments' });
    expect(await publish({})).toMatchObject({ ok: true });
  });
});
