import { describeError } from '../core/errors.ts';
import type { RunEvent } from '../core/run.ts';
import { durably } from './attempt.ts';
import type { RunnerDeps } from './ports.ts';

/**
 * Hands an event to the report. What cannot be handed over is logged and no more: a run must not fail because it
 * cannot be reported.
 */
export async function tell({ emit, sleep, log }: RunnerDeps, event: RunEvent): Promise<void> {
  try {
    await durably(() => emit(event), sleep);
  } catch (error) {
    const { teamId, runId, type } = event;
    log.warn({ teamId, runId, event: type, reason: describeError(error).message }, 'an event was not taken');
  }
}
