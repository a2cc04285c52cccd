import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { VendorError } from '../../core/errors.ts';

export interface FoundFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  /** Changes whenever the file does. */
  readonly version: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

export interface FolderLimits {
  readonly files: number;
  /** Bytes of one file; larger ones are skipped. */
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly depth: number;
}

/** All Markdown files below a folder, and whether there are more than the limits allow. */
export async function findMarkdown(
  root: string,
  limits: FolderLimits,
  signal: AbortSignal,
): Promise<{ files: FoundFile[]; left: number }> {
  const home = await rootOf(root);
  const found: FoundFile[] = [];
  let [left, total] = [0, 0];
  const waiting: { folder: string; depth: number }[] = [{ folder: home, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    const { folder, depth } = next;
    const all = await readdir(folder, { withFileTypes: true });
    const entries = all
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (!entry.isDirectory() || depth >= limits.depth) continue;
      waiting.push({ folder: path.join(folder, entry.name), depth: depth + 1 });
    }
    const named = entries.filter(({ name }) => /\.(md|markdown)$/i.test(name));
    for (const file of await Promise.all(named.map((entry) => fileWithin(home, entry)))) {
      if (file === null) continue;
      total += file.bytes;
      if (file.bytes > limits.fileBytes || total > limits.totalBytes || found.length >= limits.files)
        left += 1;
      else found.push(file);
    }
  }
  return { files: found, left };
}

async function rootOf(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (cause) {
    throw new VendorError(
      'runbooks_missing',
      'The folder of runbooks cannot be read: check runbooks.folder.',
      {
        retryable: true,
        mayHaveHappened: false,
        cause,
      },
    );
  }
}

/** A regular file, possibly behind a symbolic link, as long as it lies below the folder; else null. */
async function fileWithin(home: string, entry: Dirent): Promise<FoundFile | null> {
  const full = path.join(entry.parentPath, entry.name);
  try {
    // No folder on the way here was a link, so only a link can lead outside.
    if (!entry.isFile() && !isBelow(home, await realpath(full))) return null;
    const found = await stat(full);
    if (!found.isFile()) return null;
    const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
    const below = path.relative(home, full).split(path.sep).join('/');
    return { path: below, version, bytes: found.size, changedAt: found.mtimeMs };
  } catch {
    // It disappeared after the listing, or is unreadable.
    return null;
  }
}

function isBelow(home: string, file: string): boolean {
  return file.startsWith(home.endsWith(path.sep) ? home : home + path.sep);
}

/** The text of a file in the folder, at most `bytes` of it; null when it is gone or now lies outside. */
export async function readWithin(root: string, file: string, bytes: number): Promise<string | null> {
  const home = await rootOf(root);
  try {
    const real = await realpath(path.join(home, file));
    if (!isBelow(home, real)) return null;
    // The last part is no longer a link: one put in its place meanwhile is not followed.
    const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.alloc(Math.min(bytes, size));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return buffer.subarray(0, bytesRead).toString('utf8');
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}
