import { CountersignError } from '../../core/errors.ts';
import type { Finding } from '../../core/finding.ts';
import type { ModelUsage } from '../../core/planning.ts';

/**
 * The model planner has no answer: `model_gave_up` (still wrong after all repairs; has the last answer's `findings`),
 * `model_unreadable` (its only answer is of another form), `model_declined` (it, or its content filter, refuses to answer), `model_failed` (it was unreachable; the VendorError
 * is the cause) or `model_stopped` (by the signal). `usage` is the cost incurred, null when nothing was answered.
 */
export class ModelPlanError extends CountersignError {
  readonly findings: readonly Finding[];
  readonly usage: ModelUsage | null;

  constructor(
    code: 'model_gave_up' | 'model_declined' | 'model_unreadable' | 'model_failed' | 'model_stopped',
    message: string,
    about: {
      readonly findings?: readonly Finding[];
      readonly usage: ModelUsage | null;
      readonly cause?: unknown;
    },
  ) {
    super(code, message, { findings: about.findings?.length ?? 0 }, about.cause);
    this.findings = about.findings ?? [];
    this.usage = about.usage;
  }
}
