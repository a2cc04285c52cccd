import { setTimeout as pause } from 'node:timers/promises';
import type { Faults } from '../../sandbox/faults.ts';
import type { Link } from './link.ts';
import type { Member } from './member.ts';
import type { CrashingPostgres } from './postgres.ts';
import type { Random } from './random.ts';

/** The targets of faults. */
export interface Victims {
  readonly members: readonly Member[];
  readonly postgres: CrashingPostgres;
  readonly faults: Faults;
  /** Points every connection to Postgres at its new port. */
  reconnect(): void;
}

/** A fault that begins, lasts, and ends by itself. */
export interface Trouble {
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  make(victims: Victims, random: Random): Promise<void>;
}

async function forAWhile(link: Link | undefined, how: 'cut' | 'silence', ms: number): Promise<void> {
  link?.[how]();
  await pause(ms);
  link?.heal();
}

const vendors = ['slack', 'jira', 'pagerduty-rest', 'pagerduty-events'] as const;

export const troubles: readonly Trouble[] = [
  {
    name: 'kill -9',
    weight: 4,
    make: async ({ members }, random) => void random.pick(members).signal('SIGKILL'),
  },
  {
    name: 'stop, as for a new version',
    weight: 3,
    make: async ({ members }, random) => void random.pick(members).signal('SIGTERM'),
  },
  {
    name: 'stall',
    weight: 3,
    async make({ members }, random) {
      const member = random.pick(members);
      member.signal('SIGSTOP');
      await pause(random.between(500, 8_000));
      member.signal('SIGCONT');
    },
  },
  {
    name: 'Postgres out of reach of one',
    weight: 3,
    make: ({ members }, random) =>
      forAWhile(
        random.pick(members).links.get('postgres'),
        random.pick(['cut', 'silence']),
        random.between(200, 8_000),
      ),
  },
  {
    name: 'a vendor out of reach of one',
    weight: 4,
    make: ({ members }, random) =>
      forAWhile(
        random.pick(members).links.get(random.pick(vendors)),
        random.pick(['cut', 'silence']),
        random.between(200, 5_000),
      ),
  },
  {
    name: 'a vendor’s answers are lost',
    weight: 4,
    async make({ faults }, random) {
      const times = 1 + Math.floor(random.next() * 3);
      const id = faults.add({ vendor: random.pick(vendors), kind: 'lost-answer', times });
      await pause(3_000);
      faults.remove(id);
    },
  },
  {
    name: 'Postgres crashes',
    weight: 1,
    async make({ postgres, reconnect }, random) {
      await postgres.crash(random.between(100, 1_500));
      reconnect();
    },
  },
];

/** A random fault, by weight. */
export function chosen(random: Random): Trouble {
  let left = random.next() * troubles.reduce((sum, { weight }) => sum + weight, 0);
  const found = troubles.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return found ?? random.pick(troubles);
}
