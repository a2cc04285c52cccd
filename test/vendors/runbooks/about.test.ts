import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRunbooks } from '../../../src/vendors/runbooks/search.ts';

let folder: string;
let shelf: ReturnType<typeof openRunbooks>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'runbooks-about-'));
  const book = (name: string, text: string) => writeFile(path.join(folder, name), text);
  await book(
    'checkout.md',
    '---\nservice: checkout\ncodes: [PAY-E-2201]\ntags: [slow]\n---\n# Checkout latency\nLook first.\n## Pools exhausted\nSmall.\n## KubePodCrashLooping\nRestart.',
  );
  await book('disk.md', '# Disk full\n\n## Make room\n\nRotate logs.');
  await book('empty.md', '# Payments of checkout are late\n');
  shelf = openRunbooks({
    folder,
    address: 'https://git.example/books',
    now: () => new Date('2026-03-10T12:00:00Z'),
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['checkout is slow', ['checkout'], 'Checkout latency', ''],
  ['checkout is slow, the pool is empty', ['checkout'], 'Checkout latency', 'Pools exhausted'],
  ['it says pay-e-2201 again', [], 'Checkout latency', ''],
  ['[FIRING:1] KubePodCrashLooping search (critical)', ['search'], 'Checkout latency', 'KubePodCrashLooping'],
  ['the disk of db-7 is full', ['search'], 'Disk full', ''],
])('“%s” about %j is the problem of %s', async (text, services, title, section) => {
  expect(await shelf.about?.(text, services)).toMatchObject({ title, section });
});

test.each([
  ['search is slow', ['search']],
  ['the disk arrived', ['checkout']],
  ['page checkout', ['checkout']],
  ['open P1 tickets in PAY', ['checkout']],
  ['there is an error', ['checkout', 'search']],
])('“%s” about %j is the problem of no runbook', async (text, services) => {
  expect(await shelf.about?.(text, services)).toBeNull();
});
