import type { AuditEntry } from '../audit/chain.ts';
import { audited, type Behind } from '../audit/ledger.ts';
import type { CheckDue, RunOutcome } from '../core/run.ts';
import * as checks from './checks.ts';
import * as inbox from './inbox.ts';
import * as outbox from './outbox.ts';
import * as requests from './requests.ts';
import * as revisions from './revisions.ts';
import type { RunKey } from './runs.ts';
import * as runs from './runs.ts';
import * as shownCards from './shown-cards.ts';
import * as steps from './steps.ts';
import type { Db } from './tables.ts';
import { factsOf, type WriteFacts } from './write-facts.ts';
import * as writes from './writes.ts';

/** Progress of a run since it last stored something. */
export interface StoredProgress extends RunKey {
  /** The process that made the progress: nothing is stored for a run that another one has taken over. */
  readonly executor: string;
  readonly steps: readonly steps.StepNow[];
  readonly lines: readonly AuditEntry[];
}

export interface Commit extends StoredProgress {
  readonly writes: readonly writes.EndedWrite[];
  readonly messages: readonly outbox.OutboxMessage[];
  /** Null while the run goes on. */
  readonly end: {
    readonly outcome: RunOutcome;
    readonly at: Date;
    /** The new state of its request; null for a dry run. */
    readonly request: requests.Move | null;
    /** The revision that needs no approval, because there is nothing to write. */
    readonly answered: { readonly requestId: string; readonly number: number } | null;
    /** The work that its end leaves to other processes. */
    readonly arrivals: readonly inbox.Entry[];
    /** Writes to be looked up afterwards. */
    readonly checks: readonly CheckDue[];
  } | null;
}

/**
 * - `intended`: it is in the log, and this process may make it.
 * - `refused`: the caller's verdict on the facts.
 * - `existing`: another process got here first.
 * - `lost`: the run has ended, or another process has it.
 */
export type IntendResult<R> =
  | { readonly kind: 'lost' }
  | { readonly kind: 'intended' }
  | { readonly kind: 'refused'; readonly refusal: R }
  | Exclude<writes.Noted, { kind: 'noted' }>;

export interface Intent extends writes.WriteIntent, StoredProgress {
  readonly caps: readonly writes.WriteCap[];
  /** The line that must be on disk before the write. */
  readonly line: AuditEntry;
}

/** Something forbids the write, or it is not the first attempt: it is looked at closely. */
class NotAtOnceError extends Error {}

/**
 * Records the intent of a write with everything leading up to it. Anything that may forbid it is checked under the lock
 * of the audit chain: a stop recorded in the log always holds, and the log never shows a write after a stop.
 */
export async function intend<R>(
  db: Db,
  intent: Intent,
  refusal: (facts: WriteFacts) => R | null,
): Promise<IntendResult<R>> {
  try {
    if (intent.attempt === 1) return await intendAtOnce(db, { ...intent, attempt: 1 }, refusal);
  } catch (error) {
    if (!(error instanceof NotAtOnceError)) throw error;
  }
  return intendClosely(db, intent, refusal);
}

/** Stores the intent without waiting for what may forbid it; if anything does, it is rolled back. */
function intendAtOnce(
  db: Db,
  intent: Intent & { readonly attempt: 1 },
  refusal: (facts: WriteFacts) => unknown,
): Promise<{ readonly kind: 'intended' }> {
  return audited(db, intent.teamId, async (trx) => {
    const [facts, isFirst] = await Promise.all([
      factsOf(trx, intent),
      writes.insert(trx, intent, intent.caps),
      keep(trx, intent),
    ]);
    const isAllowed = facts?.held === true && facts.write === null && refusal(facts) === null;
    if (!isAllowed || !isFirst) throw new NotAtOnceError();
    return { value: { kind: 'intended' }, lines: [...intent.lines, intent.line] };
  });
}

function intendClosely<R>(
  db: Db,
  intent: Intent,
  refusal: (facts: WriteFacts) => R | null,
): Promise<IntendResult<R>> {
  return audited<IntendResult<R>>(db, intent.teamId, async (trx) => {
    const facts = await factsOf(trx, intent);
    if (facts === null || !facts.held) return { value: { kind: 'lost' }, lines: [] };
    const refused = refusal(facts);
    const kept = keep(trx, intent);
    if (refused !== null) {
      await kept;
      return { value: { kind: 'refused', refusal: refused }, lines: intent.lines };
    }
    const { caps } = intent;
    const [noted] = await Promise.all([writes.note(trx, intent, { known: facts.write, caps }), kept]);
    if (noted.kind !== 'noted') return { value: noted, lines: intent.lines };
    return { value: { kind: 'intended' }, lines: [...intent.lines, ...(noted.fresh ? [intent.line] : [])] };
  });
}

/** The commit is discarded: another process has the run, or it is over. */
class NotHeldError extends Error {}

/** Stores a run's progress, its messages, its end and what that leaves to do in one transaction. False when another process has the run. */
export async function commit(db: Db, progress: Commit, behind?: Behind): Promise<boolean> {
  const { teamId } = progress;
  try {
    const work = async (trx: Db) => {
      // All at once, without waiting for each other's results; if the run is not held, everything is rolled back.
      const [held, lines, answered, shown] = await Promise.all([
        hold(trx, progress),
        settle(trx, progress),
        closeAnswered(trx, progress),
        recordShown(trx, progress),
        keep(trx, progress),
        outbox.enqueueAll(trx, progress.messages),
        progress.end && inbox.storeAll(trx, progress.end.arrivals),
        progress.end && checks.open(trx, progress, progress.end.checks),
      ]);
      if (!held) throw new NotHeldError();
      return { value: true, lines: [...lines, ...progress.lines, ...answered, ...shown] };
    };
    return await audited(db, teamId, work, behind);
  } catch (error) {
    if (!(error instanceof NotHeldError)) throw error;
  }
  // Facts about a write are kept in any case: it happened, whoever has the run now.
  if (progress.writes.length === 0) return false;
  return audited(db, teamId, async (trx) => ({ value: false, lines: await settle(trx, progress) }));
}

/** True while this process holds the run; ends the run if that is the outcome. */
async function hold(trx: Db, { end, ...key }: Commit): Promise<boolean> {
  if (end === null) return runs.isHeld(trx, key);
  const { teamId } = key;
  const [held] = await Promise.all([
    runs.end(trx, { ...key, ...end }),
    end.request && requests.setState(trx, { teamId, ...end.request }),
  ]);
  return held;
}

/** The audit lines of writes for which this is news. */
async function settle(trx: Db, commit: Commit): Promise<AuditEntry[]> {
  const lines = commit.writes.map(async (write) => ((await writes.endWrite(trx, write)) ? [write.line] : []));
  return (await Promise.all(lines)).flat();
}

async function closeAnswered(trx: Db, { teamId, end }: Commit): Promise<AuditEntry[]> {
  if (end === null || end.answered === null) return [];
  const line = await revisions.answer(trx, { teamId, ...end.answered, at: end.at });
  return line === null ? [] : [line];
}

/** In one transaction with its message: a card is recorded before anybody sees it. */
async function recordShown(trx: Db, { messages }: Commit): Promise<AuditEntry[]> {
  const lines = messages.map(({ shown }) => (shown === undefined ? [] : shownCards.store(trx, shown)));
  return (await Promise.all(lines)).flat();
}

async function keep(trx: Db, progress: StoredProgress): Promise<void> {
  if (progress.steps.length > 0) await steps.keep(trx, progress, progress.steps);
}
