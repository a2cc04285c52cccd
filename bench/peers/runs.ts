import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { basisOf, changedSince, type Rules } from '../../src/approval/basis.ts';
import { type Catalogue, openCatalogue } from '../../src/core/catalogue.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Readers, Writers } from '../../src/core/ports.ts';
import { seal } from '../../src/core/revision.ts';
import type { RunEvent, StepResult } from '../../src/core/run.ts';
import type { Tool } from '../../src/core/tool.ts';
import { lookMs } from '../../src/process/clock.ts';
import { every } from '../../src/process/repeat.ts';
import { createCodePool } from '../../src/run/code/pool.ts';
import type { WorkDeps } from '../../src/run/context.ts';
import { createRunner } from '../../src/run/runner.ts';
import { openDatabase } from '../../src/store/database.ts';
import { decide } from '../../src/store/decide.ts';
import { propose as storeProposal } from '../../src/store/propose.ts';
import * as requests from '../../src/store/requests.ts';
import * as revisions from '../../src/store/revisions.ts';
import * as runs from '../../src/store/runs.ts';
import * as steps from '../../src/store/steps.ts';
import type { Db } from '../../src/store/tables.ts';
import { unconfigured } from '../../src/vendors/http/unconfigured.ts';
import { rulesFor } from '../../test/support/rules.ts';
import { type GivenPlan, planOf } from './plan.ts';

const teamId = 'T0BENCH';
const [requester, approver] = ['U0ASKS', 'U0APPROVES'];
const number = 1;
const dayMs = 86_400_000;
const policy: Policy = {
  rules: rulesFor({ '*': [{ kind: 'user', id: approver }] }, true),
  serviceOf: {},
  breakGlass: [],
  reads: 'run',
  code: 'playbooks',
  expiresMinutes: 1_440,
  caps: {
    steps: 40,
    writes: 20,
    pagesPerHour: 1e6,
    postsPerHour: 1e6,
    questionsPerHour: 1e6,
    plansPerHour: 1e6,
    modelUsdPerDay: 1,
  },
};

type Results = Record<string, unknown>;
/** Digests of shown cards, by run id. */
type Cards = Map<string, string>;

/** Plan, approval and execution with our store and runner, as the harness requests them. */
export interface Runs {
  suspend(id: string, plan: GivenPlan): Promise<void>;
  approve(id: string): Promise<Results>;
  result(id: string): Promise<Results | null>;
  recover(): Promise<{ awaiting: string[]; inDoubt: number }>;
  close(): Promise<void>;
}

/** A separate database on `server` for each folder: a process that opens the same folder again finds its runs. */
export async function openRuns(
  server: string,
  folder: string,
  tools: ReadonlyMap<string, Tool>,
): Promise<Runs> {
  const url = await databaseFor(server, folder);
  const log = {
    info() {},
    error() {},
    warn: (facts: object, message: string) => console.error(message, facts),
  };
  const db = await openDatabase({ url, max: 5, log });
  const catalogue = catalogueOf(tools);
  const rules = { catalogue, policy };
  const ended = new Map<string, (results: Results) => void>();
  const cards: Cards = new Map();
  const work: WorkDeps = {
    ...{ db, tools, catalogue, policy, log },
    changedSince: (sealed) => changedSince(sealed, rules),
    readers: nothing,
    code: createCodePool({ size: 1 }),
    writers: noWriters,
    threadLink: async () => null,
    judge: null,
    messagesFor: async () => [],
    emit: async (event) => tell(ended, event),
    now: () => new Date(),
    sleep: (ms) => pause(ms),
    random: Math.random,
  };
  const runner = await createRunner({
    ...{ db, databaseUrl: url, log, workOf: () => work },
    onLost: () => process.exit(70),
    whileOpen: (round) => every(lookMs, round, log),
  });
  return {
    async suspend(id, given) {
      cards.set(id, await propose(db, id, given, rules));
    },
    async approve(id) {
      await grant(db, cards, id);
      const end = Promise.withResolvers<Results>();
      ended.set(runIdOf(id), end.resolve);
      void runner.run({ teamId, runId: runIdOf(id) });
      return end.promise;
    },
    async result(id) {
      const run = await runs.get(db, { teamId, runId: runIdOf(id) });
      if (run?.state !== 'finished') return null;
      const rows = await steps.stepResults(db, teamId, run.id);
      return resultsOf(rows.flatMap((row) => steps.toStepResult(row) ?? []));
    },
    async recover() {
      while ((await runs.openRuns(db)).length > 0) await pause(20);
      const open = await revisions.listOpen(db, { teamId, limit: 10_000 });
      const doubtful = await db.selectFrom('writes').select('key').where('state', '=', 'unknown').execute();
      return { awaiting: open.map((row) => row.requestId), inDoubt: doubtful.length };
    },
    async close() {
      await runner.stop();
      await db.destroy();
    },
  };
}

function runIdOf(id: string): string {
  return `run-${id}`;
}

async function propose(db: Db, id: string, given: GivenPlan, rules: Rules): Promise<string> {
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + dayMs);
  const where = { teamId, via: 'command', channel: 'C0BENCH', threadTs: null, quoted: null } as const;
  await requests.insert(db, { ...where, id, requester, goal: given.title, createdAt }, 'planning');
  const of = { teamId, requestId: id, number, authors: [requester] };
  const plan = planOf(given, id);
  const { digest, bytes } = seal({
    ...of,
    ...basisOf({ plan, targets: [] }, rules),
    format: 1,
    requester,
    plan,
    targets: [],
    notes: [],
    planner: 'offline',
    estimate: { p50Ms: null, p95Ms: null, usd: 0 },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  });
  await storeProposal(db, {
    ...of,
    digest,
    bytes,
    targets: [],
    nudgeAt: null,
    origin: {},
    cause: id,
    createdAt,
    expiresAt,
    actor: requester,
  });
  return digest;
}

async function grant(db: Db, cards: Cards, id: string): Promise<void> {
  // A click brings the digest of its card; a process that did not post it looks it up.
  const digest = cards.get(id) ?? (await revisions.get(db, teamId, id, number))?.digest ?? '';
  cards.delete(id);
  const yes = { to: 'approved', by: approver, reason: null, now: new Date() } as const;
  const decided = await decide(db, { teamId, requestId: id, number, digest, runId: runIdOf(id), ...yes });
  if (!decided.ok) throw new Error(`not approved: ${decided.why}`);
}

/** The end of a run is stored before it is reported. */
function tell(ended: Map<string, (results: Results) => void>, event: RunEvent): void {
  if (event.type !== 'finished') return;
  ended.get(event.runId)?.(resultsOf(event.results));
  ended.delete(event.runId);
}

function resultsOf(results: readonly StepResult[]): Results {
  return Object.fromEntries(results.map(({ stepId, status, result }) => [stepId, result ?? status]));
}

async function databaseFor(server: string, folder: string): Promise<string> {
  const name = `bench_${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

function catalogueOf(tools: ReadonlyMap<string, Tool>): Catalogue {
  return { ...openCatalogue([...tools.values()].map(({ tool }) => tool.manifest)), open: false };
}

/** The harness's tools work in this process and call no vendor. */
const nobody = new Proxy({}, { get: () => unconfigured('no vendor: none is asked here') });
const nothing = nobody as Readers;
const noWriters = nobody as Writers;
