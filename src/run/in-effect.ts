import { systemName } from '../core/askable.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { compileCondition } from '../core/condition.ts';
import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Step } from '../core/plan.ts';
import { notInEffect } from '../core/run.ts';
import type { ReadTool } from '../core/tool.ts';
import type { ActiveRun } from './active-run.ts';
import { performRead } from './read.ts';
import { type StepOutcome, unknown } from './step-outcome.ts';
import type { KeyedWrite } from './write-context.ts';

/** Milliseconds before each look: a vendor may show a change a moment after it took it. The last look decides. */
const looksMs = [0, 500, 1_500];
const maxSeen = 200;

/** The finding of a look; `holds` is null where it could not be read. */
interface Look {
  readonly holds: boolean | null;
  readonly words: string;
}

/**
 * Whether a completed write took effect, by the condition of its manifest. One that does not hold leaves the step in
 * doubt: the vendor took the write, and it may have been changed back since. It is never sent again here.
 */
export async function checkEffect(
  run: ActiveRun,
  step: Step,
  write: KeyedWrite,
  outcome: StepOutcome,
): Promise<StepOutcome> {
  const { manifest } = write.tool;
  const { success } = manifest;
  const { result: made } = outcome;
  if (outcome.status !== 'succeeded' || made === null || success === undefined || 'unread' in success)
    return outcome;
  const { read, holds } = success;
  const tool = read && readToolOf(run, read.tool);
  // A read that is not here, or is switched off, shows nothing of it.
  if (read !== undefined && tool === undefined) return outcome;
  const call = read === undefined || tool === undefined ? null : { tool, args: { ...read.args(made) } };
  const seen = await lookUntilItHolds(run, () => look(run, { manifest, made, holds, call }));
  const words = success.words(argWordsOf(run, step, write));
  if (seen.holds === true) return outcome;
  run.journal.note(`write.${seen.holds === null ? 'unclear' : notInEffect}`, 'system', {
    key: write.context.key,
  });
  if (seen.holds === null) {
    return { ...outcome, notes: [...outcome.notes, `whether ${words} could not be read: ${seen.words}`] };
  }
  const found = seen.words === '' ? '' : `: ${cut(oneLine(seen.words), maxSeen)}`;
  const message = `${systemName(manifest)} took it, but a look afterwards does not show that ${words}${found}.`;
  return { ...unknown(missedCode(manifest), message, outcome.notes), attempts: outcome.attempts };
}

/** The code of a write that was taken and that nothing shows afterwards. */
export function missedCode({ success }: Manifest): string {
  return success !== undefined && 'repeatable' in success ? notInEffect : 'not_shown';
}

function readToolOf({ deps }: ActiveRun, name: string): ReadTool | undefined {
  const found = deps.catalogue.off?.has(name) ? undefined : deps.tools.get(name);
  return found?.effect === 'read' ? found.tool : undefined;
}

async function lookUntilItHolds({ deps }: ActiveRun, once: () => Promise<Look>): Promise<Look> {
  let last: Look = { holds: null, words: '' };
  for (const pause of looksMs) {
    if (pause > 0) await deps.sleep(pause);
    last = await once();
    if (last.holds !== false) break;
  }
  return last;
}

interface Sought {
  readonly manifest: Manifest;
  readonly made: JsonObject;
  readonly holds: string;
  /** Null where its own result is what is looked at. */
  readonly call: { readonly tool: ReadTool; readonly args: Record<string, unknown> } | null;
}

async function look(run: ActiveRun, { manifest, made, holds, call }: Sought): Promise<Look> {
  const scope = new Map([['made', manifest]]);
  const results = new Map([['made', made]]);
  let words = '';
  if (call !== null) {
    const { result, reason } = await performRead(run, call.tool, call.args);
    if (result === null) return { holds: null, words: reason?.message.replace(/\.$/, '') ?? '' };
    scope.set('after', call.tool.manifest);
    results.set('after', result);
    words = call.tool.manifest.outcome?.(result, {}, []) ?? '';
  }
  try {
    return { holds: compileCondition(holds, scope).holds(results), words };
  } catch (error) {
    return { holds: null, words: describeError(error).message };
  }
}

/** Its arguments as they were sent, with the names that people know. */
function argWordsOf({ sealed }: ActiveRun, { id }: Step, { args }: KeyedWrite): Record<string, string> {
  const called = new Map(
    sealed.targets.flatMap((target) =>
      target.step === id && target.called ? [[target.value, target.called]] : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, called.get(String(value)) ?? String(value)]),
  );
}
