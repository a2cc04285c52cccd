/** Why: at night the card is read on a phone, and decided with one thumb. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { breach } from '../support/scenario.ts';
import { Workspace } from '../support/workspace.ts';

let browser: Browser;
let workspace: Workspace;

beforeAll(async () => {
  [browser, workspace] = await Promise.all([launchBrowser(), Workspace.start()]);
});

afterAll(async () => {
  await browser.close();
  await workspace.stop();
});

/** The visible lines, including those of buttons but not collapsed content. */
function linesOf(card: Locator): Promise<number> {
  return card.evaluate((root) => {
    const bottoms: number[] = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const folded = node.parentElement?.closest('details:not([open])');
      if (!node.textContent?.trim() || (folded && !node.parentElement?.closest('summary'))) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      bottoms.push(
        ...[...range.getClientRects()].filter(({ width }) => width > 1).map(({ bottom }) => bottom),
      );
    }
    const sorted = bottoms.sort((a, b) => a - b);
    return sorted.filter((bottom, index) => index === 0 || bottom - (sorted[index - 1] ?? 0) > 7).length;
  });
}

test('the seed card has under 25 lines on a phone, and two taps lead to an acknowledged page', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, problems } = await openPage(browser, `${workspace.sandbox.controlUrl}/?as=U0ANA`, {
    viewport,
  });
  const box = page.getByRole('textbox', { name: 'Message to #ops' });
  await box.fill(`/plan ${breach}`);
  await box.press('Enter');
  const card = page.getByRole('article', { name: /^Countersign/ }).filter({ has: page.getByRole('heading') });
  await card.getByRole('button', { name: 'Approve' }).waitFor();
  const lines = await linesOf(card);
  expect(lines).toBeGreaterThan(15);
  expect(lines).toBeLessThan(25);

  await card.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve and run' }).click();
  await card.getByRole('button', { name: 'Acknowledge' }).click();
  await card.getByText(/^Acknowledged$/).waitFor();
  expect(await card.textContent()).toMatch(/Acknowledged by\s+@?Ana Ruiz (after \d+ s|at once)/);
  expect(workspace.pages().at(-1)?.status).toBe('acknowledged');
  expect(problems).toEqual([]);
});

test('a card that changes under the finger keeps the tap', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, problems } = await openPage(browser, `${workspace.sandbox.controlUrl}/?as=U0ANA`, {
    viewport,
  });
  const asked = 'page payments-api: the queue is stuck';
  await workspace.plan('ben', asked);
  const button = page
    .getByRole('article', { name: /^Countersign/ })
    .filter({ has: page.getByRole('heading'), hasText: 'the queue is stuck' })
    .getByRole('button', { name: 'Approve' });
  await button.hover();
  const heard = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const stream = new EventSource('/api/stream?as=U0ANA');
        stream.addEventListener('state', ({ data }) => {
          if (!data.includes('one more line')) return;
          stream.close();
          resolve();
        });
      }),
  );
  await page.mouse.down();
  const card = await workspace.card('the queue is stuck');
  const text = 'one more line '.repeat(20);
  await workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', text });
  await workspace.sandbox.slack.postAs({ as: 'ben', channel: 'ops', threadTs: card.ts, text: 'low urgency' });
  await heard;
  await page.mouse.up();
  await page.getByRole('button', { name: 'Approve and run' }).waitFor();
  await page.getByText('one more line').first().waitFor();
  expect(problems).toEqual([]);
});
