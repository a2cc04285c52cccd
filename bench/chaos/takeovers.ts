import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Member } from './member.ts';

/** Milliseconds between checks, and so the precision of the figures. */
const lookMs = 50;

interface Watched {
  readonly postgres: { readonly ownerUrl: string };
  readonly members: readonly Pick<Member, 'kills'>[];
}

/** Measures how long runs of killed processes stay without a new holder. */
export class Takeovers {
  /** Milliseconds from a kill until another process had the run, one value per run. */
  readonly times: number[] = [];
  readonly #fleet: Watched;
  /** When the holder of each run was killed, for runs still held by a dead process. */
  #left = new Map<string, number>();
  #isOver = false;

  constructor(fleet: Watched) {
    this.#fleet = fleet;
  }

  /** Number of runs currently held by a dead process. */
  get waiting(): number {
    return this.#left.size;
  }

  /** Checks until `stop`. */
  async watch(): Promise<void> {
    while (!this.#isOver) {
      // Postgres itself may be down.
      await this.#look().catch(() => undefined);
      await pause(lookMs);
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  async #look(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#fleet.postgres.ownerUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      while (!this.#isOver) {
        const { rows } = await client.query<{ id: string; executor: string }>(
          "select id, executor from runs where state = 'running' and executor is not null",
        );
        this.#compare(rows);
        await pause(lookMs);
      }
    } finally {
      await client.end();
    }
  }

  #compare(rows: readonly { id: string; executor: string }[]): void {
    const kills = new Map(
      this.#fleet.members.flatMap((each) => each.kills.map(({ process, atMs }) => [process, atMs])),
    );
    const left = rows.flatMap(({ id, executor }): [string, number][] => {
      const atMs = kills.get(executor.split(':')[0] ?? '');
      return atMs === undefined ? [] : [[`${id} ${executor}`, atMs]];
    });
    const now = new Map(left);
    for (const [run, atMs] of this.#left) if (!now.has(run)) this.times.push(performance.now() - atMs);
    this.#left = now;
  }
}
