import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import { writtenWait } from '../core/queries/written.ts';
import { lookUp, splitRef } from '../core/refs.ts';
import type { StepResult } from '../core/run.ts';
import type { Tool } from '../core/tool.ts';
import { asStored } from '../store/jsonb.ts';
import type { WriteRecord } from '../store/write-facts.ts';
import { type ActiveRun, resultsFor, toolOf } from './active-run.ts';
import { checkCriteria } from './criteria.ts';
import { filledArgs } from './fill-arguments.ts';
import { cancelledBefore, whyNot } from './may-start.ts';
import { performRead } from './read.ts';
import { failed, type StepOutcome, skipped, unknown } from './step-outcome.ts';
import { earlierWrite, performWrite } from './write.ts';

/**
 * One step from its start to its result. Never throws for errors of a tool or vendor. A step that ended before a
 * restart keeps its result.
 */
export async function executeStep(run: ActiveRun, step: Step): Promise<StepResult> {
  const { journal, stored } = run;
  const before = stored.results.find(({ stepId }) => stepId === step.id);
  if (before !== undefined) {
    // It may not have been reported.
    journal.tell({ type: 'step_finished', stepId: step.id, result: before });
    return before;
  }
  const startedAt = run.deps.now().toISOString();
  const { preview, ...ended } = withCriteria(run, step, await perform(run, step, startedAt));
  const finishedAt = run.deps.now().toISOString();
  const result: StepResult = asStored({
    ...{ stepId: step.id, tool: step.tool, ...ended },
    ...{ startedAt, finishedAt },
  });
  journal.stepEnds(result, preview);
  return result;
}

async function perform(run: ActiveRun, step: Step, startedAt: string): Promise<StepOutcome> {
  const tool = toolOf(run, step);
  // A write that an earlier execution started is looked up first, before any reason not to start.
  const acts = tool.effect === 'write' && run.mode === 'run';
  const earlier = acts ? earlierWrite(run, step) : null;
  if (earlier === null) {
    const hold = (acts ? null : await cancelledBefore(run)) ?? whyNot(run, step);
    if (hold !== null) return hold;
  }
  if (step.each !== undefined) return forEach(run, step, step.each);
  const filled = filledArgs(run, step);
  if (!filled.ok) return earlier === null ? filled.outcome : inDoubt(filled.outcome);
  run.journal.stepBegins({ stepId: step.id, tool: step.tool, startedAt });
  const outcome = await made(run, step, tool, { args: filled.args, earlier });
  return { ...outcome, notes: [...filled.notes, ...outcome.notes] };
}

/** A card names each target, so a write for a list is never made as such; a look says whether there is anything to write to. */
function forEach({ mode, finished }: ActiveRun, { tool }: Step, list: string): StepOutcome {
  if (mode === 'run')
    return failed('not_listed', 'Its targets were not listed on the card. Nothing was sent.');
  const { step: from, path } = splitRef(list);
  const found = lookUp(finished.get(from)?.result ?? undefined, path);
  if (!Array.isArray(found) || found.length === 0)
    return skipped('condition_false', 'Not needed: there is nothing in the list.');
  return skipped('dry_run', `Dry run: ${tool} for each of ${found.length}.`);
}

async function made(
  run: ActiveRun,
  step: Step,
  tool: Tool,
  { args, earlier }: { args: Record<string, unknown>; earlier: WriteRecord | null },
): Promise<StepOutcome> {
  if (tool.effect === 'read') return heldBack(run, tool.tool.manifest) ?? performRead(run, tool.tool, args);
  if (run.mode !== 'run') {
    const instead = run.sealed.targets.find((one) => one.step === step.id && one.instead)?.instead;
    if (instead?.code === 'cannot_work') return failed(instead.code, instead.message);
    if (instead !== undefined) return skipped(instead.code, instead.message);
    const preview = tool.tool.preview(args);
    return { ...skipped('dry_run', `Dry run: ${preview}`), preview };
  }
  return performWrite(run, step, { tool: tool.tool, args, earlier });
}

/** Only an approved run puts a model's text to its source. */
function heldBack({ mode, deps }: ActiveRun, { written }: Manifest): StepOutcome | null {
  if (written === undefined || mode === 'run' || !writtenWait(deps.policy)) return null;
  return mode === 'dry_run'
    ? skipped('dry_run', 'Dry run: the query is run once it is approved.')
    : failed('needs_approval', 'A query that a model may have written runs only after an approval.');
}

/** A write was started, and its target can no longer be determined to look it up. */
function inDoubt({ reason }: StepOutcome): StepOutcome {
  const why = reason === null ? '' : ` ${reason.message}`;
  return unknown('interrupted', `The bot was interrupted during this write and cannot look for it.${why}`);
}

/** A read that fails its own criterion is no basis for later steps; a write keeps its outcome, with a note. */
function withCriteria(run: ActiveRun, step: Step, outcome: StepOutcome): StepOutcome {
  if (outcome.status !== 'succeeded' || step.success === undefined) return outcome;
  const results = resultsFor(run, step.id);
  if (outcome.result !== null) results.set(step.id, outcome.result);
  const missed = checkCriteria(step.success, step.id, run.vocabulary.scope, results).find(
    (c) => c.holds === false,
  );
  if (missed === undefined) return outcome;
  const message = `Its success criterion does not hold: ${missed.source}`;
  if (toolOf(run, step).effect === 'write') return { ...outcome, notes: [...outcome.notes, message] };
  return {
    ...failed('criterion_missed', `${message}.`, { attempts: outcome.attempts }),
    notes: outcome.notes,
  };
}
