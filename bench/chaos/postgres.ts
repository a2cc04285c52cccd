import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';

const quiet = { info() {}, warn() {}, error() {} };

/** The single Postgres of all processes, which can crash. */
export class CrashingPostgres {
  readonly #folder: string;
  #server: EmbeddedPostgres;

  private constructor(folder: string, server: EmbeddedPostgres) {
    this.#folder = folder;
    this.#server = server;
  }

  static async start(folder: string): Promise<CrashingPostgres> {
    return new CrashingPostgres(folder, await startEmbeddedPostgres({ dataDir: folder, log: quiet }));
  }

  /** Connection string of the bot's role, and of the role that owns the tables. */
  get url(): string {
    return this.#server.url;
  }

  get ownerUrl(): string {
    return this.#server.ownerUrl;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Like a power cut: only data already on disk survives. Comes back on another port. */
  async crash(downMs: number): Promise<void> {
    const text = await readFile(join(this.#folder, 'postgres/data/postmaster.pid'), 'utf8');
    const pid = Number(text.split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    while (isAlive(pid)) await pause(20);
    await pause(downMs);
    this.#server = await startEmbeddedPostgres({ dataDir: this.#folder, log: quiet });
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
