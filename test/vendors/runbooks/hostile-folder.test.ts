import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRunbooks } from '../../../src/vendors/runbooks/search.ts';

/** A folder of runbooks that a pull request turned into a git repository: plain files are enough for that. */
let folder: string;
let marker: string;

beforeEach(async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'hostile-'));
  [folder, marker] = [path.join(home, 'runbooks'), path.join(home, 'marker')];
  await mkdir(folder);
  await writeFile(path.join(folder, 'disk.md'), '# Disk full\nRotate the logs.\n');
  const changed = new Date('2026-03-01T00:00:00Z');
  await utimes(path.join(folder, 'disk.md'), changed, changed);
  vi.stubEnv('PAGERDUTY_TOKEN', 'hunter2-hunter2');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(path.dirname(folder), { recursive: true, force: true });
});

/** The attacker's own git, on the attacker's own machine. */
function git(args: readonly string[], input = ''): string {
  return execFileSync('git', ['-C', folder, ...args], { input, stdio: ['pipe', 'pipe', 'ignore'] })
    .toString()
    .trim();
}

/** A program that records that it ran, and what it could read: its environment and that of its ancestors. */
async function program(): Promise<string> {
  const file = path.join(folder, 'x.sh');
  await writeFile(file, `#!/bin/sh\nenv > ${marker}\ncat /proc/*/environ >> ${marker} 2>/dev/null\n`);
  await chmod(file, 0o755);
  return file;
}

async function changedOf(words: string): Promise<string | null | undefined> {
  const shelf = openRunbooks({ folder, address: null, now: () => new Date('2026-03-10T12:00:00Z') });
  const query = { words, service: null, code: null };
  const { hits } = await shelf.search(query, 1, AbortSignal.timeout(10_000));
  return hits[0]?.changed;
}

async function left(): Promise<string> {
  return existsSync(marker) ? await readFile(marker, 'utf8') : 'nothing ran';
}

test('a folder that is a bare repository with a signature program runs nothing', async () => {
  await program();
  git(['init', '-q', '--bare', '.']);
  const blob = git(['hash-object', '-w', '--stdin'], '# Disk full\n');
  const tree = git(['mktree'], `100644 blob ${blob}\tdisk.md\n`);
  const by = 'A <a@acme.example> 1767225600 +0000';
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
  const commit = git(
    ['hash-object', '-t', 'commit', '-w', '--stdin'],
    `tree ${tree}\nauthor ${by}\ncommitter ${by}\n${signature}\n\nx\n`,
  );
  git(['update-ref', 'HEAD', commit]);
  git(['config', 'log.showSignature', 'true']);
  git(['config', 'gpg.program', './x.sh']);
  const changed = await changedOf('disk');
  expect(await left()).toBe('nothing ran');
  expect(changed).toBe('2026-03-01T00:00:00.000Z');
});

test('a folder that tells git to fetch its history from a program fetches nothing', async () => {
  const file = await program();
  git(['init', '-q', '--bare', '.']);
  git(['config', 'core.repositoryFormatVersion', '1']);
  git(['config', 'extensions.partialClone', 'origin']);
  git(['config', 'remote.origin.promisor', 'true']);
  git(['config', 'remote.origin.url', `ext::${file}`]);
  git(['config', 'protocol.ext.allow', 'always']);
  await writeFile(path.join(folder, 'refs/heads/main'), `${'1'.repeat(40)}\n`);
  await writeFile(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  const changed = await changedOf('disk');
  expect(await left()).toBe('nothing ran');
  expect(changed).toBe('2026-03-01T00:00:00.000Z');
});
