import type { Step } from '../core/plan.ts';
import type { RunEvent, StepResult } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';
import { type ActiveRun, resultsFor, toolOf } from './active-run.ts';
import { durably } from './attempt.ts';
import { checkCriteria } from './criteria.ts';
import { type Draft, failed, skipped, unknown } from './draft.ts';
import { filledArgs } from './filled.ts';
import { whyNot } from './gate.ts';
import type { WriteRecord } from './ports.ts';
import { performRead } from './read.ts';
import { tell } from './tell.ts';
import { earlierWrite, performWrite } from './write.ts';

/**
 * One step from its start to its stored result. Never throws for what a tool or vendor does. A step that had ended
 * before a restart gives the result it had then. `stored` is called, and waited for, before the end is told.
 */
export async function executeStep(
  run: ActiveRun,
  step: Step,
  stored: (result: StepResult) => Promise<void>,
): Promise<StepResult> {
  const { store, sleep, now } = run.deps;
  const startedAt = now();
  const start = { ...run.key, stepId: step.id, tool: step.tool, at: startedAt };
  const before = await durably(() => store.stepStarted(start), sleep);
  if (before !== null) {
    await stored(before);
    await tellStep(run, { type: 'step_finished', stepId: step.id, result: before });
    return before;
  }
  const { preview, ...ended } = withCriteria(run, step, await perform(run, step));
  const result: StepResult = {
    stepId: step.id,
    tool: step.tool,
    ...ended,
    startedAt: startedAt.toISOString(),
    finishedAt: now().toISOString(),
  };
  await durably(() => store.stepFinished({ ...run.key, ...result }), sleep);
  await stored(result);
  const told = preview === undefined ? {} : { preview };
  await tellStep(run, { type: 'step_finished', stepId: step.id, result, ...told });
  return result;
}

async function perform(run: ActiveRun, step: Step): Promise<Draft> {
  const tool = toolOf(run, step);
  // Before everything else: a write that an earlier execution began has to be looked into, whatever holds now.
  const earlier = tool.effect === 'write' && run.mode === 'run' ? await earlierWrite(run, step) : null;
  if (earlier === null) {
    const hold = await whyNot(run, step);
    if (hold !== null) return hold;
  }
  const filled = filledArgs(run, step);
  if (!filled.ok) return earlier === null ? filled.draft : inDoubt(filled.draft);
  await tellStep(run, { type: 'step_started', stepId: step.id });
  const draft = await made(run, step, tool, { args: filled.args, earlier });
  return { ...draft, notes: [...filled.notes, ...draft.notes] };
}

async function made(
  run: ActiveRun,
  step: Step,
  tool: Tool,
  { args, earlier }: { args: Record<string, unknown>; earlier: WriteRecord | null },
): Promise<Draft> {
  if (tool.effect === 'read') return performRead(run, tool.tool, args);
  if (run.mode === 'dry_run') {
    const preview = tool.tool.preview(args);
    return { ...skipped('dry_run', `Dry run: ${preview}`), preview };
  }
  return performWrite(run, step, { tool: tool.tool, args, earlier });
}

/** A write was begun, and what it was aimed at cannot be put together again to look for it. */
function inDoubt({ reason }: Draft): Draft {
  const why = reason === null ? '' : ` ${reason.message}`;
  return unknown('interrupted', `The bot was interrupted during this write and cannot look for it.${why}`);
}

/** A read that misses its own criterion is no basis for what comes after; a write stays what it is, with a note. */
function withCriteria(run: ActiveRun, step: Step, draft: Draft): Draft {
  if (draft.status !== 'succeeded' || step.success === undefined) return draft;
  const results = resultsFor(run, step.id);
  if (draft.result !== null) results.set(step.id, draft.result);
  const missed = checkCriteria(step.success, step.id, run.vocabulary.scope, results).find(
    (c) => c.holds === false,
  );
  if (missed === undefined) return draft;
  const message = `Its success criterion does not hold: ${missed.source}`;
  if (toolOf(run, step).effect === 'write') return { ...draft, notes: [...draft.notes, message] };
  return { ...failed('criterion_missed', `${message}.`, { attempts: draft.attempts }), notes: draft.notes };
}

type Told<E> = E extends RunEvent
  ? Omit<E, 'teamId' | 'requestId' | 'number' | 'runId' | 'mode' | 'at'>
  : never;

function tellStep(run: ActiveRun, event: Told<RunEvent>): Promise<void> {
  const { deps, key, mode, sealed } = run;
  const { requestId, number } = sealed;
  return tell(deps, { ...key, requestId, number, mode, at: deps.now().toISOString(), ...event });
}
