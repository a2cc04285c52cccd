import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { notesOf, releasedChangelog } from '../../deploy/release/changelog.ts';
import { checkIntegrity } from '../../deploy/release/integrity.ts';
import { licencePage, licencesOf } from '../../deploy/release/licences.ts';
import { checkNext } from '../../deploy/release/version.ts';

test('a version follows the previous one by one step', () => {
  for (const next of ['1.2.4', '1.3.0', '2.0.0']) expect(() => checkNext('1.2.3', next)).not.toThrow();
  expect(() => checkNext('1.2.3', '1.2.5')).toThrow(
    '1.2.5 does not come after 1.2.3: it may be 1.2.4, 1.3.0, 2.0.0.',
  );
  expect(() => checkNext('1.2.3', '1.2.3')).toThrow('does not come after');
  for (const bad of ['', 'v1.2.4', '1.3', 'next'])
    expect(() => checkNext('1.2.3', bad)).toThrow('is no version');
});

describe('the changelog', () => {
  const source =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- A page.\n\n## 1.0.0 - 2026-01-01\n\n- First.\n';

  test('gets a dated section, and an empty one for what comes next', () => {
    const released = releasedChangelog(source, '1.1.0', '2026-02-03');
    expect(released).toContain(
      '## Unreleased\n\n## 1.1.0 - 2026-02-03\n\n### Added\n\n- A page.\n\n## 1.0.0',
    );
    expect(notesOf(released, '1.1.0')).toBe('### Added\n\n- A page.');
    expect(notesOf(released, '1.0.0')).toBe('- First.');
    expect(() => releasedChangelog(released, '1.2.0', '2026-02-04')).toThrow('Nothing stands under');
    expect(() => releasedChangelog(released, '1.1.0', '2026-02-04')).toThrow('has a section 1.1.0 already');
  });

  test('of this repository can be released', () => {
    const own = readFileSync('CHANGELOG.md', 'utf8');
    expect(notesOf(releasedChangelog(own, '99.0.0', '2026-02-03'), '99.0.0')).toMatch(/^-|\n- /);
  });
});

describe('the lock file', () => {
  const lock = readFileSync('package-lock.json', 'utf8');

  test('ships packages only under allowed licences, and lists each with its own', () => {
    const page = licencePage(licencesOf(lock));
    expect(page).toMatch(/\| @slack\/bolt \| \d+\.\d+\.\d+ \| MIT \|/);
    expect(page).not.toContain('| vitest |');
    const packages = { '': {}, 'node_modules/a': { version: '1.0.0', license: 'GPL-3.0-only' } };
    expect(() => licencesOf(JSON.stringify({ packages }))).toThrow(
      'may not be shipped for their licence: a (GPL-3.0-only)',
    );
    const choice = { 'node_modules/a': { version: '1.0.0', license: '(MIT OR GPL-3.0-only)' } };
    expect(licencesOf(JSON.stringify({ packages: choice }))).toHaveLength(1);
    const both = { 'node_modules/a': { version: '1.0.0', license: 'MIT AND GPL-3.0-only' } };
    expect(() => licencesOf(JSON.stringify({ packages: both }))).toThrow('a (MIT AND GPL-3.0-only)');
  });

  test('pins the bytes of every package, under its own name and without an address', () => {
    expect(() => checkIntegrity(lock)).not.toThrow();
    const site = readFileSync('docs/site/package-lock.json', 'utf8');
    expect(() => checkIntegrity(site, ['rollup'])).not.toThrow();
    expect(() => checkIntegrity(site)).toThrow('puts @rollup/wasm-node in the place of rollup');
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const check = (each: object) => () =>
      checkIntegrity(JSON.stringify({ packages: { '': {}, 'node_modules/@x/a': each } }));
    expect(check({ integrity })).not.toThrow();
    expect(check({ dev: true, optional: true })).toThrow('no integrity for @x/a: add what');
    expect(check({ integrity: 'sha1-AAAA' })).toThrow('no integrity for @x/a');
    for (const none of ['sha512-', 'sha512-AAAA', `${integrity} sha512-AAAA`]) {
      expect(check({ integrity: none }), none).toThrow('no integrity for @x/a');
    }
    expect(check({ link: true, resolved: '../elsewhere' })).toThrow('no integrity for @x/a');
    expect(check({ integrity, resolved: 'git+ssh://git@x.example/a.git' })).toThrow('an address for @x/a');
  });

  test('is not released without the digest of a package', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
    const packages = { 'node_modules/a': { version: '1.0.0', license: 'MIT' } };
    const own = JSON.stringify({ name: 'it', version: '0.1.0' });
    writeFileSync(path.join(folder, 'package.json'), own);
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    writeFileSync(path.join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- A page.\n');
    const script = path.resolve('deploy/release/release.ts');
    const { status, stderr } = spawnSync(process.execPath, [script, '0.1.1'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toContain('package-lock.json has no integrity for a');
    expect(status).toBe(1);
    expect(readFileSync(path.join(folder, 'package.json'), 'utf8')).toBe(own);
  });

  test('every platform package exists for Linux and macOS, on Intel and ARM', () => {
    const { packages } = z
      .object({ packages: z.record(z.string(), z.object({ os: z.array(z.string()).optional() })) })
      .parse(JSON.parse(lock));
    const built = Object.keys(packages).filter((place) => /[-/](linux|darwin)-(x64|arm64)/.test(place));
    const families = new Set(built.map((place) => place.replace(/[-/](linux|darwin)-(x64|arm64).*$/, '')));
    expect(families.size).toBeGreaterThan(3);
    const missing = [...families].flatMap((family) =>
      ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
        .filter(
          (platform) =>
            !built.some(
              (place) => place.startsWith(family) && place.slice(family.length + 1).startsWith(platform),
            ),
        )
        .map((platform) => `${family} has nothing for ${platform}`),
    );
    expect(missing).toEqual([]);
  });
});
