import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/start.ts';

export interface Bot {
  readonly process: ChildProcess;
  /** Everything it logged so far. */
  log(): string;
  /** Ends it as an operator does; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: nothing is cleaned up. */
  kill(): Promise<void>;
}

/** Starts the bot as its own process, as `npm start` does, against a local workspace and a database. */
export function spawnBot(env: Readonly<Record<string, string>>): Bot {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, LOG_LEVEL: 'debug', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
  const exit = once(child, 'exit');
  return {
    process: child,
    log: () => log,
    async stop() {
      if (child.exitCode === null) child.kill('SIGINT');
      await exit;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Starts the bot and resolves once it is ready for what Slack sends; throws with its log when it ends before. */
export async function startBot(sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<Bot> {
  const bot = spawnBot({ ...sandbox.env, ...env });
  while (!bot.log().includes('Countersign is ready')) {
    if (bot.process.exitCode !== null) throw new Error(`the bot did not start:\n${bot.log()}`);
    await pause(20);
  }
  return bot;
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
