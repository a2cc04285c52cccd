/** Why: a workspace's name is chosen by its creator, and is shown on our page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { showInstallPage } from '../../../src/vendors/slack/install-page.ts';

test('foreign names are shown as text, and the page may load and run nothing', async () => {
  const name = `<script>alert('1')</script>&"`;
  const next = { href: 'https://slack.com/app_redirect?app=A1&team="T1', label: name };
  const server = createServer((_request, response) =>
    showInstallPage(response, { status: 200, title: name, words: name, next }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  const page = await fetch(`http://127.0.0.1:${port}/`);
  const body = await page.text();
  server.close();
  expect(body).not.toContain('<script');
  expect(body).toContain('<h1>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;</h1>');
  expect(body).toContain('href="https://slack.com/app_redirect?app=A1&amp;team=&quot;T1"');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
});
