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

/** Milliseconds before each look. Vendors show a page or post only a moment after they took it. */
const looksMs = [500, 1_500, 3_000];

/** The same after a yes that only means taken: mostly it shows at once. */
const confirmationsMs = [0, 1_000, 2_000, 4_000];

/** Looks for a write by its key, a few times until it is found. What the last look said counts. */
export function look(run: ActiveRun, sought: KeyedWrite): Promise<Found> {
  return lookUntil(run, sought, looksMs, ({ kind }) => kind === 'found');
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
    await run.deps.sleep(delay);
    await run.ours();
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
