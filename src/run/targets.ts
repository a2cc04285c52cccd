import { knowsTarget } from '../core/catalogue.ts';
import { describeError } from '../core/errors.ts';
import type { Step } from '../core/plan.ts';
import { targetsIn } from '../core/targets.ts';
import type { ResolvedTarget, WriteTool } from '../core/tool.ts';
import type { ActiveRun } from './active-run.ts';
import { timed } from './retry.ts';
import { failed, type StepOutcome } from './step-outcome.ts';

export interface Held {
  readonly refused: StepOutcome | null;
  readonly notes: readonly string[];
  /** The people it wakes: as of now, or as on the card when they cannot be looked up. */
  readonly people: NonNullable<ResolvedTarget['people']>;
}

/**
 * Compares the targets with the card. A definite change stops the write. A failed look-up does not, because a page must
 * go out even if the rota cannot be read; it is noted.
 */
export async function targetsHold(
  run: ActiveRun,
  step: Step,
  tool: WriteTool,
  args: Record<string, unknown>,
): Promise<Held> {
  for (const { kind, value } of targetsIn(tool.manifest, args)) {
    if (!knowsTarget(run.deps.catalogue, kind, value)) {
      return {
        refused: failed('target_unknown', `${value} is not a ${kind} that is configured.`),
        ...{ notes: [], people: [] },
      };
    }
  }
  const sealed = run.sealed.targets.filter((one) => one.step === step.id && one.identity !== '');
  const shown = sealed.flatMap(({ people = [] }) => people);
  if (sealed.length === 0) return { refused: null, notes: [], people: [] };
  try {
    const { readers, now } = run.deps;
    // An open incident for the problem does not change the target, and the write checks for that itself.
    const context = { readers, now, asker: run.sealed.requester, problem: null };
    const found = await timed(tool.manifest, (signal) => tool.resolve(args, { ...context, signal }));
    for (const one of sealed) {
      const current = found.find(({ arg, kind }) => arg === one.arg && kind === one.kind);
      if (current === undefined || current.identity === '' || current.identity === one.identity) continue;
      const message = `The approved plan ${one.label}; now it ${current.label}. Nothing was sent.`;
      return { refused: failed('target_moved', message), notes: [], people: [] };
    }
    return { refused: null, notes: [], people: found.flatMap(({ people = [] }) => people) };
  } catch (error) {
    const why = describeError(error).message;
    const notes = [`Whether the target is still the same could not be checked: ${why}`];
    return { refused: null, notes, people: shown };
  }
}
