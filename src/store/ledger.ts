import * as audit from './audit.ts';
import type { Db } from './tables.ts';

/** What a piece of work gives back, and the audit lines that stand or fall with it. */
export interface Done<T> {
  readonly value: T;
  readonly lines: readonly audit.AuditEntry[];
}

export type Work<T> = (trx: Db) => Promise<Done<T>>;

interface Job {
  readonly teamId: string;
  readonly work: Work<unknown>;
  readonly end: { resolve(value: unknown): void; reject(error: unknown): void };
}

/** Jobs in one transaction at most, so that the first of them does not wait long for the last. */
const maxBatch = 32;
const ledgers = new WeakMap<Db, Job[]>();

/**
 * Does work together with its audit lines in one transaction and resolves when both are on disk. The chain of the team
 * is locked before the work looks at anything: what it reads cannot be overtaken by a line that comes before its own,
 * and nobody waits for the chain while holding rows. What comes together shares a transaction, because each waits for
 * the chain and for the disk; when one of them fails all are rolled back and done one by one, so work may be repeated.
 * Their statements are interleaved: a rule between two of them has to hold within one statement or as a constraint.
 */
export function audited<T>(db: Db, teamId: string, work: Work<T>): Promise<T> {
  if (db.isTransaction) return inside(db, teamId, work);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const job = { teamId, work, end: { resolve: (value: unknown) => resolve(value as T), reject } };
  const waiting = ledgers.get(db);
  if (waiting !== undefined) waiting.push(job);
  else {
    const queue: Job[] = [job];
    ledgers.set(db, queue);
    void drain(db, queue);
  }
  return promise;
}

/** Inside another transaction it stands or falls with that one. */
async function inside<T>(trx: Db, teamId: string, work: Work<T>): Promise<T> {
  await audit.lockChain(trx, teamId);
  const { value, lines } = await work(trx);
  if (lines.length > 0) await audit.appendAll(trx, teamId, lines);
  return value;
}

async function drain(db: Db, queue: Job[]): Promise<void> {
  while (queue.length > 0) await settle(db, queue.splice(0, maxBatch));
  ledgers.delete(db);
}

async function settle(db: Db, jobs: readonly Job[]): Promise<void> {
  try {
    const values = await together(db, jobs);
    jobs.forEach(({ end }, index) => {
      end.resolve(values[index]);
    });
  } catch (error) {
    if (jobs.length === 1) jobs[0]?.end.reject(error);
    else for (const job of jobs) await settle(db, [job]);
  }
}

/** Waits for all before it fails with the first error: nothing may go on in a transaction that is rolled back. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

function together(db: Db, jobs: readonly Job[]): Promise<unknown[]> {
  // Always in the same order, or two processes could wait for each other's chains.
  const teams = [...new Set(jobs.map(({ teamId }) => teamId))].sort();
  return db.transaction().execute(async (trx) => {
    for (const teamId of teams) await audit.lockChain(trx, teamId);
    const done = await allOf(jobs.map(({ work }) => work(trx)));
    for (const teamId of teams) {
      const lines = done.flatMap((each) => each.lines).filter((line) => line.teamId === teamId);
      if (lines.length > 0) await audit.appendAll(trx, teamId, lines);
    }
    return done.map(({ value }) => value);
  });
}
