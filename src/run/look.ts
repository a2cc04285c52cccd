import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { WriteTool } from '../core/tool.ts';
import type { ActiveRun } from './active-run.ts';
import { timed } from './attempt.ts';
import { plainResult } from './draft.ts';
import type { KeyedContext } from './write-context.ts';

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

/** Looks for a write by its key, a few times until it is found. What the last look said counts. */
export async function look(
  run: ActiveRun,
  tool: WriteTool,
  args: Record<string, unknown>,
  context: KeyedContext,
): Promise<Found> {
  let last: Found = { kind: 'unclear', why: 'it was not looked for' };
  for (const delay of looksMs) {
    await run.deps.sleep(delay);
    try {
      const found = await timed(tool.manifest, (signal) => tool.find(args, { ...context, signal }));
      if (found !== null) {
        const parsed = tool.manifest.result.safeParse(found);
        return { kind: 'found', result: parsed.success ? plainResult(parsed.data) : null };
      }
      last = { kind: 'absent' };
    } catch (error) {
      last = { kind: 'unclear', why: describeError(error).message };
    }
  }
  return last;
}
