import { describeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { StepResult, StepStatus } from '../core/run.ts';

/** How a step ended, before it is stamped and stored. */
export interface StepOutcome {
  readonly status: StepStatus;
  readonly result: JsonObject | null;
  readonly reason: StepResult['reason'];
  readonly notes: readonly string[];
  readonly attempts: number;
  /** In a dry run, the write's preview. */
  readonly preview?: string;
}

export function succeeded(
  result: JsonObject | null,
  more: { attempts?: number; notes?: readonly string[] } = {},
): StepOutcome {
  return { status: 'succeeded', result, reason: null, notes: more.notes ?? [], attempts: more.attempts ?? 1 };
}

export function failed(
  code: string,
  message: string,
  more: { attempts?: number; notes?: readonly string[] } = {},
): StepOutcome {
  const { attempts = 0, notes = [] } = more;
  return { status: 'failed', result: null, reason: { code, message }, notes, attempts };
}

export function skipped(code: string, message: string): StepOutcome {
  return { status: 'skipped', result: null, reason: { code, message }, notes: [], attempts: 0 };
}

/** A write that may or may not have happened. */
export function unknown(code: string, message: string, notes: readonly string[] = []): StepOutcome {
  return { status: 'unknown', result: null, reason: { code, message }, notes, attempts: 1 };
}

export function failedBy(error: unknown, attempts: number): StepOutcome {
  const { code, message } = describeError(error);
  return failed(code, message, { attempts });
}

/** A parsed result as plain JSON, without undefined fields. */
export function plainResult(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
