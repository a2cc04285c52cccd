import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { verify } from '../../src/store/audit.ts';
import { auditKeys } from '../../src/store/audit-key.ts';
import { openDatabase } from '../../src/store/database.ts';
import { auditKey, type Fleet, type Shape, startFleet } from './fleet.ts';
import { People } from './people.ts';
import { Random } from './random.ts';
import { chosen } from './trouble.ts';
import { type Account, type Verdict, verdictOf } from './verdict.ts';

export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly shape: Shape;
  /** Milliseconds between two requests. */
  readonly everyMs: number;
}

export interface ChaosResult {
  readonly account: Account;
  readonly verdict: Verdict;
  /** How often there was which trouble. */
  readonly troubles: ReadonlyMap<string, number>;
  /** How often processes were started. */
  readonly starts: number;
  readonly audit: string;
  /** Milliseconds from the end of all trouble until everything was done. */
  readonly settledMs: number;
  /** The last words of each process, for when something is wrong. */
  readonly logs: ReadonlyMap<string, string>;
}

/** Milliseconds that there are to finish everything when all trouble is over. */
const settleMs = 120_000;

/** Load and trouble at the same time, then quiet, then the account. */
export async function chaos(options: ChaosOptions): Promise<ChaosResult> {
  const fleet = await startFleet(options.shape);
  try {
    const people = new People(fleet.sandbox);
    const troubles = await storm(fleet, people, options);
    const settledMs = await settle(fleet, people);
    const account = await accountOf(fleet, people);
    return {
      ...{ account, troubles, settledMs, verdict: verdictOf(account), audit: await audited(fleet) },
      starts: fleet.members.reduce((sum, { starts }) => sum + starts, 0),
      logs: new Map(fleet.members.map(({ name, log }) => [name, log])),
    };
  } finally {
    await fleet.close();
  }
}

async function storm(
  fleet: Fleet,
  people: People,
  { seconds, seed, everyMs }: ChaosOptions,
): Promise<Map<string, number>> {
  const random = new Random(seed);
  const victims = { ...fleet, faults: fleet.sandbox.faults };
  const troubles = new Map<string, number>();
  const under: Promise<void>[] = [];
  const end = Date.now() + seconds * 1_000;
  const load = (async () => {
    while (Date.now() < end) {
      people.ask();
      await pause(everyMs);
    }
  })();
  const looks = (async () => {
    while (Date.now() < end) await people.look();
  })();
  while (Date.now() < end) {
    await pause(random.between(500, 4_000));
    const trouble = chosen(random);
    troubles.set(trouble.name, (troubles.get(trouble.name) ?? 0) + 1);
    under.push(trouble.make(victims, random));
    // Of crashes one at a time; all else may come together.
    if (trouble.name === 'Postgres crashes') await under.at(-1);
  }
  await Promise.all([load, looks, ...under]);
  return troubles;
}

/** Everything is in reach again; people go on until all is done. */
async function settle(fleet: Fleet, people: People): Promise<number> {
  const from = Date.now();
  fleet.sandbox.faults.clear();
  await people.done();
  while (Date.now() - from < settleMs) {
    await people.look();
    const left = await leftOver(fleet).catch(() => ({ unknown: 1 }));
    if (people.open().length === 0 && Object.values(left).every((count) => count === 0)) break;
  }
  await people.done();
  return Date.now() - from;
}

async function accountOf(fleet: Fleet, people: People): Promise<Account> {
  const runs = await rows<{ id: string }>(fleet, `select id from runs where mode = 'run'`);
  return {
    asked: people.asked,
    messages: people.messages(),
    whispers: people.whispers(),
    effects: people.effects(),
    runs: runs.map(({ id }) => id),
    leftOver: await leftOver(fleet),
  };
}

async function leftOver(fleet: Fleet): Promise<Record<string, number>> {
  const found = await rows<{ what: string; count: number }>(
    fleet,
    `select 'arrivals' as what, count(*)::int from inbox where done_at is null
     union all select 'runs', count(*)::int from runs where state = 'running'
     union all select 'messages', count(*)::int from outbox where state = 'pending'`,
  );
  return Object.fromEntries(found.map(({ what, count }) => [what, count]));
}

async function rows<R extends pg.QueryResultRow>({ postgres }: Fleet, statement: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  try {
    return (await client.query<R>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** What can be said of the audit log afterwards. */
async function audited({ postgres, sandbox }: Fleet): Promise<string> {
  const log = { info() {}, warn() {}, error() {} };
  const db = await openDatabase({ url: postgres.ownerUrl, max: 1, log, auditKeys: auditKeys([auditKey]) });
  try {
    const found = await verify(db, sandbox.world.team.id);
    return found.ok ? `whole, ${found.count} lines` : `BROKEN: ${JSON.stringify(found)}`;
  } finally {
    await db.destroy();
  }
}
