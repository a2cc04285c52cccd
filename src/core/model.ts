import type { z } from 'zod';
import type { ModelUsage } from './planning.ts';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** One question to a model that must answer in JSON of a given shape. */
export interface ModelQuestion<S extends z.ZodType> {
  /** Name of the shape: letters, digits, `_` and `-`. */
  readonly name: string;
  /** Strict-mode friendly: object at the root, no optional fields, records, defaults or transforms. */
  readonly schema: S;
  readonly messages: readonly ModelMessage[];
  /** Token limit of the answer. */
  readonly maxTokens: number;
}

/** A model's answer. `value` is null when it does not match the schema; `problems` then says why. */
export interface ModelAnswer<T> {
  readonly value: T | null;
  readonly problems: readonly string[];
  /** The model or its content filter declines, so asking again is no use. */
  readonly declined: boolean;
  /** The raw answer, truncated; used for a repair. */
  readonly text: string;
  readonly usage: ModelUsage;
}

/** A model behind an address. Throws a VendorError when it is unreachable; an invalid answer is not an error. */
export interface StructuredModel {
  readonly name: string;
  ask<S extends z.ZodType>(question: ModelQuestion<S>, signal: AbortSignal): Promise<ModelAnswer<z.infer<S>>>;
}

/** Usage of several calls to the same model as one record. */
export function addUsage(a: ModelUsage | null, b: ModelUsage): ModelUsage {
  if (a === null) return b;
  return {
    model: b.model,
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    usd: a.usd + b.usd,
    ms: a.ms + b.ms,
  };
}
