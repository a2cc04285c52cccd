import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Link } from './link.ts';

export interface MemberOptions {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its links, by target. */
  readonly links: ReadonlyMap<string, Link>;
}

/** Milliseconds before the supervisor restarts a process that has ended. */
const restartMs = 300;
/** Characters kept of its log. */
const keptLog = 2_000_000;
/** The log line that says that a process is ready, with its id. */
const isReady = /"process":"([^"]+)"[^\n]*Countersign is ready/;

/** One bot process, restarted whenever it ends, as by any supervisor. */
export class Member {
  readonly name: string;
  readonly links: ReadonlyMap<string, Link>;
  /** Number of starts. */
  starts = 0;
  readonly #env: Readonly<Record<string, string>>;
  /** The module that leads its connections through its links. */
  readonly #cables: string;
  /** Killed processes: their ids in the shared database, and when they were killed. */
  readonly kills: { readonly process: string; readonly atMs: number }[] = [];
  #child: ChildProcess | null = null;
  /** Logs of all earlier processes, and of the current one. */
  #earlier = '';
  #log = '';
  #process: string | null = null;
  #isStopping = false;
  #supervising: Promise<void> = Promise.resolve();

  constructor({ name, env, links }: MemberOptions) {
    this.name = name;
    this.links = links;
    this.#env = env;
    const through = new URL('through-cables.ts', import.meta.url);
    for (const { target, port } of links.values()) through.searchParams.set(String(target), String(port));
    this.#cables = through.href;
  }

  /** Starts it; resolves when it is first ready. */
  async start(): Promise<void> {
    this.#supervising = this.#supervise();
    await this.ready();
  }

  /** Resolves when it is up and ready; throws when it keeps ending. */
  async ready(): Promise<void> {
    const before = this.starts;
    while (this.#process === null) {
      if (this.starts > before + 3) throw new Error(`${this.name} does not start:\n${this.log}`);
      await pause(20);
    }
  }

  /** Its address for Slack over HTTP. */
  get requestUrl(): string {
    return `http://127.0.0.1:${this.#env.PORT}/slack/events`;
  }

  /** 0 while it is down. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** False when it is currently down. */
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

  /** The end of its log. */
  get log(): string {
    return this.wholeLog.slice(-20_000);
  }

  /** All of its log that is kept. */
  get wholeLog(): string {
    return `${this.#earlier}${this.#log}`;
  }

  async #supervise(): Promise<void> {
    while (!this.#isStopping) {
      this.starts += 1;
      const child = spawn(
        process.execPath,
        ['--max-semi-space-size=8', '--import', this.#cables, 'src/main.ts'],
        {
          env: this.#env,
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
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
    // Its last output may arrive after it has ended.
    if (child.exitCode === null && child.signalCode === null)
      this.#process ??= isReady.exec(this.#log)?.[1] ?? null;
  }
}
