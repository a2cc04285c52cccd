import { describeError, VendorError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Step } from '../core/plan.ts';
import type { ActiveRun } from './active-run.ts';
import { durably, systemName, timed } from './attempt.ts';
import { type Draft, failed, plainResult, succeeded, unknown } from './draft.ts';
import { stopped } from './guards.ts';
import { look } from './look.ts';
import { audited, settle } from './settle.ts';
import type { GrantedWrite } from './write-context.ts';

/** The one place that writes: the audit line is on disk, then exactly one attempt is made and its end stored. */
export async function act(run: ActiveRun, step: Step, facts: GrantedWrite): Promise<Draft> {
  const { tool, args, context, grant } = facts;
  const { store, sleep, writers } = run.deps;
  const line = { step: step.id, tool: step.tool, key: context.key, args: args as JsonObject };
  try {
    await durably(() => store.audit(audited(run, 'write.intended', grant.approver, line)), sleep);
  } catch (error) {
    const reason = {
      code: 'audit_failed',
      message: 'The audit line could not be written, so nothing was sent.',
    };
    run.deps.log.warn({ ...run.key, step: step.id, reason: describeError(error).message }, 'no audit line');
    await settle(run, context.key, 'failed', { reason });
    return failed(reason.code, reason.message);
  }
  // The line may have waited behind others. A stop that stands before it in the log holds, so the log never shows a
  // stop and then a write.
  const stop = await durably(() => stopped(run), sleep);
  if (stop !== null) {
    await settle(run, context.key, 'failed', { reason: stop.reason });
    return stop;
  }
  let answer: unknown;
  try {
    answer = await timed(tool.manifest, (signal) => tool.run(args, { ...context, writers, signal }));
  } catch (error) {
    return afterError(run, facts, error);
  }
  const parsed = tool.manifest.result.safeParse(answer);
  const result = parsed.success ? plainResult(parsed.data) : null;
  await settle(run, context.key, 'made', { result });
  const notes = parsed.success ? [] : [`${systemName(tool.manifest)} took it, but its answer cannot be used`];
  return succeeded(result, { notes });
}

/** Only an error that rules it out means that nothing happened; everything else is looked up. */
async function afterError(
  run: ActiveRun,
  { tool, args, context }: GrantedWrite,
  error: unknown,
): Promise<Draft> {
  const { code, message } = describeError(error);
  if (error instanceof VendorError && !error.mayHaveHappened) {
    const reason = { code, message: `${message} Nothing was sent.` };
    await settle(run, context.key, 'failed', { reason });
    return failed(code, reason.message, { attempts: 1 });
  }
  const found = await look(run, tool, args, context);
  if (found.kind === 'found') {
    const evidence: { [key: string]: Json } = {
      result: found.result,
      how: 'found after an error',
      error: message,
    };
    await settle(run, context.key, 'made', evidence);
    return succeeded(found.result, {
      notes: [`the answer was lost, and it was found afterwards: ${message}`],
    });
  }
  const looked =
    found.kind === 'absent' ? 'It was not found afterwards.' : `It could not be looked up: ${found.why}`;
  const advice = `Look for ${context.key} in ${systemName(tool.manifest)} before anyone repeats it.`;
  const reason = { code, message: `${message} It may or may not have happened. ${looked} ${advice}` };
  await settle(run, context.key, 'unknown', { reason });
  return unknown(code, reason.message);
}
