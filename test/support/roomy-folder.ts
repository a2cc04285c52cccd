import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';
/** A whole run needs less than half of this. A container often has 64 MB there. */
const bytesNeeded = 1024 ** 3;

/** For databases: each is some 450 small files, and on a disk making and removing them costs ten times what it does in memory. */
export async function roomyFolder(): Promise<string> {
  const found = await statfs(memory).catch(() => null);
  return found !== null && found.bavail * found.bsize >= bytesNeeded ? memory : tmpdir();
}
