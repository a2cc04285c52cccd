import type { Env } from '../config/env.ts';
import type { StructuredModel } from '../core/model.ts';
import { createModelClient, openaiURL } from '../vendors/model/client.ts';

/** A model of the configured host; `timeoutMs` for one attempt. */
export function modelClient(
  env: Pick<Env, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL'>,
  model: string,
  timeoutMs: number,
): StructuredModel {
  return createModelClient({
    model,
    apiKey: env.OPENAI_API_KEY ?? null,
    baseURL: env.OPENAI_BASE_URL ?? openaiURL,
    timeoutMs,
    fetch,
    clock: () => performance.now(),
  });
}
