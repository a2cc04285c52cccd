import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Readers } from '../../../src/core/ports.ts';
import type { RunbookQuery } from '../../../src/vendors/runbooks/port.ts';
import { folderLimits, openRunbooks } from '../../../src/vendors/runbooks/search.ts';
import { runbookSearch } from '../../../tools/read/runbook.search.ts';
import { vendorsWith } from '../../support/vendors.ts';

let folder: string;
let clock: number;
const signal = () => AbortSignal.timeout(5_000);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'runbooks-'));
  clock = Date.parse('2026-03-10T12:00:00Z');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, text: string, changed = '2026-03-01T00:00:00Z'): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await utimes(file, new Date(changed), new Date(changed));
}

function shelf(address: string | null = 'https://git.acme.example/runbooks/blob/main/') {
  const source = openRunbooks({ folder, address, now: () => new Date(clock) });
  return (asked: Partial<RunbookQuery>, limit = 5) =>
    source.search({ words: '', service: null, code: null, ...asked }, limit, signal());
}

test('the best matching section comes first, with its address and last change', async () => {
  await put(
    'shop/check out #1.md',
    '---\nservice: checkout\ncodes: [PAY-E-2201]\n---\n# Checkout latency\nSlow.\n## Pool exhausted!\nRoll it back.\n```\n# no heading\n```\n## Pool exhausted!\nagain\n',
  );
  await put('redis.md', '# Redis failover\nThe primary is gone.\n');
  const search = shelf();
  const { total, hits } = await search({ words: 'the runbook for checkout pool exhausted' });
  expect(total).toBe(1);
  expect(hits[0]).toEqual({
    title: 'Checkout latency',
    section: 'Pool exhausted!',
    place: 'shop/check out #1.md',
    address: 'https://git.acme.example/runbooks/blob/main/shop/check%20out%20%231.md#pool-exhausted',
    changed: '2026-03-01T00:00:00.000Z',
    excerpt: 'Roll it back.\n```\n# no heading\n```\n\nPool exhausted!\nagain',
  });
  expect(await search({ words: 'redis falover' })).toMatchObject({ hits: [{ title: 'Redis failover' }] });
  expect(await search({ code: 'pay-e-2201' })).toMatchObject({
    total: 1,
    hits: [{ title: 'Checkout latency' }],
  });
  expect(await search({ service: 'checkout' })).toMatchObject({ total: 1 });
  // Half of the words is not a match, and neither is a name inside another word.
  expect(await search({ words: 'redis certificate rotation' })).toEqual({ total: 0, hits: [] });
  expect(await search({ service: 'check' })).toMatchObject({ total: 1 });
  expect(await search({ service: 'heck' })).toEqual({ total: 0, hits: [] });
  expect(await shelf(null)({ words: 'redis' })).toMatchObject({ hits: [{ address: '' }] });
});

test('added, changed and removed files count from the next check on', async () => {
  await put('disk.md', '# Disk full\nRotate the logs.\n');
  const search = shelf();
  expect(await search({ words: 'disk' })).toMatchObject({ total: 1 });
  await put('disk.md', '# Memory full\nRestart.\n', '2026-03-02T00:00:00Z');
  await put('dns.md', '# DNS is slow\n');
  expect(await search({ words: 'dns' })).toMatchObject({ total: 0 });
  clock += 2_000;
  expect(await search({ words: 'dns' })).toMatchObject({ total: 1 });
  expect(await search({ words: 'disk full' })).toMatchObject({ hits: [{ title: 'Memory full' }] });
  await rm(path.join(folder, 'dns.md'));
  clock += 2_000;
  expect(await search({ words: 'dns' })).toMatchObject({ total: 0 });
});

test('links out of the folder, hidden folders, devices and huge files are skipped', async () => {
  const outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
  await writeFile(path.join(outside, 'secret.md'), '# Secret kraken\n');
  await put('inside.md', '# Inside kraken\n');
  await put('.git/hidden.md', '# Hidden kraken\n');
  await put('huge.md', `# Huge kraken\n${'x'.repeat(folderLimits.fileBytes)}`);
  await mkdir(path.join(folder, 'folder.md'));
  await symlink(path.join(outside, 'secret.md'), path.join(folder, 'out.md'));
  await symlink(outside, path.join(folder, 'out'));
  await symlink('../../../../etc/passwd', path.join(folder, 'passwd.md'));
  await symlink('inside.md', path.join(folder, 'alias.md'));
  await symlink('loop.md', path.join(folder, 'loop.md'));
  const { hits } = await shelf()({ words: 'kraken' });
  expect(hits.map(({ place }) => place).sort()).toEqual(['alias.md', 'inside.md']);
  await rm(outside, { recursive: true });
});

