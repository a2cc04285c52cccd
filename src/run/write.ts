import type { Step } from '../core/plan.ts';
import type { Origin, WriteContext, WriteTool } from '../core/tool.ts';
import { act } from './act.ts';
import type { ActiveRun } from './active-run.ts';
import { durably, systemName } from './attempt.ts';
import { capsFor, overCap, targetNames } from './caps.ts';
import { type Draft, failed, succeeded, unknown } from './draft.ts';
import { personWords, whyNot } from './gate.ts';
import { permission } from './guards.ts';
import { look } from './look.ts';
import type { Grant, WriteRecord } from './ports.ts';
import { settle } from './settle.ts';
import { targetsHold } from './targets.ts';

/** The idempotency key of a write: the same at every execution of this step, and never of another. */
export function writeKey(run: ActiveRun, step: Step): string {
  return `cs-${run.key.runId}-${step.id}`;
}

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
  { tool, args, earlier }: { tool: WriteTool; args: Record<string, unknown>; earlier: WriteRecord | null },
): Promise<Draft> {
  if (earlier !== null && earlier.state !== 'intended') return fromRecord(earlier);
  const context = await contextOf(run, step);
  if (earlier !== null) {
    const ended = await endOfEarlier(run, step, { tool, args, context });
    if (ended !== null) return ended;
  }
  const targets = await targetsHold(run, step, tool, args);
  const allowed =
    targets.refused === null ? await permission(run, step) : { ok: false as const, refused: targets.refused };
  if (!allowed.ok) {
    if (earlier !== null) await settle(run, context.key, 'failed', { reason: allowed.refused.reason });
    return allowed.refused;
  }
  if (earlier === null) {
    const refused = await intend(run, step, tool, args);
    if (refused !== null) return refused;
  }
  const origin = { ...context.origin, approver: personWords(run, allowed.grant.approver) };
  const draft = await act(run, step, { tool, args, context: { ...context, origin }, grant: allowed.grant });
  return { ...draft, notes: [...targets.notes, ...draft.notes] };
}

/** How the earlier execution ended, or null when it certainly made no write and one may be made now. */
async function endOfEarlier(
  run: ActiveRun,
  step: Step,
  { tool, args, context }: { tool: WriteTool; args: Record<string, unknown>; context: Context },
): Promise<Draft | null> {
  const found = await look(run, tool, args, context);
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

/** Null when the intent is stored. */
async function intend(
  run: ActiveRun,
  step: Step,
  tool: WriteTool,
  args: Record<string, unknown>,
): Promise<Draft | null> {
  const { store, sleep, now } = run.deps;
  const targets = targetNames(tool, args);
  const intent = {
    ...run.key,
    stepId: step.id,
    tool: step.tool,
    key: writeKey(run, step),
    targets,
    at: now(),
  };
  const stored = await durably(() => store.intend(intent, capsFor(run, targets)), sleep);
  return stored.kind === 'over_cap' ? overCap(run, tool, stored) : null;
}

/** The context of a write but for the writers, which only the act itself is given, and the signal of one call. */
type Context = Omit<WriteContext, 'writers' | 'signal'>;

async function contextOf(run: ActiveRun, step: Step): Promise<Context> {
  const { readers, now } = run.deps;
  const origin: Origin = {
    requester: personWords(run, run.sealed.requester),
    approver: '',
    goal: run.sealed.plan.goal,
    threadLink: await run.threadLink(),
    startedAt: run.startedAt,
  };
  return { readers, now, key: writeKey(run, step), origin };
}

export type ActFacts = {
  readonly tool: WriteTool;
  readonly args: Record<string, unknown>;
  readonly context: Context;
  readonly grant: Grant;
};
