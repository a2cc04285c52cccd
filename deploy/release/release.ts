import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { notesOf, releasedChangelog } from './changelog.ts';
import { ReleaseError } from './error.ts';
import { checkIntegrity } from './integrity.ts';
import { licencePage, licencesOf } from './licences.ts';
import { checkNext } from './version.ts';

/**
 * `npm run release -- 1.4.0`: writes the version into package.json, the lock file and the manifests, closes the
 * changelog's section, and puts the SBOM (CycloneDX), the licences and the notes into dist/. Commits and publishes nothing.
 */

const packageSchema = z.object({ name: z.string(), version: z.string() });
const sbomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(z.looseObject({ name: z.string() })).min(1),
});
const npm = (...args: string[]): string =>
  execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64_000_000,
  });

function release(next: string): void {
  const { name, version } = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  checkNext(version, next);
  const lockFile = readFileSync('package-lock.json', 'utf8');
  checkIntegrity(lockFile);
  const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trim();
  if (changed !== '')
    throw new ReleaseError('There are changes that are not committed: commit or stash them.');
  const day = new Date().toISOString().slice(0, 10);
  const changelog = releasedChangelog(readFileSync('CHANGELOG.md', 'utf8'), next, day);
  const licences = licencesOf(lockFile);
  npm('version', '--no-git-tag-version', next);
  writeFileSync('CHANGELOG.md', changelog);
  for (const manifest of ['deploy/kubernetes/deployment.yml', 'deploy/kubernetes/split.yml']) {
    const images = readFileSync(manifest, 'utf8').replaceAll(
      `image: ${name}:${version}`,
      `image: ${name}:${next}`,
    );
    writeFileSync(manifest, images);
  }
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/sbom.cdx.json', sbom(name));
  writeFileSync('dist/licences.md', licencePage(licences));
  writeFileSync('dist/notes.md', `${notesOf(changelog, next)}\n`);
  console.log(`Version ${next}: look at git diff and dist/, then
  npm audit --omit=dev && npm test && npm run check
  git commit -am "chore: version ${next}" && git tag -a v${next} -m "Version ${next}"`);
}

/** From the lock file, for every platform. npm names the whole after its folder. */
function sbom(name: string): string {
  const made = npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only');
  const parsed = sbomSchema.parse(JSON.parse(made));
  Object.assign(parsed.metadata.component, { name, type: 'application' });
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

try {
  release(process.argv[2] ?? '');
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
