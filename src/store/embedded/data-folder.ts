import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { secretFile } from '../secret-file.ts';
import { type Account, canEnter, openForPassing } from './account.ts';
import { type Binaries, programPath } from './binaries.ts';
import { runPostgres } from './command.ts';
import { EmbeddedPostgresError, systemCode } from './errors.ts';
import { diskFull, ensureRoom, ensureWritable, notWritable } from './writable.ts';

/** Name of the owner's role and of the initial database. */
export const SERVER_NAME = 'countersign';
/** The bot's role. */
export const BOT_ROLE = 'countersign_bot';
/** A fresh data folder takes about 40 MB; with less space than this we do not start. */
const BYTES_NEEDED = 100 * 1024 * 1024;
/** A draft folder older than this was left by a process killed while creating it. */
const DRAFT_LIFETIME_MS = 10 * 60_000;
const DRAFT_PREFIX = 'postgres-new-';

/** One server's home: `data` (Postgres' own), `password` and `bot-password` (0600), and the folder that holds them. */
export interface ServerHome {
  readonly folder: string;
  readonly data: string;
}

/** Path, below DATA_DIR, of the server's home or of the link to it. */
export function homeLink(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

/**
 * A folder in which `account` can work: DATA_DIR, or `outside` when DATA_DIR lies in a folder that this account may not
 * enter, such as root's home. Throws `data_dir_not_writable`, `data_dir_unreachable`.
 */
export async function chooseBase(dataDir: string, account: Account | null, outside: string): Promise<string> {
  await ensureWritable(dataDir);
  if (account === null) return dataDir;
  if (!(await canEnter(dataDir, account))) await openForPassing(dataDir);
  if (await canEnter(dataDir, account)) return dataDir;
  await ensureWritable(outside);
  await openForPassing(outside);
  if (await canEnter(outside, account)) return outside;
  throw new EmbeddedPostgresError(
    'data_dir_unreachable',
    `Postgres does not run as root, and neither ${dataDir} nor ${outside} can be entered by another account; point DATA_DIR at a folder that others may enter.`,
    { dataDir, outside },
  );
}

/** The existing home, or null. Throws `data_dir_damaged` and `version_mismatch`. */
export async function existingHome(dataDir: string, major: string): Promise<ServerHome | null> {
  const link = homeLink(dataDir);
  try {
    await lstat(link);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw notWritable(dataDir, error);
  }
  const version = await readVersion(link);
  if (version !== major) {
    throw new EmbeddedPostgresError(
      'version_mismatch',
      `The data in ${link} was written by Postgres ${version}, this is Postgres ${major}; dump it with the old version or move the folder away.`,
      { found: version, expected: major },
    );
  }
  const folder = await realpath(link);
  return { folder, data: path.join(folder, 'data') };
}

/**
 * Creates a home with initdb. It is built under a temporary name and renamed when complete, so a kill leaves no partial
 * one, and of two concurrent processes one wins. Returns the winner's.
 */
export async function createHome(
  dataDir: string,
  base: string,
  binaries: Binaries,
  account: Account | null,
): Promise<ServerHome> {
  await ensureRoom(base, BYTES_NEEDED);
  await removeOldDrafts(base);
  const draft = await mkdtemp(path.join(base, DRAFT_PREFIX)).catch((error: unknown) => {
    throw notWritable(base, error);
  });
  try {
    await chmod(draft, 0o711);
    await initialise(draft, binaries, account);
    await moveIntoPlace(draft, dataDir, base);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const home = await existingHome(dataDir, binaries.major);
  if (home === null)
    throw new EmbeddedPostgresError('data_dir_damaged', `The folder ${homeLink(dataDir)} disappeared.`);
  return home;
}

/** The server's password, from its 0600 file. */
export async function readPassword(home: ServerHome): Promise<string> {
  try {
    return (await readFile(path.join(home.folder, 'password'), 'utf8')).trim();
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'data_dir_damaged',
      `The database password in ${home.folder} cannot be read (${systemCode(cause) ?? 'unknown'}).`,
      { folder: home.folder },
      cause,
    );
  }
}

/** Password of the bot's role, from its 0600 file, created if missing. */
export function botPassword(home: ServerHome): Promise<string> {
  return secretFile(path.join(home.folder, 'bot-password'), () => randomBytes(24).toString('base64url'));
}

async function initialise(draft: string, binaries: Binaries, account: Account | null): Promise<void> {
  const data = path.join(draft, 'data');
  const password = randomBytes(24).toString('base64url');
  // Two copies: initdb runs as `account` and must read one; ours stays out of its reach.
  const handed = path.join(draft, 'password-for-initdb');
  await mkdir(data, { mode: 0o700 });
  await writeFile(path.join(draft, 'password'), `${password}\n`, { mode: 0o600 });
  await writeFile(handed, `${password}\n`, { mode: 0o600 });
  for (const place of account === null ? [] : [data, handed])
    await chown(place, account?.uid ?? -1, account?.gid ?? -1);
  // The built-in C.UTF-8 locale keeps indexes valid when the operating system's collations change.
  const args = [
    '-D',
    data,
    '-U',
    SERVER_NAME,
    `--pwfile=${handed}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ];
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  const { exitCode, output } = await runPostgres(programPath(binaries, 'initdb'), args, {
    account,
    cwd: draft,
  });
  await rm(handed);
  if (exitCode === 0) return;
  if (output.includes('No space left on device')) throw diskFull(draft);
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => /error|fatal|could not/i.test(line));
  throw new EmbeddedPostgresError('server_failed', `initdb failed: ${lines[0] ?? `exit code ${exitCode}`}`, {
    output: output.slice(-2_000),
  });
}

async function moveIntoPlace(draft: string, dataDir: string, base: string): Promise<void> {
  try {
    if (base === dataDir) {
      await rename(draft, homeLink(dataDir));
    } else {
      const kept = path.join(base, `postgres-${randomBytes(6).toString('hex')}`);
      await rename(draft, kept);
      await symlink(kept, homeLink(dataDir));
    }
  } catch (error) {
    const otherWon = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(systemCode(error) ?? '');
    if (!otherWon) throw error;
  }
}

async function readVersion(link: string): Promise<string> {
  try {
    return (await readFile(path.join(link, 'data', 'PG_VERSION'), 'utf8')).trim();
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'data_dir_damaged',
      `${link} holds no readable Postgres data (${systemCode(cause) ?? 'unknown'}); restore it, or move it away to start empty.`,
      { folder: link },
      cause,
    );
  }
}

async function removeOldDrafts(base: string): Promise<void> {
  const names = await readdir(base);
  for (const name of names.filter((each) => each.startsWith(DRAFT_PREFIX))) {
    const draft = path.join(base, name);
    const age = Date.now() - (await stat(draft)).mtimeMs;
    if (age > DRAFT_LIFETIME_MS) await rm(draft, { recursive: true, force: true });
  }
}
