import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { Workspace } from '../support/workspace.ts';

const goal = 'Check Jira ticket count, compare with SLA, and notify on-call engineer if breached';

let browser: Browser;
let workspace: Workspace;

beforeAll(async () => {
  [browser, workspace] = await Promise.all([launchBrowser(), Workspace.start()]);
});

afterAll(async () => {
  await browser.close();
  await workspace.stop();
});

test('a new user asks, edits, approves, sees the page, fixes the breach, and nobody is paged again', async () => {
  const { page, problems } = await openPage(browser, `${workspace.sandbox.controlUrl}/?as=U0BEN`);
  await ask(page);
  const first = cards(page).first();
  await showsThePlan(first);

  await first.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit this plan' });
  expect(await form.getByRole('textbox', { name: 'Compared with' }).inputValue()).toBe('sla.max_open');
  await form.getByRole('textbox', { name: 'Compared with' }).fill('22');
  await form.getByRole('button', { name: 'Save as new revision' }).click();
  await form.waitFor({ state: 'detached' });
  await first.getByText('Replaced by revision 2').waitFor();
  expect(await first.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const second = cards(page).nth(1);
  await second.getByText('Changed:').waitFor();
  expect(await second.textContent()).toMatch(
    /only if open P1 tickets in OPS > the SLA limit for P1 in OPS → only if there are more than 22 open P1 tickets in OPS/,
  );

  await actAs(page, 'U0ANA');
  workspace.sandbox.faults.add({ vendor: 'jira', kind: 'delay' });
  await approve(page, second, /Pages Ana Ruiz/);
  const progress = second.locator('.plan');
  await progress.getByRole('img', { name: 'in progress' }).first().waitFor();
  workspace.sandbox.faults.clear();
  await expect.poll(() => marks(progress)).toEqual(['complete', 'complete', 'complete']);
  expect(await progress.textContent()).toContain('Ana Ruiz was paged');
  const thread = await openThread(page, second);
  await thread.getByText(/^Done: .*24 open P1 tickets in OPS.*Ana Ruiz was paged/).waitFor();

  const pages = page.getByRole('region', { name: 'PagerDuty' }).getByRole('list', { name: 'Pages' });
  await pages.getByText('Ana Ruiz: this phone is ringing').waitFor();
  expect(await pages.textContent()).toMatch(/Requested by\s*@ben.*Approved by\s*@ana/);
  await pages.getByRole('link').click();
  await page.getByRole('complementary', { name: 'Thread' }).waitFor();

  await heal(page);
  await actAs(page, 'U0BEN');
  await ask(page);
  const log = page.getByRole('log', { name: 'Messages in #ops' });
  const quiet = log.getByRole('article').filter({ hasText: 'the SLA allows 20: within the SLA.' });
  await quiet.waitFor();
  expect(await quiet.textContent()).toMatch(/18 open P1 tickets in OPS.*Nobody was paged/s);
  expect(await quiet.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const ours = pages.getByRole('listitem').filter({ hasText: 'Requested by' });
  expect(await ours.count()).toBe(1);
  expect(workspace.pages()).toHaveLength(1);
  expect(problems).toEqual([]);
});

function cards(page: Page): Locator {
  return page
    .getByRole('log', { name: 'Messages in #ops' })
    .getByRole('article', { name: /^Countersign/ })
    .filter({ has: page.getByRole('heading') });
}

async function ask(page: Page): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message to #ops' });
  await box.fill(`/plan ${goal}`);
  await box.press('Enter');
}

/** The facts that must be visible before an approval: the steps, the condition, who is paged, and the guesses. */
async function showsThePlan(card: Locator): Promise<void> {
  await card.getByRole('button', { name: 'Approve' }).waitFor();
  const text = await card.textContent();
  for (const words of [
    'Ben Okafor asked',
    'Count open P1 tickets in OPS',
    'Look up the SLA limit for P1 in OPS',
    'only if open P1 tickets in OPS > the SLA limit for P1 in OPS',
    'pages Ana Ruiz, on call for ops until',
    'Assumed: project OPS, priority P1',
    'Approvers: @sre or whoever is on call for ops',
  ]) {
    expect(text).toContain(words);
  }
}

async function actAs(page: Page, user: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Act as' }).selectOption(user);
}

async function approve(page: Page, card: Locator, warning: RegExp): Promise<void> {
  await card.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve and run this?' });
  expect(await dialog.textContent()).toMatch(warning);
  await dialog.getByRole('button', { name: 'Approve and run' }).click();
}

function marks(progress: Locator): Promise<(string | null)[]> {
  return progress.getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
}

async function openThread(page: Page, card: Locator): Promise<Locator> {
  await card.getByRole('button', { name: /^\d+ repl/ }).click();
  return page.getByRole('complementary', { name: 'Thread' });
}

/** Closes issues in the Jira pane until the SLA holds again. */
async function heal(page: Page): Promise<void> {
  const jira = page.getByRole('region', { name: 'Jira' });
  await jira.getByText('Close many').click();
  await jira.getByRole('spinbutton', { name: 'Open P1 issues to keep in OPS' }).fill('18');
  await jira.getByRole('button', { name: 'Close the others' }).click();
  await jira.getByText('18 open P1 issues in OPS').waitFor();
}
