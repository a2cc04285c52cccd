import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { ActiveRun } from './active-run.ts';
import { delayAfter, maxAnswerMs, timed } from './retry.ts';
import { plainResult } from './step-outcome.ts';
import type { KeyedWrite } from './write-context.ts';

/**
 * The result of looking up a write at the vendor.
 * - `found`: it happened. `result` is null when the vendor's answer was unusable.
 * - `absent`: the vendor answered and does not know it.
 * - `unclear`: the vendor could not be asked.
 */
export type Found =
  | { readonly kind: 'found'; readonly result: JsonObject | null }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear'; readonly why: string };

/** Milliseconds after a write at which it is looked up. A vendor that only confirms receipt shows it a moment later. */
const looksMs = { shownAtOnce: [500, 1_500], takenFirst: [500, 2_000, 5_000] };
/** Additional look-ups for a write possibly still on its way, until a living process would have given up on it. */
const onItsWayMs = [4_000, 8_000];

/** Look-ups after a mere receipt: usually it shows at once. */
const confirmationsMs = [0, 1_000, 2_000, 4_000];

/** Looks up a write just attempted, by its key, a few times until it is found. The last look-up decides. */
export function look(run: ActiveRun, sought: KeyedWrite): Promise<Found> {
  return lookUntil(run, sought, between(0, momentsOf(sought)), isFound);
}

/**
 * Looks up a write that an earlier process was allowed to make at `since`; time already passed is not waited for again.
 * Where an absent write is made again, it is looked up for as long as a living process would have: the vendor may still
 * be processing it, although its sender is gone.
 */
export function lookForEarlier(run: ActiveRun, sought: KeyedWrite, since: Date): Promise<Found> {
  const { inDoubt, limits } = sought.tool.manifest;
  const gone = Math.max(0, run.deps.now().getTime() - since.getTime());
  const moments = momentsOf(sought);
  if (inDoubt === 'look') {
    const givenUpMs = maxAnswerMs + limits.timeoutMs;
    moments.push(...onItsWayMs.filter((ms) => ms < givenUpMs), ...moments.map((ms) => givenUpMs + ms));
  }
  const ahead = [gone, ...moments.filter((ms) => ms > gone).sort((a, b) => a - b)];
  return lookUntil(run, sought, between(gone, ahead), isFound);
}

function momentsOf({ tool }: KeyedWrite): number[] {
  return [...looksMs[tool.manifest.takenFirst ? 'takenFirst' : 'shownAtOnce']];
}

/** The pauses before each of these times, counted from `start`. */
function between(start: number, moments: readonly number[]): number[] {
  return moments.map((ms, index) => ms - (moments[index - 1] ?? start));
}

/** Milliseconds for the look before a repeat: a page must go out even if PagerDuty's REST API hangs. */
const repeatLookMs = 4_000;

/** Looks up a write that is about to be sent again, once. */
export function lookBeforeRepeat(run: ActiveRun, sought: KeyedWrite): Promise<Found> {
  return lookOnce(run, sought, repeatLookMs);
}

const isFound = ({ kind }: Found): boolean => kind === 'found';

/** Looks up whether a received write was carried out. If the vendor cannot be asked we do not wait: receipt was confirmed. */
export function lookForDone(run: ActiveRun, sought: KeyedWrite): Promise<Found> {
  return lookUntil(run, sought, confirmationsMs, ({ kind }) => kind !== 'absent');
}

async function lookUntil(
  run: ActiveRun,
  sought: KeyedWrite,
  delaysMs: readonly number[],
  enough: (found: Found) => boolean,
): Promise<Found> {
  let last: Found = { kind: 'unclear', why: 'it was not looked for' };
  for (const delay of delaysMs) {
    if (delay > 0) await run.deps.sleep(delay);
    last = await lookOnce(run, sought);
    if (enough(last)) break;
  }
  return last;
}

/** Asks once more within the time limit if the vendor does not answer: one lost answer must not decide. */
async function lookOnce(run: ActiveRun, sought: KeyedWrite, timeoutMs?: number): Promise<Found> {
  const { tool, args, context } = sought;
  const find = (signal: AbortSignal) => tool.find(args, { ...context, signal });
  const findTwice = (signal: AbortSignal) =>
    find(signal).catch(async (error: unknown) => {
      const waitMs = delayAfter(error, 1, run.deps.random);
      if (waitMs === null || signal.aborted) throw error;
      await run.deps.sleep(waitMs);
      return find(signal);
    });
  try {
    const found = await timed(tool.manifest, findTwice, timeoutMs);
    if (found === null) return { kind: 'absent' };
    const parsed = tool.manifest.result.safeParse(found);
    return { kind: 'found', result: parsed.success ? plainResult(parsed.data) : null };
  } catch (error) {
    return { kind: 'unclear', why: describeError(error).message };
  }
}
