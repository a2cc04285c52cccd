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

/** One process of the bot, started again whenever it ends, as any supervisor does. */
export class Member {
  readonly name: string;
  readonly links: ReadonlyMap<string, Link>;
  /** How often it was started. */
  starts = 0;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #log = '';
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
    while (!this.#log.includes('Countersign is ready')) {
      if (this.starts > 3) throw new Error(`${this.name} does not start:\n${this.log}`);
      await pause(50);
    }
  }

  /** 0 while it is not there. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** False when it is just not there. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#child?.kill(signal) ?? false;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    await this.#supervising;
  }

  /** The end of what it has logged. */
  get log(): string {
    return this.#log.slice(-20_000);
  }

  async #supervise(): Promise<void> {
    while (!this.#isStopping) {
      this.starts += 1;
      const child = spawn(process.execPath, ['--max-semi-space-size=8', 'src/main.ts'], {
        env: this.#env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#child = child;
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => (this.#log = `${this.#log}${chunk}`.slice(-200_000)));
      await once(child, 'exit');
      if (!this.#isStopping) await pause(restartMs);
    }
  }
}
