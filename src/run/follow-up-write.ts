import { systemName } from '../core/askable.ts';
import { describeError } from '../core/errors.ts';
import type { Step } from '../core/plan.ts';
import type { ActiveRun } from './active-run.ts';
import { mayAdd } from './permit.ts';
import { delayAfter, timed } from './retry.ts';
import { plainResult, type StepOutcome } from './step-outcome.ts';
import { approvedWords, type KeyedWrite } from './write-context.ts';

/** Adding is safe to repeat: the tool checks for its earlier addition. */
const maxTries = 3;

/**
 * A vendor may join a write to an older one and drop its text, as with two simultaneous pages about one problem. This
 * adds the text, each time under a separate permission. The write itself was made either way; a failed addition is
 * reported.
 */
export async function addDroppedText(
  run: ActiveRun,
  step: Step,
  write: KeyedWrite,
  outcome: StepOutcome,
): Promise<StepOutcome> {
  const { manifest } = write.tool;
  const { result } = outcome;
  if (outcome.status !== 'succeeded' || result === null || manifest.lacks?.(result) !== true) return outcome;
  // The completed write is on disk before anything is added to it.
  await run.journal.flush();
  for (let tries = 1; ; tries += 1) {
    const forbidden = await mayAdd(run, step, write);
    const added =
      forbidden === null
        ? await add(run, write, result)
        : ({ ok: false, error: new Error(forbidden) } as const);
    if (added.ok) {
      run.journal.writeGrows(write.context.key, { result: added.result, how: 'completed' });
      return { ...outcome, result: added.result };
    }
    const wait = delayAfter(added.error, tries, run.deps.random);
    if (wait === null || tries >= maxTries) {
      const note = `${systemName(manifest)} made it part of what was there, and its own words could not be added: ${describeError(added.error).message}`;
      return { ...outcome, notes: [...outcome.notes, note] };
    }
    await run.deps.sleep(wait);
  }
}

type Added =
  | { readonly ok: true; readonly result: NonNullable<StepOutcome['result']> }
  | { readonly ok: false; readonly error: unknown };

async function add(
  run: ActiveRun,
  { tool, args, context }: KeyedWrite,
  result: NonNullable<StepOutcome['result']>,
): Promise<Added> {
  const { writers } = run.deps;
  const { manifest, complete } = tool;
  const origin = { ...context.origin, approver: approvedWords(run) };
  if (complete === undefined)
    return { ok: false, error: new TypeError(`${manifest.name} cannot be completed`) };
  try {
    const answer = await timed(manifest, (signal) =>
      complete(args, result, { ...context, origin, writers, signal }),
    );
    return { ok: true, result: plainResult(manifest.result.parse(answer)) };
  } catch (error) {
    return { ok: false, error };
  }
}
