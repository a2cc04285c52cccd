import { audited } from '../audit/ledger.ts';
import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Step } from '../core/plan.ts';
import { fillArgs, MissingValue, resultsById } from '../core/refs.ts';
import { type Spoken, stepOutcome } from '../core/result-words.ts';
import { type Sealed, unseal } from '../core/revision.ts';
import type { Checked, RunEvent, StepResult } from '../core/run.ts';
import { nounFor, vocabularyOf } from '../core/step-words.ts';
import { checkId, checkStep, checkWords, evidenceOf } from '../core/verify.ts';
import * as checks from '../store/checks.ts';
import { claimDue } from '../store/claim-due.ts';
import { type Checkpoint, load } from '../store/load-run.ts';
import * as outbox from '../store/outbox.ts';
import type { CheckRow } from '../store/tables.ts';
import type { WorkDeps } from './context.ts';
import { checkCriteria } from './criteria.ts';
import { earlier, pauseOf } from './open-checks.ts';
import { readUnattended } from './run-reads.ts';

/** Checks looked up at the same time. */
const maxAtOnce = 5;
/** Milliseconds for which claimed checks are kept from other processes: longer than reading takes. */
const leaseMs = 90_000;
/** Looks up every write whose check is due. */
export async function checkRound(deps: WorkDeps, teamId: string): Promise<void> {
  const { db, now, log } = deps;
  const until = new Date(now().getTime() + leaseMs);
  const rows = await claimDue(db, 'checks', { teamId, now: now(), until, limit: maxAtOnce });
  await Promise.all(
    rows.map((row) =>
      look(row, deps).catch((error: unknown) =>
        log.warn({ run: row.runId, step: row.stepId, ...describeError(error) }, 'A write was not checked'),
      ),
    ),
  );
}

async function look(row: CheckRow, deps: WorkDeps): Promise<void> {
  const stored = await load(deps.db, row);
  const sealed = stored && readSealed(stored, deps);
  const step = sealed?.plan.steps.find(({ id }) => id === row.stepId);
  const made = stored?.results.find(({ stepId }) => stepId === row.stepId);
  if (!stored || !sealed || step?.verify === undefined || made === undefined) {
    const lost = { outcome: 'not_checked', words: 'its plan cannot be read', at: deps.now() } as const;
    await checks.end(deps.db, row, lost);
    return;
  }
  const isLast = deps.now() >= row.until;
  const found = await lookUp({ sealed, stored, step }, deps).catch((error: unknown): Found => {
    const { message } = describeError(error);
    deps.log.warn({ run: row.runId, step: row.stepId, message }, 'A look at a write failed');
    return notChecked(message.replace(/\.$/, ''), false);
  });
  if (!isLast && found.outcome !== 'helped' && !found.isFinal) {
    const next = new Date(deps.now().getTime() + pauseOf(step.verify.within));
    return checks.lookAgain(deps.db, row, earlier(next, row.until));
  }
  await end(row, { stored, result: made, checked: found }, deps);
}

/** Null for a plan that is damaged or gone: nobody can be told in its thread. */
function readSealed({ revision, requestId }: Checkpoint, { log }: WorkDeps): Sealed | null {
  try {
    return revision && unseal(revision.bytes, revision.digest).sealed;
  } catch (error) {
    log.warn({ requestId, ...describeError(error) }, 'A write was not checked');
    return null;
  }
}

type Found = Checked & {
  /** Another look would find the same. */
  readonly isFinal: boolean;
};

interface Written {
  readonly sealed: Sealed;
  readonly stored: Checkpoint;
  readonly step: Step;
}

