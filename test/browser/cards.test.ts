import { App, LogLevel } from '@slack/bolt';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/start.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { button, card, form, progress } from './card-blocks.ts';

let browser: Browser;
let sandbox: Sandbox;
let app: App;
/** The actions that reached the app, in order. */
let heard: string[] = [];
let entered: unknown;

beforeAll(async () => {
  [browser, sandbox] = await Promise.all([launchBrowser(), startSandbox()]);
  app = new App({
    token: sandbox.env.SLACK_BOT_TOKEN ?? '',
    appToken: sandbox.env.SLACK_APP_TOKEN ?? '',
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: sandbox.env.SLACK_API_URL ?? '' },
  });
  listen();
  await app.start();
});

afterAll(async () => {
  await browser.close();
  await app.stop();
  await sandbox.close();
});

test('a card asks for confirmation, its menus select, and progress shows in place', async () => {
  heard = [];
  const posted = await app.client.chat.postMessage({ channel: 'C0OPS', text: 'Plan', blocks: card() });
  const { page, problems } = await openPage(browser, sandbox.controlUrl);
  const log = page.getByRole('log', { name: 'Messages in #ops' });
  await log.getByRole('heading', { name: 'Check OPS' }).waitFor();
  expect(await log.getByRole('table').textContent()).toMatch(/P1\s*24/);
  expect(await log.textContent()).toContain('Literal: <!channel> <@U0ANA>');
  expect(await log.locator('[data-mention]').allTextContents()).toEqual(['@sre']);

  await log.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run this plan?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(heard).toEqual([]);
  await log.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByRole('button', { name: 'Yes, run it' }).click();
  await expect.poll(() => heard).toEqual(['approve rev-1 U0ANA']);
  await log.getByRole('button', { name: /^More options/ }).click();
  await page.getByRole('menuitem', { name: 'PAY' }).click();
  await log.getByRole('combobox', { name: 'Pick a project' }).selectOption('WEB');
  await expect.poll(() => heard.slice(1)).toEqual(['overflow PAY', 'select WEB']);

  await app.client.chat.update({ channel: 'C0OPS', ts: posted.ts ?? '', text: 'Run', blocks: [progress()] });
  const plan = log.getByRole('region', { name: 'Checking OPS' });
  await plan.getByText('1 of 2 done').waitFor();
  expect(
    await plan.getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
  ).toEqual(['complete', 'in progress']);
  expect(await plan.textContent()).toContain('24 open');
  expect(problems).toEqual([]);
});

test('a modal has every kind of input, shows errors, and keeps what was typed', async () => {
  heard = [];
  await app.client.chat.postMessage({
    channel: 'C0INCIDENTS',
    text: 'Plan',
    blocks: [button('edit', 'Edit')],
  });
  const { page, problems } = await openPage(browser, `${sandbox.controlUrl}/?channel=C0INCIDENTS`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const modal = page.getByRole('dialog', { name: 'Edit the plan' });
  await modal.getByRole('textbox', { name: 'Threshold' }).fill('');
  await modal.getByRole('button', { name: 'Save' }).click();
  await modal.getByText('Please complete this required field.').first().waitFor();
  expect(heard).toEqual(['edit']);

  await modal.getByRole('textbox', { name: 'Threshold' }).fill('13');
  await modal.getByRole('textbox', { name: 'Note' }).fill('two\nlines');
  await modal.getByRole('combobox', { name: 'Project', exact: true }).selectOption('PAY');
  await modal.getByRole('group', { name: 'Flags' }).getByRole('checkbox', { name: 'PAY' }).check();
  await modal.getByRole('button', { name: 'Save' }).click();
  await modal.getByRole('alert').getByText('13 brings bad luck').waitFor();
  expect(await modal.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('two\nlines');
  await modal.getByRole('textbox', { name: 'Threshold' }).fill('20');
  await modal.getByRole('button', { name: 'Save' }).click();
  await modal.waitFor({ state: 'detached' });
  expect(entered).toMatchObject({
    threshold: { v: { value: '20' } },
    note: { v: { value: 'two\nlines' } },
    project: { v: { selected_option: { value: 'PAY' } } },
    flags: { v: { selected_options: [{ value: 'PAY' }] } },
  });

  await page.getByRole('button', { name: 'Edit' }).click();
  await modal.waitFor();
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  expect(sandbox.slack.state('U0ANA').views.U0ANA ?? []).toEqual([]);
  expect(problems).toEqual([]);
});

test('a command reaches the app with its text, and the home tab shows what the app publishes', async () => {
  heard = [];
  const { page, problems } = await openPage(browser, `${sandbox.controlUrl}/?as=U0BEN`);
  const box = page.getByRole('textbox', { name: 'Message to #ops' });
  await box.fill('/plan Check <OPS> & tell me');
  await box.press('Enter');
  await page.getByText('Planning for you').waitFor();
  expect(heard).toEqual(['/plan Check &lt;OPS&gt; &amp; tell me']);
  await expect.poll(() => box.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Home' }).click();
  await page.getByRole('button', { name: 'Plan something' }).click();
  await expect.poll(() => heard.at(-1)).toBe('home U0BEN');
  expect(problems).toEqual([]);
});

/** A small Bolt app that behaves like a bot. */
function listen(): void {
  app.action('approve', async ({ ack, action, body }) => {
    await ack();
    heard.push(`approve ${'value' in action ? action.value : ''} ${body.user.id}`);
  });
  for (const name of ['overflow', 'select']) {
    app.action(name, async ({ ack, action }) => {
      await ack();
      heard.push(`${name} ${'selected_option' in action ? action.selected_option?.value : ''}`);
    });
  }
  app.action('edit', async ({ ack, body, client }) => {
    await ack();
    heard.push('edit');
    if ('trigger_id' in body) await client.views.open({ trigger_id: body.trigger_id, view: form() });
  });
  app.view('form', async ({ ack, view }) => {
    entered = view.state.values;
    if (view.state.values.threshold?.v?.value !== '13') return ack();
    return ack({ response_action: 'errors', errors: { threshold: '13 brings bad luck' } });
  });
  app.command('/plan', async ({ ack, command }) => {
    heard.push(`/plan ${command.text}`);
    await ack({ response_type: 'ephemeral', text: 'Planning for you' });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    const view = { type: 'home' as const, blocks: [button('home', 'Plan something')] };
    await client.views.publish({ user_id: event.user, view });
  });
  app.action('home', async ({ ack, body }) => {
    await ack();
    heard.push(`home ${body.user.id}`);
  });
}
