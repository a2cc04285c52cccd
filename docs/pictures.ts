import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../sandbox/start.ts';
import { startBot } from '../test/support/bot.ts';
import { launchBrowser } from '../test/support/browser.ts';

/** `node_modules/.bin/node docs/pictures.ts`: takes the pictures of the README anew, from the bot in the local workspace. */

const goal = 'Check Jira ticket count, compare with SLA, and notify on-call engineer if breached';
/** A phone, only taller, so that nothing is cut. */
const viewport = { width: 390, height: 1_800 };
const webhookPort = 3_391;
const webhookSecret = 'a-secret-for-the-pictures';
const folder = fileURLToPath(new URL('images/', import.meta.url));

async function takePictures(browser: Browser, sandbox: Sandbox): Promise<void> {
  const page = await browser.newPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light' });
  await page.goto(`${sandbox.controlUrl}/?as=U0BEN`);
  const box = page.getByRole('textbox', { name: 'Message to #ops' });
  await box.fill(`/plan ${goal}`);
  await box.press('Enter');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await take(page, 'Messages in #ops', 'card.png');

  await page.getByRole('combobox', { name: 'Act as' }).selectOption('U0ANA');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve and run' }).click();
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await page.getByText('Acknowledged', { exact: true }).waitFor();
  await take(page, 'Messages in #ops', 'acknowledged.png');

  // Somebody resolves it in PagerDuty, and the thread says so by itself.
  const incident = sandbox.pagerduty.store.incidents().at(-1);
  if (incident === undefined) throw new Error('nobody was paged');
  sandbox.pagerduty.store.setStatus(incident, 'resolved', 'PCHIARA01');
  await page.getByRole('button', { name: /^\d+ replies$/ }).click();
  await page.getByText('Resolved', { exact: true }).last().waitFor();
  await take(page, 'Thread messages', 'thread.png');
}

async function take(page: Page, log: string, file: string): Promise<void> {
  const messages = page.getByRole('log', { name: log }).locator('.messages-inner');
  // Away from the messages, so that none of them is marked as pointed at.
  await page.mouse.move(0, 0);
  await messages.screenshot({ path: join(folder, file), animations: 'disabled' });
}

const data = await mkdtemp(join(tmpdir(), 'countersign-pictures-'));
// As root the database runs as another user, who has to be able to get there.
await chmod(data, 0o755);
const url = `http://127.0.0.1:${webhookPort}/pagerduty/webhook`;
const sandbox = await startSandbox({ webhooks: { url, secrets: [webhookSecret] } });
const browser = await launchBrowser();
const bot = await startBot(sandbox, {
  DATA_DIR: join(data, 'data'),
  COUNTERSIGN_CONFIG: 'sandbox/countersign.yml',
  PORT: String(webhookPort),
  PAGERDUTY_WEBHOOK_SECRET: webhookSecret,
});
try {
  await takePictures(browser, sandbox);
} finally {
  await browser.close();
  await bot.stop();
  await sandbox.close();
  await rm(data, { recursive: true, force: true });
}
