import { systemName } from '../core/askable.ts';
import { withStop } from '../core/clean-text.ts';
import { describeError, VendorError } from '../core/errors.ts';
import type { ActiveRun } from './active-run.ts';
import { type Found, look, lookBeforeRepeat } from './find-earlier-write.ts';
import { delayAfter, maxRetryMs } from './retry.ts';
import { failed, type StepOutcome, succeeded, unknown } from './step-outcome.ts';
import type { KeyedWrite } from './write-context.ts';

/** Progress of the attempts at one write. */
export interface Tries {
  /** Number of this attempt, from 1, counting those of earlier processes. */
  readonly count: number;
  /** When the first one was recorded. */
  readonly since: Date;
  /** Total pauses. */
  readonly waitedMs: number;
  /** The error of an attempt that may have succeeded nevertheless; null if there was none. */
  readonly doubt: unknown;
}

export type Next =
  | { readonly kind: 'ended'; readonly outcome: StepOutcome }
  /** After a pause of `waitMs`. */
  | { readonly kind: 'again'; readonly waitMs: number; readonly note: string; readonly doubt: unknown };

const ended = (outcome: StepOutcome): Next => ({ kind: 'ended', outcome });

/**
 * Decides what follows a failed attempt, and pauses before the next one. A write that certainly did not happen is
 * retried while that is useful. One that may have happened is handled as its manifest declares: sent again with its
 * key, looked up first where the vendor joins it only while the first is open; looked up and made again if absent; or
 * left to people at once.
 */
export async function afterError(
  run: ActiveRun,
  write: KeyedWrite,
  error: unknown,
  tries: Tries,
): Promise<Next> {
  const { key } = write.context;
  const vendor = systemName(write.tool.manifest);
  const { code, message } = describeError(error);
  const waitMs = pauseAfter(run, error, tries);
  const line = {
    key,
    attempt: tries.count,
    ...(waitMs === null ? {} : { waitMs }),
    reason: { code, message },
  };
  if (error instanceof VendorError && !error.mayHaveHappened) {
    if (waitMs === null) return ended(await endNotTaken(run, write, error, tries));
    run.journal.note('write.not_taken', 'system', line);
    const note = `${vendor} did not take it at first: ${message}`;
    await pauseBefore(run, key, tries, waitMs);
    return { kind: 'again', waitMs, note, doubt: tries.doubt };
  }
  const { inDoubt } = write.tool.manifest;
  run.journal.note('write.in_doubt', 'system', line);
  if (inDoubt === 'same_key' && waitMs !== null) {
    const note = `${vendor} did not answer at first, so it was sent again under the same key: ${message}`;
    await pauseBefore(run, key, tries, waitMs);
    return { kind: 'again', waitMs, note, doubt: error };
  }
  if (inDoubt === 'joins' && waitMs !== null) {
    await pauseBefore(run, key, tries, waitMs);
    const found = await lookBeforeRepeat(run, write);
    if (found.kind === 'found') return ended(endAsFound(run, write, error, tries, found));
    const note = `${withStop(message)} ${repeatedWords(write, found)}`;
    return { kind: 'again', waitMs, note, doubt: error };
  }
  if (inDoubt === 'unknown') return ended(endUnknown(run, write, error, tries, ''));
  const found = await look(run, write);
  if (inDoubt !== 'confirm' && found.kind === 'absent' && waitMs !== null) {
    const note = `${withStop(message)} ${repeatedWords(write, found)}`;
    await pauseBefore(run, key, tries, waitMs);
    return { kind: 'again', waitMs, note, doubt: null };
  }
  return ended(endAsFound(run, write, error, tries, found));
}

/** Why a write in doubt was sent again. */
export function repeatedWords({ tool: { manifest } }: KeyedWrite, { kind }: Found): string {
  const vendor = systemName(manifest);
  if (kind === 'absent') return `${vendor} did not have it, so it was sent again`;
  const twice = manifest.calls === undefined ? '' : `; somebody may have been ${manifest.calls} twice`;
  return `${vendor} could not be asked about it, so it was sent again under the same key${twice}`;
}

async function pauseBefore(
  { deps, key: run }: ActiveRun,
  key: string,
  { count }: Tries,
  waitMs: number,
): Promise<void> {
  deps.log.info({ ...run, key, attempt: count + 1, waitMs }, 'a write waits');
  await deps.sleep(waitMs);
}

/** Ends a write with a possibly successful attempt, with what its vendor knows of it. */
export async function endAsLookedUp(
  run: ActiveRun,
  write: KeyedWrite,
  error: unknown,
  tries: Tries,
): Promise<StepOutcome> {
  return endAsFound(run, write, error, tries, await look(run, write));
}

/**
 * Null when another attempt is pointless, or total pauses would exceed a minute. A write that may have happened is not
 * sent again later than a minute after the first attempt either: the vendor only joins it while the first is open.
 */
function pauseAfter({ deps }: ActiveRun, error: unknown, { count, since, waitedMs }: Tries): number | null {
  const waitMs = delayAfter(error, count, deps.random);
  if (waitMs === null || waitedMs + waitMs > maxRetryMs) return null;
  const inDoubt = error instanceof VendorError && error.mayHaveHappened;
  const goneMs = deps.now().getTime() - since.getTime();
  return inDoubt && goneMs + waitMs > maxRetryMs ? null : waitMs;
}

function triedWords({ count }: Tries): string {
  return count > 1 ? ` It was tried ${count} times.` : '';
}

async function endNotTaken(
  run: ActiveRun,
  write: KeyedWrite,
  { code, message }: VendorError,
  tries: Tries,
): Promise<StepOutcome> {
  if (tries.doubt !== null) return endAsLookedUp(run, write, tries.doubt, tries);
  const reason = { code, message: `${withStop(message)}${triedWords(tries)}` };
  run.journal.writeEnds(write.context.key, 'failed', { reason });
  return failed(code, reason.message, { attempts: tries.count });
}

function endAsFound(
  run: ActiveRun,
  write: KeyedWrite,
  error: unknown,
  tries: Tries,
  found: Found,
): StepOutcome {
  if (found.kind !== 'found') {
    const looked =
      found.kind === 'absent' ? ' It was not found afterwards.' : ` It could not be looked up: ${found.why}`;
    return endUnknown(run, write, error, tries, looked);
  }
  const { message } = describeError(error);
  const { result } = found;
  run.journal.writeEnds(write.context.key, 'made', { result, how: 'found after an error', error: message });
  return succeeded(result, {
    notes: [`no answer came back, but a look afterwards showed that it was done: ${message}`],
    attempts: tries.count,
  });
}

/** The key that people can search for themselves; empty where the vendor does not show it. */
export function searchHint({ tool: { manifest }, context: { key } }: KeyedWrite): string {
  return manifest.keyShows ? ` Look for ${key} in ${systemName(manifest)} before anyone repeats it.` : '';
}

function endUnknown(
  run: ActiveRun,
  write: KeyedWrite,
  error: unknown,
  tries: Tries,
  looked: string,
): StepOutcome {
  const { context } = write;
  const { code, message } = describeError(error);
  const reason = { code, message: `${withStop(message)}${triedWords(tries)}${looked}${searchHint(write)}` };
  run.journal.writeEnds(context.key, 'unknown', { reason });
  return { ...unknown(code, reason.message), attempts: tries.count };
}
