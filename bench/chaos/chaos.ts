import { setTimeout as pause } from 'node:timers/promises';
import { verify } from '../../src/audit/chain.ts';
import { auditKeys } from '../../src/audit/key.ts';
import { openDatabase } from '../../src/store/database.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { keepEvidence } from './evidence.ts';
import { auditKey, type Fleet, type Shape, startFleet } from './fleet.ts';
import { People } from './people.ts';
import { Random } from './random.ts';
import { Takeovers } from './takeovers.ts';
import { chosen } from './trouble.ts';
import { type Account, type Verdict, verdictOf } from './verdict.ts';

export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly shape: Shape;
  /** Milliseconds between two requests in each workspace. */
  readonly everyMs: number;
  /** Two workspaces instead of one. */
  readonly several: boolean;
  /** A folder for all that can explain a failure; null writes none. */
  readonly evidence: string | null;
}

export interface ChaosResult {
  /** By workspace id. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly verdict: Verdict;
  /** Number of faults by kind. */
  readonly troubles: ReadonlyMap<string, number>;
  /** Number of process starts. */
  readonly starts: number;
  /** Milliseconds from a kill -9 until another process took over a run, one value per run. */
  readonly takeovers: readonly number[];
  readonly audit: string;
  /** Milliseconds from the end of all faults until everything was done. */
  readonly settledMs: number;
  /** The end of each process's log, for investigating failures. */
  readonly logs: ReadonlyMap<string, string>;
}

/** Milliseconds without any progress after which nothing more is expected: a busy machine is slow, not stuck. */
const stuckMs = 60_000;
/** Milliseconds to finish everything after the faults have ended. */
const settleMs = 600_000;

/** Milliseconds that a message may take once nothing is in its way. */
const onItsWayMs = 10_000;

/** Load and faults at the same time, then quiet, then the verdict. */
export async function chaos(options: ChaosOptions): Promise<ChaosResult> {
  const fleet = await startFleet(options.shape, { several: options.several });
  const takeovers = new Takeovers(fleet);
  const watched = takeovers.watch();
  try {
    const people = fleet.slacks.map((slack) => new People(fleet.sandbox, slack));
    const history: string[] = [];
    const note = (line: string) => void history.push(`${new Date().toISOString()} ${line}`);
    const troubles = await storm(fleet, people, { ...options, note });
    const settledMs = await settle(fleet, people, note);
    const accounts = new Map<string, Account>();
    for (const each of people) accounts.set(each.team, await accountOf(fleet, each, people));
    const verdict = together([...accounts.values()].map(verdictOf));
    if (options.evidence !== null) await keepEvidence(options.evidence, { fleet, accounts, history });
    return {
      ...{ accounts, troubles, settledMs, verdict, audit: await audited(fleet) },
      takeovers: takeovers.times,
      starts: fleet.members.reduce((sum, { starts }) => sum + starts, 0),
      logs: new Map(fleet.members.map(({ name, log }) => [name, log])),
    };
  } finally {
    takeovers.stop();
    await watched;
    await fleet.close();
  }
}

async function storm(
  fleet: Fleet,
  people: readonly People[],
  { seconds, seed, everyMs, note }: ChaosOptions & { note: (line: string) => void },
): Promise<Map<string, number>> {
  const random = new Random(seed);
  const victims = { ...fleet, faults: fleet.sandbox.faults };
  const troubles = new Map<string, number>();
  const under: Promise<void>[] = [];
  const end = Date.now() + seconds * 1_000;
  const load = (async () => {
    while (Date.now() < end) {
      for (const each of people) each.ask();
      await pause(everyMs);
    }
  })();
  const looks = (async () => {
    while (Date.now() < end) await look(people);
  })();
  while (Date.now() < end) {
    await pause(random.between(500, 4_000));
    const trouble = chosen(random);
    troubles.set(trouble.name, (troubles.get(trouble.name) ?? 0) + 1);
    note(`${trouble.name} begins`);
    under.push(trouble.make(victims, random).then(() => note(`${trouble.name} is over`)));
    // Only one crash at a time; other faults may overlap.
    if (trouble.name === 'Postgres crashes') await under.at(-1);
  }
  await Promise.all([load, looks, ...under]);
  return troubles;
}

