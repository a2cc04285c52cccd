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
  /** Bound on the tokens of the answer. */
  readonly maxTokens: number;
}

/** What a model said. `value` is null when the answer is not of the shape; `problems` then says why. */
export interface ModelAnswer<T> {
  readonly value: T | null;
  readonly problems: readonly string[];
  /** The model or a filter in front of it will not answer this, so asking again is of no use. */
  readonly declined: boolean;
  /** The answer as it came, bounded; for a repair. */
  readonly text: string;
  readonly usage: ModelUsage;
}

/** A model behind an address. Throws a VendorError when it cannot be asked; a wrong answer is no error. */
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
