import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'countersign-tests-';
const dayMs = 86_400_000;

/**
 * Gives the run a temporary folder of its own, which `tmpdir()` names from here on, and removes it at the end with all that
 * tests left there.
 */
export async function setup(): Promise<() => Promise<void>> {
  const parent = tmpdir();
  await removeOld(parent);
  const folder = await mkdtemp(join(parent, prefix));
  // A Postgres that was started by root runs as somebody else, and has to pass through.
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  return async () => {
    process.env.TMPDIR = parent;
    // A bot that is just ending may write what it compiled.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}

/** A run that was killed removed nothing. */
async function removeOld(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const folder of names.map((name) => join(parent, name))) {
    const found = await stat(folder).catch(() => null);
    if (found === null || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < dayMs) continue;
    await rm(folder, { recursive: true, force: true });
  }
}
