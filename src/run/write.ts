import { systemName } from '../core/askable.ts';
import type { Step } from '../core/plan.ts';
import type { WriteRecord } from '../store/write-facts.ts';
import type { ActiveRun } from './active-run.ts';
import { callWriter, confirmWrite } from './call-writer.ts';
import { lookForEarlier } from './find-earlier-write.ts';
import { addDroppedText } from './follow-up-write.ts';
import { checkEffect } from './in-effect.ts';
import { permit } from './permit.ts';
import { maxRetryMs } from './retry.ts';
import { failed, type StepOutcome, succeeded, unknown } from './step-outcome.ts';
import { afterError, endAsLookedUp, repeatedWords, searchHint, type Tries } from './unknown-outcome.ts';
import { contextOf, type FilledWrite, type KeyedWrite } from './write-context.ts';

/** The write that an earlier execution of this step left behind, or null when it never got to it. */
export function earlierWrite(run: ActiveRun, step: Step): WriteRecord | null {
  return run.stored.writes.find(({ stepId }) => stepId === step.id) ?? null;
}

/** Makes a write, once. First looks into what an earlier execution left. */
export async function performWrite(
  run: ActiveRun,
  step: Step,
  { tool, args, earlier }: FilledWrite & { earlier: WriteRecord | null },
): Promise<StepOutcome> {
  const write: KeyedWrite = { tool, args, context: await contextOf(run, step) };
  const outcome = await reportWhenSlow(run, step, write, () =>
    earlier === null ? attempt(run, step, write) : resumeWrite(run, step, write, earlier),
  );
  return checkEffect(run, step, write, await addDroppedText(run, step, write, outcome));
}

const unconfirmedMs = 10_000;

/** Reports a call that is not confirmed within ten seconds, so that people can call in another way. */
async function reportWhenSlow(
  { journal }: ActiveRun,
  { id: stepId }: Step,
  { tool }: KeyedWrite,
  work: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  if (tool.manifest.calls === undefined) return work();
  const timer = setTimeout(() => journal.tell({ type: 'unconfirmed', stepId }), unconfirmedMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Continues from the stored state of a write: an ended one stays ended, one that happened is not repeated, one that
 * certainly did not is made now with the same key, and an undecidable one is `unknown`.
 */
async function resumeWrite(
  run: ActiveRun,
  step: Step,
  write: KeyedWrite,
  earlier: WriteRecord,
): Promise<StepOutcome> {
  const { manifest } = write.tool;
  if (earlier.state !== 'intended') {
    const outcome = fromRecord(earlier);
    // The process may have died while checking whether a received write was carried out.
    const isOpen = earlier.state === 'made' && manifest.takenFirst === true;
    return isOpen ? confirmWrite(run, write, outcome) : outcome;
  }
  if (manifest.inDoubt === 'unknown') return interrupted(run, write, 'it is left to people.');
  const found = await lookForEarlier(run, write, earlier.updatedAt);
  if (found.kind === 'found') {
    run.journal.writeEnds(write.context.key, 'made', { result: found.result, how: 'found after a restart' });
    return succeeded(found.result, { notes: ['found after a restart'] });
  }
  if (found.kind === 'absent' && manifest.inDoubt === 'confirm') {
    return interrupted(run, write, `${systemName(manifest)} does not show it.`);
  }
  if (found.kind === 'absent') return attempt(run, step, write, { ...nothingBefore, earlier });
  const isYoung = run.deps.now().getTime() - earlier.createdAt.getTime() < maxRetryMs;
  if ((manifest.inDoubt === 'same_key' || manifest.inDoubt === 'joins') && isYoung) {
    const note = `The bot was interrupted, ${repeatedWords(write, found)}: ${found.why}`;
    return attempt(run, step, write, { earlier, doubt: new Error(found.why), notes: [note] });
  }
  return interrupted(run, write, `${systemName(manifest)} could not be asked about it: ${found.why}`);
}

/** Left by earlier attempts: the stored intent, the doubt about it, and notes for people. */
interface Before {
  readonly earlier: WriteRecord | null;
  readonly doubt: unknown;
  readonly notes: readonly string[];
}

const nothingBefore: Before = { earlier: null, doubt: null, notes: [] };

/**
 * Makes the write, and repeats it after a pause while its vendor may accept or join it. Before every attempt: the
 * targets, all guards, and the audit line.
 */
async function attempt(
  run: ActiveRun,
  step: Step,
  write: KeyedWrite,
  { earlier, doubt, notes }: Before = nothingBefore,
): Promise<StepOutcome> {
  let tries: Tries = {
    count: (earlier?.attempts ?? 0) + 1,
    since: earlier?.createdAt ?? run.deps.now(),
    waitedMs: 0,
    doubt,
  };
  let before = notes;
  for (;;) {
    const allowed = await permit(run, step, write, tries.count);
    if (allowed.kind === 'existing') return resumeWrite(run, step, write, allowed.write);
    if (allowed.kind === 'refused') return refused(run, write, tries, { ...allowed.outcome, notes: before });
    const made = await callWriter(run, allowed.granted, tries.count);
    const noted = (outcome: StepOutcome): StepOutcome => ({
      ...outcome,
      notes: [...allowed.notes, ...before, ...outcome.notes],
    });
    if (made.ok) return noted(made.outcome);
    const next = await afterError(run, write, made.error, tries);
    if (next.kind === 'ended') return noted(next.outcome);
    before = [...new Set([...before, next.note])];
    tries = { ...tries, count: tries.count + 1, waitedMs: tries.waitedMs + next.waitMs, doubt: next.doubt };
  }
}

/** Not allowed, or no longer: the outcome of an earlier attempt is reported first. */
async function refused(
  run: ActiveRun,
  write: KeyedWrite,
  tries: Tries,
  outcome: StepOutcome,
): Promise<StepOutcome> {
  const { count, doubt } = tries;
  if (doubt !== null) return endAsLookedUp(run, write, doubt, tries);
  if (count > 1) run.journal.writeEnds(write.context.key, 'failed', { reason: outcome.reason });
  return { ...outcome, attempts: count - 1 };
}

function interrupted(run: ActiveRun, write: KeyedWrite, why: string): StepOutcome {
  run.journal.writeEnds(write.context.key, 'unknown', { why });
  const message = `The bot was interrupted during this write, and ${why}${searchHint(write)}`;
  return unknown('interrupted', message);
}

function fromRecord({ state, evidence }: WriteRecord): StepOutcome {
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
