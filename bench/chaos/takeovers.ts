import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Member } from './member.ts';

/** Milliseconds between two looks, and so how exact the figures are. */
const lookMs = 50;

interface Watched {
  readonly postgres: { readonly ownerUrl: string };
  readonly members: readonly Pick<Member, 'kills'>[];
}

/** How long the runs of killed processes stay theirs. */
export class Takeovers {
  /** Milliseconds from a kill until another process had the run, one for each run. */
  readonly times: number[] = [];
  readonly #fleet: Watched;
  /** When the process of each run that is still a dead one's was killed. */
  #left = new Map<string, number>();
  #isOver = false;

  constructor(fleet: Watched) {
    this.#fleet = fleet;
  }

  /** Runs that are a dead process's now. */
  get waiting(): number {
    return this.#left.size;
  }

  /** Looks until `stop`. */
  async watch(): Promise<void> {
    while (!this.#isOver) {
      // Postgres is one of those that die.
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
