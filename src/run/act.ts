import { describeError, VendorError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Step } from '../core/plan.ts';
import type { ActiveRun } from './active-run.ts';
import { delayAfter, durably, patienceMs, systemName, timed } from './attempt.ts';
import { type Draft, failed, plainResult, succeeded, unknown } from './draft.ts';
import { stopped } from './guards.ts';
import { look, lookForDone } from './look.ts';
import { audited, settle } from './settle.ts';
import type { GrantedWrite, KeyedWrite } from './write-context.ts';

/** Attempts in all at a write that its vendor certainly did not take. */
const writeAttempts = 6;

/** Which attempt this is, from 1, and the pauses before it in all. */
export interface Attempts {
  readonly count: number;
  readonly waitedMs: number;
}

/** What one attempt came to: an end, or a vendor that certainly did not take it and may take it later. */
export type Acted =
  | { readonly kind: 'ended'; readonly draft: Draft }
  | { readonly kind: 'not_taken'; readonly message: string; readonly waitMs: number };

const ended = (draft: Draft): Acted => ({ kind: 'ended', draft });

/**
 * The one place that writes: the audit line is on disk, then exactly one attempt is made and its end stored. Whoever
 * makes another attempt after `not_taken` has to ask for permission again first.
 */
export async function act(
  run: ActiveRun,
  step: Step,
  facts: GrantedWrite,
  attempts: Attempts,
): Promise<Acted> {
  const { tool, args, context, grant } = facts;
  const { store, sleep, writers } = run.deps;
  const again = attempts.count > 1 ? { attempt: attempts.count } : {};
  const line = { step: step.id, tool: step.tool, key: context.key, args: args as JsonObject, ...again };
  try {
    await durably(() => store.audit(audited(run, 'write.intended', grant.approver, line)), sleep);
  } catch (error) {
    const reason = {
      code: 'audit_failed',
      message: 'The audit line could not be written, so nothing was sent.',
    };
    run.deps.log.warn({ ...run.key, step: step.id, reason: describeError(error).message }, 'no audit line');
    await settle(run, context.key, 'failed', { reason });
    return ended(failed(reason.code, reason.message));
  }
  // The line may have waited behind others. A stop that stands before it in the log holds, so the log never shows a
  // stop and then a write.
  const stop = await durably(() => stopped(run), sleep);
  if (stop !== null) {
    await settle(run, context.key, 'failed', { reason: stop.reason });
    return ended(stop);
  }
  await run.ours();
  let answer: unknown;
  try {
    answer = await timed(tool.manifest, (signal) => tool.run(args, { ...context, writers, signal }));
  } catch (error) {
    return afterError(run, facts, error, attempts);
  }
  const parsed = tool.manifest.result.safeParse(answer);
  const result = parsed.success ? plainResult(parsed.data) : null;
  await settle(run, context.key, 'made', { result });
  const notes = parsed.success ? [] : [`${systemName(tool.manifest)} took it, but its answer cannot be used`];
  const said = succeeded(result, { notes, attempts: attempts.count });
  return ended(tool.manifest.takenFirst ? await confirmed(run, facts, said) : said);
}

/** A vendor that takes first and does later: what it shows for the write decides what is told. */
export async function confirmed(run: ActiveRun, write: KeyedWrite, said: Draft): Promise<Draft> {
  const { store, sleep } = run.deps;
  const { tool, context } = write;
  const found = await lookForDone(run, write);
  const seen = audited(run, `write.${found.kind}`, 'system', { key: context.key });
  await durably(() => store.audit(seen), sleep);
  const vendor = systemName(tool.manifest);
  if (found.kind === 'found') return { ...said, result: found.result ?? said.result };
  if (found.kind === 'unclear') {
    const note = `whether ${vendor} then did it could not be looked up: ${found.why}`;
    return { ...said, notes: [...said.notes, note] };
  }
  const message =
    `${vendor} took it, but shows nothing for it. The service may be switched off or its key wrong, or it was ` +
    `joined to something older. Look for ${context.key} there before anyone repeats it.`;
  return unknown('not_shown', message, said.notes);
}

/** Only an error that rules it out means that nothing happened; everything else is looked up. */
async function afterError(
  run: ActiveRun,
  facts: GrantedWrite,
  error: unknown,
  attempts: Attempts,
): Promise<Acted> {
  if (error instanceof VendorError && !error.mayHaveHappened) return notTaken(run, facts, error, attempts);
  return ended(await lookedUp(run, facts, error));
}

/** Nothing happened: said at once, or tried again after a pause where the vendor may take it then. */
async function notTaken(
  run: ActiveRun,
  { context }: GrantedWrite,
  error: VendorError,
  { count, waitedMs }: Attempts,
): Promise<Acted> {
  const { store, sleep, random } = run.deps;
  const { code, message } = error;
  const waitMs = count < writeAttempts ? delayAfter(error, count, random) : null;
  if (waitMs !== null && waitedMs + waitMs <= patienceMs) {
    const data = { key: context.key, attempt: count, waitMs, reason: { code, message } };
    await durably(() => store.audit(audited(run, 'write.not_taken', 'system', data)), sleep);
    return { kind: 'not_taken', message, waitMs };
  }
  const tried = count > 1 ? ` It was tried ${count} times.` : '';
  const reason = { code, message: `${message}${tried} Nothing was sent.` };
  await settle(run, context.key, 'failed', { reason });
  return ended(failed(code, reason.message, { attempts: count }));
}

/** It may have happened, so it is never tried again: what the vendor knows of it decides. */
async function lookedUp(run: ActiveRun, write: GrantedWrite, error: unknown): Promise<Draft> {
  const { tool, context } = write;
  const { code, message } = describeError(error);
  const found = await look(run, write);
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
  const why = /[.!?…]$/.test(message) ? message : `${message}.`;
  const reason = { code, message: `${why} ${looked} ${advice}` };
  await settle(run, context.key, 'unknown', { reason });
  return unknown(code, reason.message);
}
