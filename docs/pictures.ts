import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { startSandbox } from '../sandbox/start.ts';
import { startBot } from '../test/support/bot.ts';
import { launchBrowser } from '../test/support/browser.ts';

/** `node_modules/.bin/node docs/pictures.ts`: takes the pictures of the README anew, from the bot in the local workspace. */

const goal = 'Check Jira ticket count, compare with SLA, and notify on-call engineer if breached';
/** Narrow, so that the text stays readable where the picture is shown small; tall, so that nothing is cut. */
const viewport = { width: 560, height: 1_600 };
const folder = fileURLToPath(new URL('images/', import.meta.url));

async function takePictures(browser: Browser, address: string): Promise<void> {
  const page = await browser.newPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light' });
  await page.goto(`${address}/?as=U0BEN`);
  const box = page.getByRole('textbox', { name: 'Message to #ops' });
  await box.fill(`/plan ${goal}`);
  await box.press('Enter');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await take(page, 'Messages in #ops', 'card.png');

  await page.getByRole('combobox', { name: 'Act as' }).selectOption('U0ANA');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve and run' }).click();
  await page.getByRole('button', { name: '4 replies' }).click();
  await page.getByText(/^Done: .*was paged/).waitFor();
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
const sandbox = await startSandbox();
const browser = await launchBrowser();
const bot = await startBot(sandbox, {
  DATA_DIR: join(data, 'data'),
  COUNTERSIGN_CONFIG: 'sandbox/countersign.yml',
});
try {
  await takePictures(browser, sandbox.controlUrl);
} finally {
  await browser.close();
  await bot.stop();
  await sandbox.close();
  await rm(data, { recursive: true, force: true });
}
