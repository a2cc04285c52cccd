import { readdir, readFile } from 'node:fs/promises';

/** Resident memory in MB. RSS counts a page in every process that maps it, PSS counts it once in all. */
export interface Memory {
  readonly rssMb: number;
  readonly pssMb: number;
  /** Processes that were counted. */
  readonly processes: number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

/** Memory of these processes and all that descend from them; null where there is no Linux /proc. */
export async function memoryOf(roots: readonly number[]): Promise<Memory | null> {
  const all = await processes();
  if (all === null) return null;
  const counted = descendants(all, roots);
  let [rssKb, pssKb, found] = [0, 0, 0];
  for (const pid of counted) {
    const text = await readGone(`/proc/${pid}/smaps_rollup`);
    if (text === '') continue;
    rssKb += kilobytes(text, 'Rss');
    pssKb += kilobytes(text, 'Pss');
    found += 1;
  }
  return { rssMb: rssKb / 1024, pssMb: pssKb / 1024, processes: found };
}

async function processes(): Promise<Process[] | null> {
  if (process.platform !== 'linux') return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readGone(`/proc/${pid}/status`);
      const parent = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? -1);
      return { pid, parent, name: /^Name:\s+(.+)$/m.exec(status)?.[1] ?? '' };
    }),
  );
  return found;
}

function descendants(all: readonly Process[], roots: readonly number[]): Set<number> {
  const tree = new Set(roots);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return tree;
}

function kilobytes(smaps: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(smaps)?.[1] ?? 0);
}

/** A process may end, or belong to somebody else, between the listing and the look: then it counts as nothing. */
async function readGone(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}
