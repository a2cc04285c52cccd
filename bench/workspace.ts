import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { stringify } from 'yaml';
import { z } from 'zod';
import { sandboxConfig } from '../sandbox/config.ts';
import { type Sandbox, startSandbox } from '../sandbox/start.ts';
import { SERVER_NAME } from '../src/store/embedded/data-folder.ts';
import { serverUrl } from '../src/store/embedded/guard.ts';
import { cpuOf, type Memory, memoryOf } from './processes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Everything counted or limited by the hour is out of the way: the load stands for many people and days. */
const roomy = {
  questions_per_hour: 10_000,
  plans_per_hour: 10_000,
  pages_per_hour: 1_000,
  posts_per_hour: 10_000,
};
const startMs = 60_000;

/** The local Slack, Jira and PagerDuty in this process, and the bot with its embedded Postgres in another. */
export class Workspace {
  readonly sandbox: Sandbox;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  #bot: ChildProcess | null = null;
  #log = '';

  private constructor(sandbox: Sandbox, folder: string, env: Readonly<Record<string, string>>) {
    this.sandbox = sandbox;
    this.#folder = folder;
    this.#env = env;
  }

  /** Starts only the sandbox; the data folder is empty. `settings` override those of the sandbox, `env` its environment. */
  static async create(settings: object = {}, env: Readonly<Record<string, string>> = {}): Promise<Workspace> {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
    const config = join(folder, 'countersign.yml');
    const approval = { four_eyes: false, expires_minutes: 1_440 };
    await writeFile(config, stringify({ ...sandboxConfig(), ...settings, approval, caps: roomy }));
    const sandbox = await startSandbox();
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    const own = { COUNTERSIGN_CONFIG: config, DATA_DIR: folder, LOG_LEVEL: 'warn' };
    return new Workspace(sandbox, folder, {
      ...{ PATH, HOME, NODE_COMPILE_CACHE, NODE_ENV: 'production' },
      ...{ ...sandbox.env, ...own, ...env },
    });
  }

  /** Starts the bot; resolves with the milliseconds until it listens to Slack. */
  async startBot(): Promise<number> {
    const from = performance.now();
    const bot = spawn(process.execPath, await startArguments(), {
      cwd: root,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#bot = bot;
    for (const stream of [bot.stdout, bot.stderr]) stream.on('data', (chunk) => (this.#log += String(chunk)));
    while (this.sandbox.slack.connections === 0) {
      const late = performance.now() - from > startMs;
      if (late || bot.exitCode !== null)
        throw new Error(`the bot did not start:\n${this.#log.slice(-4_000)}`);
      await pause(2);
    }
    return performance.now() - from;
  }

  /** Stops the bot as an operator does, including its Postgres. */
  async stopBot(): Promise<void> {
    const bot = this.#bot;
    this.#bot = null;
    if (bot === null || bot.exitCode !== null || bot.signalCode !== null) return;
    bot.kill('SIGINT');
    await once(bot, 'exit');
    while (this.sandbox.slack.connections > 0) await pause(2);
  }

  async close(): Promise<void> {
    await this.stopBot();
    await this.sandbox.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The bot's log at warn and above, for errors. */
  get log(): string {
    return this.#log.slice(-4_000);
  }

  /** The bot, and every process of its Postgres, which is not a child of the bot. */
  async memory(): Promise<Record<'bot' | 'postgres', Memory> | null> {
    return memoryOf(await this.#pids());
  }

  /** Milliseconds of CPU time used by the bot and its Postgres so far; null if unknown. */
  async cpu(): Promise<number | null> {
    return cpuOf(Object.values(await this.#pids()));
  }

  /**
   * Has Postgres look at its tables, as it does by itself within a minute of use. Until then it takes every table for a
   * small one, and fifty requests a second make them large in less.
   */
  async analyze(): Promise<void> {
    const folder = join(this.#folder, 'postgres');
    const [, , , port] = (await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n');
    const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
    const owner = { role: SERVER_NAME, password };
    const client = new pg.Client({ connectionString: serverUrl(Number(port), owner, SERVER_NAME) });
    await client.connect();
    try {
      await client.query('analyze');
    } finally {
      await client.end();
    }
  }

  async #pids(): Promise<Record<'bot' | 'postgres', number>> {
    const lock = await readFile(join(this.#folder, 'postgres/data/postmaster.pid'), 'utf8');
    const bot = this.#bot?.pid;
    if (bot === undefined) throw new TypeError('the bot does not run');
    return { bot, postgres: Number(lock.split('\n')[0]) };
  }
}

const packageSchema = z.object({ scripts: z.object({ start: z.string() }) });

/** The Node arguments of `npm start`, without the operator's own settings. */
async function startArguments(): Promise<string[]> {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  const [program, ...args] = packageSchema.parse(JSON.parse(text)).scripts.start.split(' ');
  if (program !== 'node') throw new TypeError('npm start does not start Node');
  return args.filter((arg) => !arg.startsWith('--env-file'));
}
