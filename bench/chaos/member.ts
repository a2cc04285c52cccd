import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Link } from './link.ts';

export interface MemberOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its cables, by what they lead to. */
  readonly links: ReadonlyMap<string, Link>;
}

/** Milliseconds after which whatever runs a process starts it again when it has ended. */
const restartMs = 300;
/** Characters of its log that are kept. */
const keptLog = 200_000;
/** The line in which a process says that it is ready, and what it is called. */
const isReady = /"process":"([^"]+)"[^\n]*Countersign is ready/;

/** One process of the bot, started again whenever it ends, as any supervisor does. */
export class Member {
  readonly name: string;
  readonly links: ReadonlyMap<string, Link>;
  /** How often it was started. */
  starts = 0;
  readonly #env: Readonly<Record<string, string>>;
  /** Processes that were killed: what they were called among those that share the database, and when it was. */
  readonly kills: { readonly process: string; readonly atMs: number }[] = [];
  #child: ChildProcess | null = null;
  /** What all that were there before have logged, and the one that is there now. */
  #earlier = '';
  #log = '';
  #process: string | null = null;
  #isStopping = false;
  #supervising: Promise<void> = Promise.resolve();

  constructor({ name, env, links }: MemberOptions) {
    this.name = name;
    this.links = links;
    this.#env = env;
  }

  /** Starts it; resolves when it is ready for the first time. */
  async start(): Promise<void> {
    this.#supervising = this.#supervise();
    await this.ready();
  }

  /** Resolves when it is there and ready; throws when it ends again and again. */
  async ready(): Promise<void> {
    const before = this.starts;
    while (this.#process === null) {
      if (this.starts > before + 3) throw new Error(`${this.name} does not start:\n${this.log}`);
      await pause(20);
    }
  }

  /** Where Slack reaches it over HTTP. */
  get requestUrl(): string {
    return `http://127.0.0.1:${this.#env.PORT}/slack/events`;
  }

  /** 0 while it is not there. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** False when it is just not there. */
  signal(signal: NodeJS.Signals): boolean {
    const isThere = this.#child?.kill(signal) ?? false;
    if (isThere && signal === 'SIGKILL' && this.#process !== null)
      this.kills.push({ process: this.#process, atMs: performance.now() });
    return isThere;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    await this.#supervising;
  }

  /** The end of what it has logged. */
  get log(): string {
    return `${this.#earlier}${this.#log}`.slice(-20_000);
  }

  async #supervise(): Promise<void> {
    while (!this.#isStopping) {
      this.starts += 1;
      const child = spawn(process.execPath, ['--max-semi-space-size=8', 'src/main.ts'], {
        env: this.#env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#child = child;
      this.#earlier = `${this.#earlier}${this.#log}`.slice(-keptLog);
      this.#log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => this.#hear(child, String(chunk)));
      await once(child, 'exit');
      this.#process = null;
      if (!this.#isStopping) await pause(restartMs);
    }
  }

  #hear(child: ChildProcess, chunk: string): void {
    this.#log = `${this.#log}${chunk}`.slice(-keptLog);
    // Its last words may arrive when it is gone.
    if (child.exitCode === null && child.signalCode === null)
      this.#process ??= isReady.exec(this.#log)?.[1] ?? null;
  }
}