/** Everything is reachable again; people continue until all is done. */
async function settle(
  fleet: Fleet,
  people: readonly People[],
  note: (line: string) => void,
): Promise<number> {
  const from = Date.now();
  note('no more trouble');
  fleet.sandbox.faults.clear();
  await allDone(people);
  let [seen, seenAt] = ['', from];
  // Twice in a row: a page resolved in one pass is reported in the next.
  for (let quiet = 0; quiet < 2 && Date.now() - seenAt < stuckMs && Date.now() - from < settleMs; ) {
    await look(people);
    const left = await leftOver(fleet).catch(() => ({ unknown: 1 }));
    const isDone =
      people.every((each) => !each.isWaiting()) && Object.values(left).every((count) => count === 0);
    quiet = isDone ? quiet + 1 : 0;
    const now = JSON.stringify([left, people.map((each) => each.everything().length)]);
    if (now === seen) continue;
    [seen, seenAt] = [now, Date.now()];
    note(`left: ${JSON.stringify(left)}, people wait: ${people.map((each) => each.isWaiting()).join(', ')}`);
  }
  await allDone(people);
  return Date.now() - from;
}

async function look(people: readonly People[]): Promise<void> {
  await Promise.all(people.map((each) => each.look()));
}

async function allDone(people: readonly People[]): Promise<void> {
  await Promise.all(people.map((each) => each.done()));
}

function together(verdicts: readonly Verdict[]): Verdict {
  const all = (kind: keyof Verdict) => [...new Set(verdicts.flatMap((each) => each[kind]))];
  return { lost: all('lost'), repeated: all('repeated'), untold: all('untold'), mixedUp: all('mixedUp') };
}

async function accountOf(fleet: Fleet, people: People, all: readonly People[]): Promise<Account> {
  const { team } = people;
  const runs = await rowsOf(
    fleet.postgres.ownerUrl,
    `select id from runs where mode = 'run' and team_id = '${team}'`,
  );
  const others = all.filter((each) => each !== people);
  return {
    asked: people.asked,
    messages: people.messages(),
    whispers: people.whispers(),
    effects: people.effects(),
    runs: runs.map(({ id }) => String(id)),
    elsewhere: others.map((each) => each.everything()).join('\n'),
    leftOver: await stillLeft(fleet),
  };
}

/** Rows that stay unfinished: a report about an incident may be on its way just now. */
async function stillLeft(fleet: Fleet): Promise<Record<string, number>> {
  const until = Date.now() + onItsWayMs;
  for (;;) {
    const left = await leftOver(fleet);
    if (Object.values(left).every((count) => count === 0) || Date.now() > until) return left;
    await pause(200);
  }
}

async function leftOver(fleet: Fleet): Promise<Record<string, number>> {
  const found = await rowsOf(
    fleet.postgres.ownerUrl,
    `select 'arrivals' as what, count(*)::int from inbox where done_at is null
     union all select 'runs', count(*)::int from runs where state = 'running'
     union all select 'messages', count(*)::int from outbox where state = 'pending'`,
  );
  return Object.fromEntries(found.map(({ what, count }) => [String(what), Number(count)]));
}

/** The state of the audit log afterwards. */
async function audited({ postgres, slacks }: Fleet): Promise<string> {
  const log = { info() {}, warn() {}, error() {} };
  const db = await openDatabase({ url: postgres.ownerUrl, max: 1, log, auditKeys: auditKeys([auditKey]) });
  try {
    let lines = 0;
    for (const { world } of slacks) {
      const found = await verify(db, world.team.id);
      if (!found.ok) return `BROKEN: ${JSON.stringify(found)}`;
      lines += found.count;
    }
    return `whole, ${lines} lines`;
  } finally {
    await db.destroy();
  }
}
