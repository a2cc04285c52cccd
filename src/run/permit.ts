import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Step } from '../core/plan.ts';
import type { IntendResult } from '../store/run-progress.ts';
import type { WriteRecord } from '../store/write-facts.ts';
import type { ActiveRun } from './active-run.ts';
import { capsFor, overCap, personName, targetNames } from './caps.ts';
import { refusal } from './guards.ts';
import { failed, type StepOutcome } from './step-outcome.ts';
import { type Held, targetsHold } from './targets.ts';
import { approvedWords, type KeyedWrite } from './write-context.ts';

export type Permit =
  | { readonly kind: 'granted'; readonly granted: KeyedWrite; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly outcome: StepOutcome }
  /** Another process got to this write first. */
  | { readonly kind: 'existing'; readonly write: WriteRecord };

/**
 * Decides whether this attempt may be made now: targets first, then all guards and caps, in the transaction that puts
 * the intent and its audit line on disk.
 */
export async function permit(
  run: ActiveRun,
  step: Step,
  write: KeyedWrite,
  attempt: number,
): Promise<Permit> {
  const { tool, args, context } = write;
  const held = await targetsHold(run, step, tool, args);
  if (held.refused !== null) return { kind: 'refused', outcome: held.refused };
  let answer: IntendResult<StepOutcome>;
  try {
    answer = await intend(run, step, write, { attempt, people: held.people });
  } catch (error) {
    run.deps.log.warn({ ...run.key, step: step.id, reason: describeError(error).message }, 'no audit line');
    const message = 'The audit line could not be written, so nothing was sent.';
    return { kind: 'refused', outcome: failed('audit_failed', message) };
  }
  if (answer.kind === 'existing') return { kind: 'existing', write: answer.write };
  if (answer.kind === 'refused') {
    return { kind: 'refused', outcome: noteRefused(run, step, answer.refusal) };
  }
  if (answer.kind === 'over_cap')
    return { kind: 'refused', outcome: await overCap(run, tool, answer, held.people) };
  const origin = { ...context.origin, approver: approvedWords(run) };
  return { kind: 'granted', granted: { ...write, context: { ...context, origin } }, notes: held.notes };
}

/** Decides whether a completed write may be added to now: null if so, else why not. No cap counts it: it wakes nobody. */
export async function mayAdd(
  run: ActiveRun,
  step: Step,
  { args, context: { key } }: KeyedWrite,
): Promise<string | null> {
  const about = { step: step.id, tool: step.tool, key, args: args as JsonObject, adds: true };
  const intent = {
    ...{ stepId: step.id, tool: step.tool, key, targets: [], caps: [], attempt: null },
    line: run.journal.line('write.intended', approverOf(run), about),
  };
  const answer = await run.journal.intend(intent, (facts) => refusal(run, facts));
  if (answer.kind === 'refused') return noteRefused(run, step, answer.refusal).reason?.message ?? '';
  return answer.kind === 'intended' ? null : 'another process has come to it in the meantime';
}

/** Records in the log a plan that was changed after its approval. */
function noteRefused(run: ActiveRun, step: Step, outcome: StepOutcome): StepOutcome {
  const { reason } = outcome;
  if (reason?.code === 'digest_mismatch') {
    const about = { run: run.key.runId, step: step.id, approved: run.digest };
    run.journal.noteTampering({ reason: reason.message, ...about });
  }
  return outcome;
}

function intend(
  run: ActiveRun,
  step: Step,
  { tool, args, context: { key } }: KeyedWrite,
  { attempt, people }: { attempt: number; people: Held['people'] },
): Promise<IntendResult<StepOutcome>> {
  const targets = [...targetNames(tool, args), ...people.map(({ id }) => personName(id))];
  const again = attempt > 1 ? { attempt } : {};
  const about = { step: step.id, tool: step.tool, key, args: args as JsonObject, ...again };
  const intent = {
    ...{ stepId: step.id, tool: step.tool, key, targets, attempt },
    caps: capsFor(run, targets),
    line: run.journal.line('write.intended', approverOf(run), about),
  };
  return run.journal.intend(intent, (facts) => refusal(run, facts));
}

function approverOf({ stored }: ActiveRun): string {
  return stored.grant?.approver ?? 'system';
}
