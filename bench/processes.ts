import { readdir, readFile } from 'node:fs/promises';

/** Resident memory in MB. RSS counts a page in every process that maps it, PSS only once overall. */
export interface Memory {
  readonly rssMb: number;
  readonly pssMb: number;
  /** Number of processes counted. */
  readonly processes: number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
}

/** Memory of each of these processes with all descendants; null without Linux /proc. */
export async function memoryOf<N extends string>(
  roots: Readonly<Record<N, number>>,
): Promise<Record<N, Memory> | null> {
  const all = await processes();
  if (all === null) return null;
  const entries = Object.entries<number>(roots).map(async ([name, pid]) => {
    return [name, await sum(descendants(all, pid))] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<N, Memory>;
}

/**
 * Milliseconds of CPU time used by these processes and their descendants, including ended ones such as Postgres
 * connections; null without /proc.
 */
export async function cpuOf(roots: readonly number[]): Promise<number | null> {
  const all = await processes();
  if (all === null) return null;
  const pids = new Set(roots.flatMap((pid) => [...descendants(all, pid)]));
  const texts = await Promise.all([...pids].map((pid) => readGone(`/proc/${pid}/stat`)));
  // The name in brackets is followed by state, ppid, …; user and system time are the 12th and 13th, in 1/100 s, and
  // then those of ended children.
  const ticks = texts.flatMap((text) =>
    text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15),
  );
  return ticks.reduce((ms, count) => ms + 10 * Number(count), 0);
}

async function sum(pids: ReadonlySet<number>): Promise<Memory> {
  const texts = await Promise.all([...pids].map((pid) => readGone(`/proc/${pid}/smaps_rollup`)));
  const there = texts.filter((text) => text !== '');
  const megabytes = (field: string) => there.reduce((kb, text) => kb + kilobytes(text, field), 0) / 1024;
  return { rssMb: megabytes('Rss'), pssMb: megabytes('Pss'), processes: there.length };
}

async function processes(): Promise<Process[] | null> {
  if (process.platform !== 'linux') return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readGone(`/proc/${pid}/status`);
      return { pid, parent: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? -1) };
    }),
  );
  return found;
}

function descendants(all: readonly Process[], root: number): Set<number> {
  const tree = new Set([root]);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return tree;
}

function kilobytes(smaps: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(smaps)?.[1] ?? 0);
}

/** A process may end, or belong to another user, between the listing and the read: then it counts as nothing. */
async function readGone(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}
