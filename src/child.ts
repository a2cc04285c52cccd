import { type ChildProcess, spawn } from 'node:child_process';
import { CountersignError } from './core/errors.ts';

/**
 * The only file that starts programs (`.dependency-cruiser.json`): each gets only what is passed here, and nothing else
 * of ours.
 */
export interface Program {
  /** A path, or a name to find on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Working folder. Programs read settings there, so it is never a folder that others write to. */
  readonly cwd: string;
  /** Its whole environment: the bot's own holds tokens, and none of it is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Another Unix account to run as. */
  readonly account?: { readonly uid: number; readonly gid: number } | null;
}

export interface ProgramLimits {
  /** A program that takes longer is killed, with all its child processes. */
  readonly timeoutMs: number;
  /** Characters kept of its output; the rest is read and dropped. */
  readonly maxOutput: number;
}

export interface ProgramResult {
  readonly exitCode: number | null;
  /** The beginning of its output on both streams. */
  readonly output: string;
}

/** How long to wait for the output of a program that has ended. */
const openPipesMs = 200;

/** It could not be started (`program_missing`) or took too long (`program_timeout`). */
export class ProgramError extends CountersignError {}

/** Starts a program for communication over its input and output; its error stream is dropped. */
export function startProgram(program: Program): ChildProcess {
  return start(program, ['pipe', 'pipe', 'ignore']);
}

/** Runs a program to completion. Throws a ProgramError. */
export async function runProgram(program: Program, limits: ProgramLimits): Promise<ProgramResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const child = start(program, ['ignore', 'pipe', 'pipe']);
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(0, limits.maxOutput);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const facts = { program: program.command };
  child.on('error', (error) => reject(new ProgramError('program_missing', error.message, facts, error)));
  child.on('close', (exitCode) => resolve({ exitCode, output }));
  // A process left running by the program may keep its pipes open.
  child.on('exit', (exitCode) => setTimeout(() => resolve({ exitCode, output }), openPipesMs).unref());
  const timer = setTimeout(() => {
    endProgram(child, 'SIGKILL');
    const says = `${program.command} did not end within ${limits.timeoutMs / 1_000} s and was killed.`;
    reject(new ProgramError('program_timeout', says, facts));
  }, limits.timeoutMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** Signals a program and all its child processes: it leads its own process group. */
export function endProgram(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: nothing of the group is left; macOS returns EPERM for one that only waits to be reaped.
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

function start(program: Program, stdio: ['pipe' | 'ignore', 'pipe', 'pipe' | 'ignore']): ChildProcess {
  return spawn(program.command, [...program.args], {
    cwd: program.cwd,
    env: program.env,
    stdio,
    shell: false,
    windowsHide: true,
    detached: process.platform !== 'win32',
    ...(program.account ?? {}),
  });
}
