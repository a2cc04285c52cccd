import type { Step } from '../core/plan.ts';
import { act, confirmed } from './act.ts';
import type { ActiveRun } from './active-run.ts';
import { durably, systemName } from './attempt.ts';
import { capsFor, overCap, targetNames } from './caps.ts';
import { type Draft, failed, succeeded, unknown } from './draft.ts';
import { personWords, whyNot } from './gate.ts';
import { type Permission, permission } from './guards.ts';
import { look } from './look.ts';
import type { WriteRecord } from './ports.ts';
import { settle } from './settle.ts';
import { targetsHold } from './targets.ts';
import { contextOf, type FilledWrite, type KeyedWrite, writeKey } from './write-context.ts';

/** What an earlier execution of this step left behind, or null when it never came to the write. */
export function earlierWrite(run: ActiveRun, step: Step): Promise<WriteRecord | null> {
  return durably(() => run.deps.store.writeOf(writeKey(run, step)), run.deps.sleep);
}

/**
 * Makes a write, once. An intent that an earlier execution left is looked into first: what has happened is not
 * repeated, what certainly has not is made now under the same key, and what cannot be known is `unknown`.
 */
export async function performWrite(
  run: ActiveRun,
  step: Step,
  { tool, args, earlier }: FilledWrite & { earlier: WriteRecord | null },
): Promise<Draft> {
  const write: KeyedWrite = { tool, args, context: await contextOf(run, step) };
  if (earlier !== null && earlier.state !== 'intended') {
    const draft = fromRecord(earlier);
    // The process may have died while it looked whether what the vendor took was done.
    const isOpen = earlier.state === 'made' && tool.manifest.takenFirst === true;
    return isOpen ? confirmed(run, write, draft) : draft;
  }
  if (earlier !== null) {
    const found = await endOfEarlier(run, step, write);
    if (found !== null) return found;
  }
  return untilTaken(run, step, write, earlier);
}

/**
 * Makes the write, again after a pause as long as the vendor certainly did not take it. Before every attempt: the
 * targets, all guards, and the audit line. What may have happened ends it at once.
 */
async function untilTaken(
  run: ActiveRun,
  step: Step,
  write: KeyedWrite,
  earlier: WriteRecord | null,
): Promise<Draft> {
  const { tool, context } = write;
  const isNoted = earlier !== null;
  let waitedMs = 0;
  let before: string[] = [];
  for (let count = 1; ; count += 1) {
    const { allowed, notes } = await allowedNow(run, step, write);
    if (!allowed.ok) {
      const { refused } = allowed;
      if (isNoted || count > 1) await settle(run, context.key, 'failed', { reason: refused.reason });
      return { ...refused, attempts: count - 1, notes: [...before, ...refused.notes] };
    }
    const found = isNoted || count > 1 ? null : await intend(run, step, write);
    if (found !== null) return found;
    const origin = { ...context.origin, approver: personWords(run, allowed.grant.approver) };
    const facts = { ...write, context: { ...context, origin }, grant: allowed.grant };
    const acted = await act(run, step, facts, { count, waitedMs });
    if (acted.kind === 'ended') {
      const { draft } = acted;
      const tried = draft.status === 'failed' ? [] : before;
      return { ...draft, notes: [...notes, ...tried, ...draft.notes] };
    }
    before = [`${systemName(tool.manifest)} did not take it at first: ${acted.message}`];
    waitedMs += acted.waitMs;
    run.deps.log.info({ ...run.key, step: step.id, attempt: count, waitMs: acted.waitMs }, 'a write waits');
    await run.deps.sleep(acted.waitMs);
    await run.ours();
  }
}

async function allowedNow(
  run: ActiveRun,
  step: Step,
  { tool, args }: FilledWrite,
): Promise<{ allowed: Permission; notes: readonly string[] }> {
  const { refused, notes } = await targetsHold(run, step, tool, args);
  return { allowed: refused === null ? await permission(run, step) : { ok: false, refused }, notes };
}

/** How the earlier execution ended, or null when it certainly made no write and one may be made now. */
async function endOfEarlier(run: ActiveRun, step: Step, write: KeyedWrite): Promise<Draft | null> {
  const { tool, context } = write;
  const found = await look(run, write);
  if (found.kind === 'found') {
    await settle(run, context.key, 'made', { result: found.result, how: 'found after a restart' });
    return succeeded(found.result, { notes: ['found after a restart'] });
  }
  if (found.kind === 'unclear') {
    await settle(run, context.key, 'unknown', { why: found.why });
    const message = `The bot was interrupted during this write, and ${systemName(tool.manifest)} could not be asked about it: ${found.why} Look for ${context.key} there before anyone repeats it.`;
    return unknown('interrupted', message);
  }
  const hold = await whyNot(run, step);
  if (hold !== null) await settle(run, context.key, 'failed', { reason: hold.reason });
  return hold;
}

function fromRecord({ state, evidence }: WriteRecord): Draft {
  const facts = typeof evidence === 'object' && evidence !== null && !Array.isArray(evidence) ? evidence : {};
  const { result, reason } = facts;
  if (state === 'made') {
    const known = typeof result === 'object' && result !== null && !Array.isArray(result) ? result : null;
    return succeeded(known, { notes: ['made before a restart'] });
  }
  const why = typeof reason === 'object' && reason !== null && !Array.isArray(reason) ? reason : {};
  const code = typeof why.code === 'string' ? why.code : 'interrupted';
  const message =
    typeof why.message === 'string' ? why.message : 'The bot was interrupted during this write.';
  return state === 'failed' ? failed(code, message) : unknown(code, message);
}

/**
 * Null when the intent is stored and ours to act on. One that turned up in the meantime was left by a process that
 * lost this run, or by an answer of the database that was lost: looked into like any other.
 */
async function intend(run: ActiveRun, step: Step, write: KeyedWrite): Promise<Draft | null> {
  const { tool, args, context } = write;
  const { store, sleep, now } = run.deps;
  const targets = targetNames(tool, args);
  const about = { ...run.key, stepId: step.id, tool: step.tool, key: context.key, targets };
  const stored = await durably(() => store.intend({ ...about, at: now() }, capsFor(run, targets)), sleep);
  if (stored.kind === 'over_cap') return overCap(run, tool, stored);
  return stored.kind === 'existing' ? endOfEarlier(run, step, write) : null;
}
