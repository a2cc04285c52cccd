import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { ActiveRun } from './active-run.ts';
import { timed } from './attempt.ts';
import { plainResult } from './draft.ts';
import type { KeyedWrite } from './write-context.ts';

/**
 * What a look at the vendor says about a write.
 * - `found`: it has happened. `result` is null when the vendor's answer did not fit.
 * - `absent`: the vendor was asked and does not know it.
 * - `unclear`: the vendor could not be asked.
 */
export type Found =
  | { readonly kind: 'found'; readonly result: JsonObject | null }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unclear'; readonly why: string };

/** Milliseconds after a write at which it is looked for. A vendor that takes first shows it only a moment later. */
const looksMs = { shownAtOnce: [500, 1_500], takenFirst: [500, 2_000, 5_000] };

/** The same after a yes that only means taken: mostly it shows at once. */
const confirmationsMs = [0, 1_000, 2_000, 4_000];

/**
 * Looks for a write by its key, a few times until it is found. What the last look said counts. `since`: when it was
 * attempted, if not just now; the time that has passed is not waited for again.
 */
export function look(run: ActiveRun, sought: KeyedWrite, since?: Date): Promise<Found> {
  const gone = since === undefined ? 0 : run.deps.now().getTime() - since.getTime();
  const moments = looksMs[sought.tool.manifest.takenFirst ? 'takenFirst' : 'shownAtOnce'];
  const ahead = moments.filter((ms, index) => ms > gone || index === moments.length - 1);
  const delays = ahead.map((ms, index) => Math.max(0, ms - (ahead[index - 1] ?? gone)));
  return lookUntil(run, sought, delays, ({ kind }) => kind === 'found');
}

/** Looks whether what the vendor took was done. One that cannot be asked is not waited for: the step has its yes. */
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
    last = await lookOnce(sought);
    if (enough(last)) break;
  }
  return last;
}

async function lookOnce({ tool, args, context }: KeyedWrite): Promise<Found> {
  try {
    const found = await timed(tool.manifest, (signal) => tool.find(args, { ...context, signal }));
    if (found === null) return { kind: 'absent' };
    const parsed = tool.manifest.result.safeParse(found);
    return { kind: 'found', result: parsed.success ? plainResult(parsed.data) : null };
  } catch (error) {
    return { kind: 'unclear', why: describeError(error).message };
  }
}
