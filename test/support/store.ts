import { afterAll, beforeAll } from 'vitest';
import { digestOf } from '../../src/core/canonical.ts';
import type { Request } from '../../src/core/request.ts';
import type { RunOutcome } from '../../src/core/run.ts';
import { openDatabase } from '../../src/store/database.ts';
import { decide } from '../../src/store/decide.ts';
import { take } from '../../src/store/load-run.ts';
import { type ProposedRevision, propose } from '../../src/store/propose.ts';
import * as requests from '../../src/store/requests.ts';
import { commit } from '../../src/store/run-progress.ts';
import type { AuditRow, Db, WriteRow } from '../../src/store/tables.ts';
import * as writes from '../../src/store/writes.ts';
import { type FreshDatabase, migratedDatabase } from './postgres.ts';

export const TEAM = 'T0001';
export const NOON = new Date('2026-03-02T12:00:00.000Z');

/** A moment some minutes after noon (or before it). */
export function minutes(count: number): Date {
  return new Date(NOON.getTime() + count * 60_000);
}

/** Opens an own database for a test file, closes and drops it at the end. `second()` is another process's pool. */
export function openTestStore(): { db: () => Db; second: () => Db; url: () => string } {
  let database: FreshDatabase | undefined;
  const open: Db[] = [];
  const log = { info() {}, warn() {}, error() {} };
  beforeAll(async () => {
    database = await migratedDatabase();
    for (let count = 0; count < 2; count += 1) open.push(await openDatabase({ url: database.url, log }));
  });
  afterAll(async () => {
    for (const db of open) await db.destroy();
    await database?.drop();
  });
  const must = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the store opens in beforeAll');
    return value;
  };
  return { db: () => must(open[0]), second: () => must(open[1]), url: () => must(database).url };
}

/** Stores a request; ids have to differ within a test file. */
export async function givenRequest(db: Db, id: string, changes: Partial<Request> = {}): Promise<Request> {
  const request: Request = {
    teamId: TEAM,
    id,
    goal: 'Check open P1 tickets in OPS',
    via: 'command',
    requester: 'U0ANA',
    channel: 'C0INC',
    threadTs: null,
    quoted: null,
    createdAt: NOON,
    ...changes,
  };
  await requests.insert(db, request, 'planning');
  return request;
}

/** A revision of it that expires an hour after noon, as `propose` takes it. */
export function revisionOf(
  request: Request,
  number: number,
  changes: Partial<ProposedRevision> = {},
): ProposedRevision {
  return {
    teamId: request.teamId,
    requestId: request.id,
    number,
    digest: digestOf({ request: request.id, number }),
    bytes: `{"request":"${request.id}"}`,
    authors: [request.requester],
    targets: [],
    nudgeAt: null,
    origin: { planner: 'offline' },
    createdAt: minutes(number),
    expiresAt: minutes(60),
    actor: request.requester,
    cause: `cause:${request.id}:${number}`,
    ...changes,
  };
}

/** A request whose first revision was approved; returns the run that came of it. */
export async function givenRun(
  db: Db,
  id: string,
  changes: Partial<Request> = {},
  by = 'U0BEN',
): Promise<{ runId: string; digest: string }> {
  const request = await givenRequest(db, id, changes);
  const revision = revisionOf(request, 1);
  await propose(db, revision);
  const { teamId, requestId, number, digest } = revision;
  const result = await decide(db, {
    teamId,
    requestId,
    number,
    digest,
    to: 'approved',
    by,
    reason: null,
    now: minutes(2),
  });
  if (!result.ok || result.runId === null) throw new Error('the approval was refused');
  return { runId: result.runId, digest };
}

/** Notes a write as a process does that is about to make it. */
export async function givenIntent(
  db: Db,
  intent: Omit<writes.WriteIntent, 'attempt' | 'executor'>,
  caps: readonly writes.WriteCap[] = [],
): Promise<writes.Noted> {
  return writes.note(db, { attempt: 1, executor: 'another', ...intent }, { known: null, caps });
}

/** Ends a run as the process that has it. */
export async function endRun(db: Db, end: { teamId: string; runId: string; outcome: RunOutcome; at: Date }) {
  await take(db, { ...end, entered: 0 }, 'test');
  return commit(db, {
    ...{ ...end, executor: 'test:1', steps: [], lines: [], writes: [], messages: [] },
    end: { ...end, request: null, answered: null, arrivals: [], checks: [] },
  });
}

/** A run that an earlier test left open would go on in the middle of the next one. */
export async function endOpenRuns(db: Db): Promise<void> {
  const over = { state: 'finished', outcome: 'failed' } as const;
  await db.updateTable('runs').set(over).where('state', '=', 'running').execute();
}

/** Lines of the audit log about one subject (all when it is not given), newest first. */
export function auditRows(db: Db, teamId: string, subject?: string): Promise<AuditRow[]> {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('teamId', '=', teamId)
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject ?? ''))
    .orderBy('seq', 'desc')
    .execute();
}

/** The writes of a run. */
export function writeRows(db: Db, runId: string): Promise<WriteRow[]> {
  return db.selectFrom('writes').selectAll().where('runId', '=', runId).orderBy('createdAt').execute();
}
