import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoConfig } from '../../sandbox/config.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { freePort } from '../support/port.ts';
import { finish } from '../support/scenario.ts';
import { Workspace } from '../support/workspace.ts';

let browser: Browser;
let workspace: Workspace;

beforeAll(async () => {
  const port = await freePort();
  [browser, workspace] = await Promise.all([
    launchBrowser(),
    Workspace.start({
      sandbox: {
        isLive: true,
        databaseServer: inject('postgresUrl'),
        alertsUrl: `http://127.0.0.1:${port}/alerts/monitoring`,
      },
      config: demoConfig(),
      env: { PORT: String(port) },
    }),
  ]);
});

afterAll(async () => {
  await browser.close();
  await finish(workspace);
});

test('the demo plays by buttons alone: alert, evidence, cause, fix, helped, review', async () => {
  const { page, problems } = await openPage(browser, `${workspace.sandbox.controlUrl}/?as=U0BEN`);
  const monitoring = page.getByRole('region', { name: 'Monitoring' });
  await monitoring.getByRole('button', { name: 'Fire CheckoutSlow' }).click();
  await monitoring.getByText('firing since').waitFor();
  const alert = messages(page).filter({ hasText: 'Firing: CheckoutSlow · checkout' });
  await alert.getByText('A deploy made the connection pool of checkout too small.').waitFor();
  expect(await alert.textContent()).toMatch(/Supported: .*\d+ > 20 and 1 > 0/s);

  await alert.getByRole('button', { name: 'Propose the fix' }).click();
  await alert.getByRole('button', { name: /^\d+ repl/ }).click();
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await thread.getByText('Roll back checkout').first().waitFor();
  expect(await thread.textContent()).toMatch(/only if .*connection pool exhausted/);
  await page.getByRole('combobox', { name: 'Act as' }).selectOption('U0CHIARA');
  await thread.getByRole('button', { name: 'Approve' }).click();
  await page
    .getByRole('dialog', { name: 'Approve and run this?' })
    .getByRole('button', { name: 'Approve and run' })
    .click();
  await thread.getByText(/^Helped:/).waitFor({ timeout: 100_000 });

  await monitoring.getByRole('button', { name: 'Resolve CheckoutSlow' }).click();
  const over = messages(page).filter({ hasText: 'Over: CheckoutSlow' });
  await over.getByRole('button', { name: 'Review #1' }).click();
  const review = page.getByRole('article').filter({ hasText: 'Only visible to you' });
  await review.getByText('Timeline').waitFor();
  expect(await review.textContent()).toMatch(/CheckoutSlow.*Roll back.*Approved by.*Helped/s);
  expect(problems).toEqual([]);
}, 150_000);

function messages(page: Page): Locator {
  return page.getByRole('log', { name: 'Messages in #ops' }).getByRole('article', { name: /^Countersign/ });
}
