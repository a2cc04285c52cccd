import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Sandbox } from '../../sandbox/start.ts';
import { boot, lastWords } from '../../src/app/boot.ts';

export interface Bot {
  /** Everything it logged so far. */
  log(): string;
  /** Ends it as an operator does; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface BotProcess extends Bot {
  readonly process: ChildProcess;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** SIGKILL: nothing is cleaned up. */
  kill(): Promise<void>;
}

/** Starts the bot as its own process, as `npm start` does, against a local workspace and a database. */
export function spawnBot(env: Readonly<Record<string, string>>, args: readonly string[] = []): BotProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, ['--max-semi-space-size=8', 'src/main.ts', ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, LOG_LEVEL: 'debug', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
  const exit = once(child, 'exit');
  return {
    process: child,
    ended: exit.then(() => child.exitCode),
    log: () => log,
    async stop() {
      if (child.exitCode === null) child.kill('SIGINT');
      await exit;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
      // The local Slack notices its closed connection, and gives the next click to a process that is there.
      await pause(20);
    },
  };
}

/** Settings of a process whose machine’s clock is so many milliseconds ahead, or behind when negative. */
export function clockAhead(ms: number): { readonly NODE_OPTIONS: string } {
  const code = `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { super(...(given.length === 0 ? [Real.now() + ${ms}] : given)); }
      static now() { return Real.now() + ${ms}; }
    };`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}

/** Starts the bot and resolves once it is ready for what Slack sends; throws with its log when it ends before. */
export async function startBot(sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<BotProcess> {
  const bot = spawnBot({ ...sandbox.env, ...env });
  while (!bot.log().includes('Countersign is ready')) {
    if (bot.process.exitCode !== null) throw new Error(`the bot did not start:\n${bot.log()}`);
    await pause(20);
  }
  return bot;
}

/**
 * Starts the bot within the process of the tests, with the same settings, database and vendors: for all that is not about
 * processes. A process of its own takes a second of the machine to load its code.
 */
export async function startHere(sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<Bot> {
  let log = '';
  let ended: Promise<number> | null = null;
  trust(sandbox.env.NODE_EXTRA_CA_CERTS ?? '');
  const { starting } = await boot(
    { LOG_LEVEL: 'debug', ...sandbox.env, ...env },
    {
      onLost: () => undefined,
      out: { write: (line) => (log += line) },
    },
  );
  const app = await starting;
  return {
    log: () => log,
    stop() {
      ended ??= app.stop().then(() => 0);
      return ended;
    },
  };
}

export interface FailedStart {
  readonly code: number | null;
  readonly said: string;
}

/** The words of a start that must fail, and its exit code: within this process, where `main.ts` is not what is tested. */
export async function failedStart(env: Readonly<Record<string, string>>): Promise<FailedStart> {
  let said = '';
  const out = { write: (line: string) => (said += line) };
  try {
    const { starting } = await boot({ LOG_LEVEL: 'silent', ...env }, { onLost: () => undefined, out });
    await (await starting).stop();
  } catch (error) {
    const { code, said: last } = lastWords(error);
    return { code, said: `${said}${last}\n` };
  }
  throw new Error('it started');
}

const trusted = new Set<string>();

/** Node itself reads this setting only when a process starts, and every change makes it read all authorities again. */
export function trust(file: string): void {
  const authority = readFileSync(file, 'utf8');
  if (trusted.has(authority)) return;
  trusted.add(authority);
  setDefaultCACertificates([...getCACertificates('default'), authority]);
}

/** Asks again until there is an answer; throws with `describe` when there is none in time. */
export async function eventually<T>(
  ask: () => T | null | undefined | false,
  describe: () => string,
  ms = 15_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const answer = ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`it did not happen: ${describe()}`);
    await pause(20);
  }
}
