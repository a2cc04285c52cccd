import { open, readFile, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ProgramError, runProgram } from '../../child.ts';
import { systemCode } from './errors.ts';

const EMPTY_LOCK_MS = 5_000;

/**
 * Contents of `postmaster.pid`: pid, data folder, start time, port, socket folder, listen address, shared memory key,
 * status (PostgreSQL source, miscadmin.h, LOCK_FILE_LINE_*).
 */
export interface Postmaster {
  readonly pid: number;
  /** Null while the server has not got that far. */
  readonly port: number | null;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/** Reads the lock file of a data folder; null if it is missing or not a lock file. */
export async function readPostmaster(data: string): Promise<Postmaster | null> {
  const text = await readOptional(pidFile(data));
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const port = Number(lines[3]);
  const status = lines[7] === 'ready' || lines[7] === 'stopping' ? lines[7] : 'starting';
  return { pid, port: Number.isInteger(port) && port > 0 ? port : null, status };
}

/** True when a Postgres runs under that pid; false when no process does, or another program has reused the number. */
export async function isServerAlive(pid: number): Promise<boolean> {
  if (!isProcessAlive(pid)) return false;
  const name = await programName(pid);
  return name === null || path.basename(name).replace(/\.exe$/, '') === 'postgres';
}

/**
 * Neutralises a lock file whose pid now belongs to another program. Removing it would also lose the shared memory key,
 * by which Postgres detects survivors of a crashed server. pg_ctl passes its caller's pid to the server, which does not
 * treat that as a rival, so we write our own. A file that its server removes meanwhile stays removed: opening it with
 * create would bring it back empty.
 */
export async function disownPid(data: string): Promise<void> {
  const file = await open(pidFile(data), 'r+').catch(ifMissing);
  if (file === null) return;
  try {
    const text = (await file.readFile('utf8')).replace(/^\s*\d+/, String(process.pid));
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
}

/**
 * Removes an empty lock file. A starting server fills it within milliseconds; one that stays empty was left by a
 * machine crash at that moment, and Postgres would refuse to start until someone removes it.
 */
export async function removeEmptyLock(data: string): Promise<void> {
  try {
    const found = await stat(pidFile(data));
    if (found.size === 0 && Date.now() - found.mtimeMs > EMPTY_LOCK_MS) await rm(pidFile(data));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** True when `data` and the data folder reported by the server are the same place. */
export async function isSameFolder(data: string, reported: string): Promise<boolean> {
  return (await realpath(data)) === (await realpath(reported).catch(() => reported));
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function pidFile(data: string): string {
  return path.join(data, 'postmaster.pid');
}

async function readOptional(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(ifMissing)) ?? '';
}

/** Null for a missing file; rethrows any other error. */
function ifMissing(error: unknown): null {
  if (systemCode(error) === 'ENOENT') return null;
  throw error;
}

/** Name of the program with a pid, or null if unknown (then it counts as a Postgres). */
async function programName(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const status = await readOptional(`/proc/${pid}/status`);
    // A dead server that nobody has reaped (the bot as pid 1 of a container) keeps its pid and name.
    if (/^State:\s+Z/m.test(status)) return 'zombie';
    return /^Name:\s+(.+)$/m.exec(status)?.[1] ?? null;
  }
  if (process.platform === 'win32') return null;
  const ps = {
    command: 'ps',
    args: ['-p', String(pid), '-o', 'comm='],
    cwd: '/',
    env: { PATH: '/bin:/usr/bin' },
  };
  try {
    const { output } = await runProgram(ps, { timeoutMs: 5_000, maxOutput: 1_000 });
    return output.trim() || null;
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    // No `ps`: the next liveness check decides.
    return null;
  }
}
