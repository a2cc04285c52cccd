import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import type { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import type { ModelQuestion, StructuredModel } from '../../core/model.ts';
import type { ModelUsage } from '../../core/planning.ts';
import { type Completion, completionSchema, readAnswer } from './completion.ts';
import { modelError } from './errors.ts';
import { modelFetch } from './fetch.ts';
import { type Asking, createFormats } from './formats.ts';
import { createParameters, isOpenai } from './parameters.ts';
import { costOf } from './prices.ts';

export const openaiURL = 'https://api.openai.com/v1';

export interface ModelClientOptions {
  readonly model: string;
  /** Null if the host needs none (Ollama). */
  readonly apiKey: string | null;
  /** `openaiURL`, or another OpenAI-compatible address such as http://localhost:11434/v1 for Ollama. */
  readonly baseURL: string;
  /** Milliseconds for one question, including all attempts. */
  readonly timeoutMs: number;
  /** Attempts for one question, 2 if absent. Only retried when the host could not serve it. */
  readonly attempts?: number;
  readonly fetch: typeof fetch;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

/** If the host asks for a longer pause than this, we give up: the offline answer is faster. */
const maxPauseMs = 2_000;

function usageOf({ model, baseURL }: ModelClientOptions, completion: Completion, ms: number): ModelUsage {
  const prompt = completion.usage?.prompt_tokens ?? 0;
  const cached = completion.usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const output = completion.usage?.completion_tokens ?? 0;
  return {
    model,
    calls: 1,
    promptTokens: prompt,
    cachedTokens: cached,
    completionTokens: output,
    usd: costOf(model, { prompt, cached, completion: output }, { billed: isOpenai(baseURL) }),
    ms,
  };
}

/** Pauses before another attempt, or rethrows the error when another attempt is pointless. */
async function pauseFor(error: VendorError, attempt: number, signal: AbortSignal): Promise<void> {
  const pause = error.retryAfterMs ?? 200 * attempt;
  if (!error.retryable || error.code === 'model_timeout' || pause > maxPauseMs) throw error;
  await sleep(pause, undefined, { signal }).catch(() => {
    throw error;
  });
}

/**
 * A model behind an OpenAI-compatible address, asked for strict structured output through chat completions if its host
 * supports that, and for the next best format if not.
 * Every answer is validated nevertheless, since not every host enforces the schema. The only egress is to the host of
 * `baseURL`. `ask` throws a VendorError (see `modelError`), which never contains the key.
 */
export function createModelClient(options: ModelClientOptions): StructuredModel {
  const { model, apiKey, baseURL, timeoutMs, clock } = options;
  const parameters = createParameters(options);
  const formats = createFormats();
  const client = new OpenAI({
    // Explicit, because the library fills gaps from the environment.
    apiKey: apiKey ?? 'none',
    baseURL,
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: modelFetch(baseURL, apiKey, options.fetch),
  });

  async function complete(question: ModelQuestion<z.ZodType>, limits: Limits): Promise<Completion> {
    const format = formats.begin();
    for (let attempt = 1; ; ) {
      try {
        const body = { model, ...format.of(question), ...parameters.of(question.maxTokens) };
        const completion = await once(client, options, body, limits);
        format.taken();
        return completion;
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        if (parameters.refused(error) || format.refused(error)) continue;
        if (attempt >= (options.attempts ?? 2)) throw error;
        await pauseFor(error, attempt, limits.signal);
        attempt += 1;
      }
    }
  }

  return {
    name: model,
    async ask(question, signal) {
      const began = clock();
      const completion = await complete(question, { signal, timeout: AbortSignal.timeout(timeoutMs) });
      const usage = usageOf(options, completion, clock() - began);
      return { ...readAnswer(completion, question.schema), usage };
    },
  };
}

/** Limits of one question: the caller's signal, and its own timeout. */
interface Limits {
  readonly signal: AbortSignal;
  readonly timeout: AbortSignal;
}

async function once(
  client: OpenAI,
  { model, apiKey, timeoutMs }: ModelClientOptions,
  body: Asking & { readonly model: string },
  { signal, timeout }: Limits,
): Promise<Completion> {
  try {
    const ends = AbortSignal.any([signal, timeout]);
    const raw: unknown = await client.chat.completions.create(body, { signal: ends });
    const parsed = completionSchema.safeParse(raw);
    if (parsed.success) return parsed.data;
    throw new VendorError('model_response', 'the model host answered in an unknown form', {
      retryable: true,
      mayHaveHappened: false,
      facts: { model },
    });
  } catch (error) {
    const cancelled = signal.aborted;
    throw modelError(error, { model, apiKey, timeoutMs, cancelled, timedOut: timeout.aborted });
  }
}
