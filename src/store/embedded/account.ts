import { chmod, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from './errors.ts';

/** Unix account that runs the server. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: Account = { uid: 65534, gid: 65534 };
const ENTER = 0o1;
const READ = 0o4;

/**
 * The account the server must run as, or null for our own. Postgres refuses to run as root, so root switches to the
 * owner of an existing data folder, else to `nobody` (65534).
 */
export async function serverAccount(existingData: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  try {
    const owner = await stat(existingData);
    return owner.uid === 0 ? NOBODY : { uid: owner.uid, gid: owner.gid };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return NOBODY;
    throw error;
  }
}

/** True when `account` can pass through every folder from the root down to `folder` itself. */
export async function canEnter(folder: string, account: Account | null): Promise<boolean> {
  if (account === null) return true;
  for (let place = await realpath(folder); ; place = path.dirname(place)) {
    if (!(await allows(place, account, ENTER))) return false;
    if (place === path.dirname(place)) return true;
  }
}

/** True when `account` can read `file`, ignoring the folders above it. */
export function canRead(file: string, account: Account): Promise<boolean> {
  return allows(file, account, READ);
}

/** Lets other accounts pass through (not list) a folder of ours, such as one made by mkdtemp with mode 0700. */
export async function openForPassing(folder: string): Promise<void> {
  const found = await stat(folder);
  if (found.uid === process.getuid?.()) await chmod(folder, (found.mode & 0o7777) | 0o011);
}

async function allows(place: string, account: Account, bit: number): Promise<boolean> {
  const found = await stat(place);
  if (found.uid === account.uid) return ((found.mode >> 6) & bit) !== 0;
  if (found.gid === account.gid) return ((found.mode >> 3) & bit) !== 0;
  return (found.mode & bit) !== 0;
}