/** One look. Only a value that was read and does not hold says that the write did not help. */
async function lookUp({ sealed, stored, step }: Written, deps: WorkDeps): Promise<Found> {
  const { steps } = sealed.plan;
  const check = checkStep(step, steps);
  const manifest = check && deps.catalogue.manifests.get(check.tool);
  if (!check || !manifest || step.verify === undefined)
    return notChecked(`${step.verify?.tool} is not here any more`, true);
  const results = resultsById(stored.results);
  const lost = evidenceOf(step.verify).find((id) => !results.has(id));
  if (lost !== undefined) return notChecked(whyLost(lost, stored), true);
  let args: Step['args'];
  try {
    args = fillArgs(manifest, check.args, results) as Step['args'];
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    const noun = nounFor(error.ref, vocabularyOf(steps, deps.catalogue.manifests));
    return notChecked(`${noun} is not known`, true);
  }
  const { success: _success, ...read } = { ...check, args, needs: [] };
  const seen = await readAfter(read, sealed, deps);
  if (seen.result === null) return notChecked(seen.why, false);
  const words = checkWords({ ...check, args }, steps, deps.catalogue.manifests);
  const all = new Map([...results, [checkId, seen.result]]);
  const [criterion] = checkCriteria([step.verify.holds], null, words.scope, all);
  if (criterion === undefined || criterion.holds === null)
    return notChecked(criterion?.why ?? 'its condition cannot be decided', true);
  const facts = factsOf(step, [...stored.results, seen], { words, targets: sealed.targets });
  return { outcome: criterion.holds ? 'helped' : 'did_not_help', words: facts, isFinal: false };
}

const notChecked = (words: string, isFinal: boolean): Found => ({ outcome: 'not_checked', words, isFinal });

/** The evidence from before the write is missing, so there is nothing to compare with. */
function whyLost(id: string, { results }: Checkpoint): string {
  const message = results.find(({ stepId }) => stepId === id)?.reason?.message.replace(/\.$/, '');
  return `there is nothing from before the write to compare with${message === undefined ? '' : `: ${message}`}`;
}

type Seen = StepResult & { readonly why: string };

async function readAfter(
  read: Step,
  { teamId, requestId, requester, plan }: Sealed,
  deps: WorkDeps,
): Promise<Seen> {
  const of = { teamId, requestId: `check-${requestId}`, requester };
  const { results } = await readUnattended(deps, { ...of, plan: { ...plan, steps: [read], success: [] } });
  const [result] = results;
  if (result === undefined) throw new TypeError('a check has no result');
  return { ...result, why: result.reason?.message.replace(/\.$/, '') ?? '' };
}

/** "Splunk: 230 errors of checkout in the last hour; then Splunk: 2 errors of checkout in the last 10 minutes". */
function factsOf({ verify }: Step, results: readonly StepResult[], spoken: Spoken): string {
  const before = verify === undefined ? [] : evidenceOf(verify);
  return [...before, checkId]
    .flatMap((id) => results.find(({ stepId }) => stepId === id) ?? [])
    .map((result) => `${result.stepId === checkId ? 'after' : 'before'}: ${stepOutcome(spoken, result)}`)
    .join('; ');
}

/** The outcome, its audit line and its message in one transaction. */
async function end(
  row: CheckRow,
  { stored, result, checked }: { stored: Checkpoint; result: StepResult; checked: Checked },
  { db, messagesFor, emit, now }: WorkDeps,
): Promise<void> {
  const { teamId, runId, stepId } = row;
  const { requestId, number, mode } = stored;
  const { outcome, words } = checked;
  const at = now();
  const about = { teamId, requestId, number, runId, mode, at: at.toISOString() };
  const event: RunEvent = { ...about, type: 'checked', stepId, result, checked: { outcome, words } };
  const messages = await messagesFor(event, null);
  const data: JsonObject = { step: stepId, outcome, words };
  const line = { teamId, at, kind: 'write.checked', actor: 'system', subject: `run:${runId}`, data };
  const isEnded = await audited(db, teamId, async (trx) => {
    const value = await checks.end(trx, row, { outcome, words, at });
    if (value) await outbox.enqueueAll(trx, messages);
    return { value, lines: value ? [{ ...line, about: { requestId, number, mode } }] : [] };
  });
  if (isEnded) await emit(event);
}
