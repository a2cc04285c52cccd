import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';

/** `node_modules/.bin/node docs/pictures.ts`: takes the pictures of the README and of paging.md anew, from the demo. */

const goal = 'Check Jira ticket count, compare with SLA, and notify on-call engineer if breached';
/** A phone, only taller, so that nothing is cut. */
const phone = {
  viewport: { width: 390, height: 3_000 },
  deviceScaleFactor: 2,
  colorScheme: 'light',
} as const;
const port = '3391';
const folder = fileURLToPath(new URL('images/', import.meta.url));
/** The fix is judged by the errors of the minute after it. */
const helpedMs = 120_000;

/** Plays the demo's incident, for its review. */
async function takeReview(browser: Browser, url: string): Promise<void> {
  const desk = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  await desk.goto(`${url}/?as=U0BEN`);
  const page = await browser.newPage(phone);
  await page.goto(`${url}/?as=U0BEN`);
  const monitoring = desk.getByRole('region', { name: 'Monitoring' });
  await monitoring.getByRole('button', { name: 'Fire CheckoutSlow' }).click();
  const alert = page.getByRole('article').filter({ hasText: 'Firing: CheckoutSlow' });
  await alert.getByText('A deploy made the connection pool').waitFor();
  await alert.getByRole('button', { name: 'Propose the fix' }).click();
  await alert.getByRole('button', { name: /^\d+ repl/ }).click();
  await page.getByRole('combobox', { name: 'Act as' }).selectOption('U0CHIARA');
  await approve(page);
  await page.getByText(/^Helped:/).waitFor({ timeout: helpedMs });
  await monitoring.getByRole('button', { name: 'Resolve CheckoutSlow' }).click();
  await page.goto(`${url}/?as=U0BEN`);
  await page.getByRole('button', { name: 'Review #1' }).click();
  const review = page.getByRole('article').filter({ hasText: 'Only visible to you' });
  await review.getByText('Timeline').waitFor();
  await take(page, review, 'review.png');
}

async function takePage(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage(phone);
  await page.goto(`${url}/?as=U0BEN`);
  const box = page.getByRole('textbox', { name: 'Message to #ops' });
  await box.fill(`/plan ${goal}`);
  await box.press('Enter');
  const card = page.getByRole('article').filter({ hasText: 'Compare open P1 tickets' });
  await card.getByRole('button', { name: 'Approve' }).waitFor();
  await take(page, card, 'card.png');
  await page.getByRole('combobox', { name: 'Act as' }).selectOption('U0ANA');
  await approve(page);
  await card.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await card.getByText('Acknowledged', { exact: true }).waitFor();
  await take(page, card, 'acknowledged.png');
}

async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve', exact: true }).last().click();
  await page.getByRole('button', { name: 'Approve and run' }).click();
}

async function take(page: Page, message: Locator, file: string): Promise<void> {
  // Away from the messages, so that none of them is marked as pointed at.
  await page.mouse.move(0, 0);
  await message.screenshot({ path: join(folder, file), animations: 'disabled' });
}

const demo = spawn(process.execPath, ['sandbox/demo.ts'], {
  env: { ...process.env, PORT: port },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(demo, 'exit');
const browser = await launchBrowser();
try {
  for await (const said of createInterface(demo.stdout)) {
    const url = /Open\s+(http:\/\/\S+)/.exec(said)?.[1];
    if (url === undefined) continue;
    await takePage(browser, url);
    await takeReview(browser, url);
    break;
  }
} finally {
  await browser.close();
  demo.kill('SIGINT');
  await ended;
}
