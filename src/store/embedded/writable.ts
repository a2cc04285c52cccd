import { access, constants, mkdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, systemCode } from './errors.ts';

/** Creates a folder if missing. Throws `data_dir_not_writable` when it is not writable. */
export async function ensureWritable(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** Node's own recursive mkdir never returns where a folder exists but allows no new ones, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw error;
    await makeFolder(parent);
    await mkdir(folder);
  }
}

async function isFolder(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  return found?.isDirectory() ?? false;
}

/** Throws `disk_full` when the file system of `folder` has fewer than `bytes` available. */
export async function ensureRoom(folder: string, bytes: number): Promise<void> {
  const room = await statfs(folder);
  if (room.bavail * room.bsize < bytes) throw diskFull(folder);
}

export function notWritable(folder: string, cause: unknown): EmbeddedPostgresError {
  if (systemCode(cause) === 'ENOSPC') return diskFull(folder);
  const message = `The data folder ${folder} is not writable (${systemCode(cause) ?? 'unknown'}); set DATA_DIR to one that is.`;
  return new EmbeddedPostgresError('data_dir_not_writable', message, { folder }, cause);
}

export function diskFull(folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'disk_full',
    `There is no room for the database in ${folder}: it needs 100 MB. Free some, or set another DATA_DIR.`,
    {
      folder,
    },
  );
}
