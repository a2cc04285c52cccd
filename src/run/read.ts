import { systemName } from '../core/askable.ts';
import { describeError } from '../core/errors.ts';
import type { ReadTool } from '../core/tool.ts';
import type { ActiveRun } from './active-run.ts';
import { delayAfter, timed } from './retry.ts';
import { failed, failedBy, plainResult, type StepOutcome, succeeded } from './step-outcome.ts';

/** Reads with retries, each under the time limit. An answer that does not match the declared schema is a failed read. */
export async function performRead(
  run: ActiveRun,
  tool: ReadTool,
  args: Record<string, unknown>,
): Promise<StepOutcome> {
  const { manifest } = tool;
  const { readers, now, sleep, random, log } = run.deps;
  const context = { readers, now, asker: run.sealed.requester };
  for (let attempts = 1; ; attempts += 1) {
    try {
      const answer = await timed(manifest, (signal) => tool.run(args, { ...context, signal }));
      const parsed = manifest.result.safeParse(answer);
      if (parsed.success) return succeeded(plainResult(parsed.data), { attempts });
      log.warn(
        { tool: manifest.name, issues: parsed.error.issues.length },
        'a result did not fit its manifest',
      );
      return failed('bad_result', `${systemName(manifest)} gave a result that cannot be used.`, { attempts });
    } catch (error) {
      const delay = attempts < manifest.limits.attempts ? delayAfter(error, attempts, random) : null;
      if (delay === null || isTooLate(run, delay)) return failedBy(error, attempts);
      log.info({ tool: manifest.name, attempts, reason: describeError(error).code }, 'a read is tried again');
      await sleep(delay);
    }
  }
}

/** Milliseconds after which people waiting for a card or an answer get what is known, and no read is retried. */
const maxReadMs = 8_000;

function isTooLate({ mode, enteredAt, deps }: ActiveRun, delay: number): boolean {
  return mode === 'read' && deps.now().getTime() - enteredAt.getTime() + delay > maxReadMs;
}