test('front matter in TOML and headings underlined or in HTML give title, codes and sections', async () => {
  await put(
    'volume.md',
    [
      ...['+++', 'title = "Volume is full" # as in the alert', "service = 'storage'", '[taxonomies]'],
      ...['codes = [', '  "DISK-7",', '  "DISK-8",', ']', 'weight = = 1', '+++', ''],
      ...['Kraken volume', '====', 'Look first.', '', 'Free', 'some space', '---', 'Delete.'],
      ...[
        '- a list',
        '---',
        'after the rule',
        '```',
        'in code',
        '===',
        '```',
        '| a |',
        '| - |',
        '',
        '---',
        'end',
      ],
    ].join('\n'),
  );
  await put(
    'html.md',
    '<h1 align="center">\n  <a href="x"><b>Kraken</b> &amp; co</a>\n</h1>\n\n<h2>Steps</h2>\nRun it.\n',
  );
  await put('open.md', '<h1>Kraken never closed\n\ntext\n');
  const search = shelf();
  const volume = await search({ words: 'free some space', service: 'storage', code: 'disk-8' });
  expect(volume.hits).toMatchObject([{ title: 'Volume is full', section: 'Free some space' }]);
  expect(volume.hits[0]?.address).toMatch(/#free-some-space$/);
  expect(volume.hits[0]?.excerpt).toBe(
    'Delete.\n- a list\n---\nafter the rule\n```\nin code\n===\n```\n| a |\n| - |\n\n---\nend',
  );
  expect((await search({ words: 'look first' })).hits).toMatchObject([{ section: 'Kraken volume' }]);
  expect((await search({ words: 'co steps' })).hits).toMatchObject([
    { title: 'Kraken & co', section: 'Steps', excerpt: 'Run it.' },
  ]);
  expect((await search({ words: 'never closed' })).hits).toMatchObject([{ title: 'open', section: '' }]);
  const all = (await search({ words: 'kraken' })).hits.map(({ excerpt }) => excerpt).join('\n');
  expect(all).not.toMatch(/title =|\+\+\+|<h1 align/);
});

test.each([
  ['node not ready', 'Node not ready'],
  ['etcd no leader', 'etcd: no leader'],
  ['no route to host', 'No route to host'],
  ['[FIRING:1] KubePersistentVolumeFillingUp (monitoring critical)', 'KubePersistentVolumeFillingUp'],
  ['[RESOLVED] KubePersistentVolumeFillingUp for data (namespace="shop")', 'KubePersistentVolumeFillingUp'],
  ['[FIRING:2] No route to host for checkout (critical)', 'No route to host'],
  ['KubePersistentVolumeFillingUp', 'KubePersistentVolumeFillingUp'],
])('a runbook is found by the name of an error or an alert: %s', async (words, title) => {
  const titles = ['Node not ready', 'Node ready', 'etcd: no leader', 'etcd leader', 'No route to host'];
  for (const [at, one] of [...titles, 'KubePersistentVolumeFillingUp', 'Monitoring is critical'].entries())
    await put(`r${at}.md`, `# ${one}\nSteps.\n`);
  const runbooks = [openRunbooks({ folder, address: null, now: () => new Date(clock) })];
  const context = {
    readers: vendorsWith<Readers>({ runbooks }),
    now: () => new Date(clock),
    asker: 'U0ANA',
    signal: signal(),
  };
  expect((await runbookSearch.run({ query: words }, context)).title).toBe(title);
});

test('malformed files are read as far as possible', async () => {
  await put('front.md', '---\na: &a [1]\nb: [*a, *a]\ntitle: [no\n---\n# Broken front kraken\n');
  await put('never-ends.md', '---\ntitle: kraken\n# no end of it\n');
  await put('fence.md', '# Fence kraken\n~~~\n# in the fence\n');
  await put('binary.md', '\u0000\u0001kraken \ud800');
  const { total, hits } = await shelf()({ words: 'kraken' }, 10);
  expect(total).toBe(4);
  expect(hits.every(({ excerpt, title }) => (excerpt + title).isWellFormed())).toBe(true);
  expect(hits.flatMap(({ excerpt }) => excerpt).join('')).not.toContain('\u0000');
});

test('a missing folder is a failed search, not an empty one', async () => {
  const search = shelf();
  await rm(folder, { recursive: true });
  await expect(search({ words: 'x' })).rejects.toMatchObject({ code: 'runbooks_missing', retryable: true });
});
