import { systemName } from '../core/askable.ts';
import type { ActiveRun } from './active-run.ts';
import { lookForDone } from './find-earlier-write.ts';
import { missedCode } from './in-effect.ts';
import { timed } from './retry.ts';
import { plainResult, type StepOutcome, succeeded, unknown } from './step-outcome.ts';
import { searchHint } from './unknown-outcome.ts';
import type { KeyedWrite } from './write-context.ts';

export type CallResult =
  | { readonly ok: true; readonly outcome: StepOutcome }
  | { readonly ok: false; readonly error: unknown };

/**
 * The only place that makes a write: exactly one attempt, which `permit` has just allowed and put on disk. Every
 * further attempt needs a new permission.
 */
export async function callWriter(run: ActiveRun, granted: KeyedWrite, attempt: number): Promise<CallResult> {
  const { tool, args, context } = granted;
  const { writers } = run.deps;
  let answer: unknown;
  try {
    answer = await timed(tool.manifest, (signal) => tool.run(args, { ...context, writers, signal }));
  } catch (error) {
    return { ok: false, error };
  }
  const parsed = tool.manifest.result.safeParse(answer);
  const result = parsed.success ? plainResult(parsed.data) : null;
  run.journal.writeEnds(context.key, 'made', { result });
  const notes = parsed.success ? [] : [`${systemName(tool.manifest)} took it, but its answer cannot be used`];
  const said = succeeded(result, { notes, attempts: attempt });
  return { ok: true, outcome: tool.manifest.takenFirst ? await confirmWrite(run, granted, said) : said };
}

/** For a vendor that only confirms receipt: the outcome is what the vendor then shows for the write. */
export async function confirmWrite(
  run: ActiveRun,
  write: KeyedWrite,
  said: StepOutcome,
): Promise<StepOutcome> {
  // A write that joined an existing one is already shown.
  if (said.result?.joined === true) return said;
  const { tool, context } = write;
  const found = await lookForDone(run, write);
  run.journal.note(`write.${found.kind}`, 'system', { key: context.key });
  const vendor = systemName(tool.manifest);
  if (found.kind === 'found') return { ...said, result: found.result ?? said.result };
  if (found.kind === 'unclear') {
    const note = `whether ${vendor} then did it could not be looked up: ${found.why}`;
    return { ...said, notes: [...said.notes, note] };
  }
  const message =
    `${vendor} accepted it but shows no trace of it. The service may be disabled, its key wrong, or this was ` +
    `merged into an older incident.${searchHint(write)}`;
  return unknown(missedCode(tool.manifest), message, said.notes);
}
