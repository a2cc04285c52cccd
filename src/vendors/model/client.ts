import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { VendorError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { ModelAnswer, ModelQuestion, StructuredModel } from '../../core/model.ts';
import type { ModelUsage } from '../../core/planning.ts';
import { modelError } from './errors.ts';
import { modelFetch } from './fetch.ts';
import { createParameters, isOpenai } from './parameters.ts';
import { costOf } from './prices.ts';

export const openaiURL = 'https://api.openai.com/v1';

export interface ModelClientOptions {
  readonly model: string;
  /** Null where the host needs none (Ollama). */
  readonly apiKey: string | null;
  /** `openaiURL`, or another OpenAI-compatible address such as http://localhost:11434/v1 for Ollama. */
  readonly baseURL: string;
  /** Milliseconds for one attempt, body included. */
  readonly timeoutMs: number;
  /** Attempts for one question, 2 if absent. Only what the host could not serve is tried again. */
  readonly attempts?: number;
  readonly fetch: typeof fetch;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
}

/** Characters of an answer that are read; a plan in this form has less than a tenth of it. */
const answerLimit = 65_536;
/** A host that asks for a longer pause than this is not waited for: the offline answer is quicker. */
const maxPauseMs = 2_000;

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.number().min(0),
      completion_tokens: z.number().min(0),
      prompt_tokens_details: z.object({ cached_tokens: z.number().min(0).nullish() }).nullish(),
    })
    .nullish(),
});
type Completion = z.infer<typeof completionSchema>;

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

/** The answer without what some models behind other hosts put around it: their thinking, and a code fence. */
function bare(text: string): string {
  const spoken = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  return /^```(?:json)?[^\S\n]*\n([\s\S]*)\n```$/.exec(spoken)?.[1] ?? spoken;
}

/** Reads an answer strictly: one JSON value of the shape. */
function readAnswer<S extends z.ZodType>(
  completion: Completion,
  schema: S,
): Omit<ModelAnswer<z.infer<S>>, 'usage'> {
  const choice = completion.choices[0];
  const text = choice?.message.content ?? '';
  const result = (value: z.infer<S> | null, problems: string[], declined = false) => {
    return { value, problems, declined, text: text.slice(0, answerLimit) };
  };
  const fail = (...problems: string[]) => result(null, problems);
  const refusal = choice?.message.refusal;
  if (refusal) return result(null, [`the model declined: ${refusal.slice(0, 200)}`], true);
  if (choice?.finish_reason === 'content_filter') {
    return result(null, ['the filter of the model host stopped the answer'], true);
  }
  if (choice?.finish_reason === 'length') return fail('the answer was cut off because it is too long');
  if (text.length > answerLimit) return fail(`the answer has more than ${answerLimit} characters`);
  const json = parseJson(bare(text));
  if (json === undefined) return fail('the answer is not JSON; answer with the JSON object alone');
  const parsed = schema.safeParse(json);
  if (parsed.success) return result(parsed.data, []);
  const problems = parsed.error.issues.map((issue) =>
    `${issue.path.join('.') || 'answer'}: ${issue.message}`.slice(0, 300),
  );
  return fail(...problems.slice(0, 20));
}

/** Pauses before another attempt, or gives the error on when a further attempt makes no sense. */
async function pauseFor(error: VendorError, attempt: number, signal: AbortSignal): Promise<void> {
  const pause = error.retryAfterMs ?? 200 * attempt;
  if (!error.retryable || error.code === 'model_timeout' || pause > maxPauseMs) throw error;
  await sleep(pause, undefined, { signal }).catch(() => {
    throw error;
  });
}

/**
 * A model behind an OpenAI-compatible address, asked in strict structured output through chat completions.
 * Every answer is validated all the same, since not every host enforces the schema. The only egress is to the
 * host of `baseURL`. `ask` throws a VendorError (see `modelError`), in which the key never stands.
 */
export function createModelClient(options: ModelClientOptions): StructuredModel {
  const { model, apiKey, baseURL, timeoutMs, clock } = options;
  const parameters = createParameters(options);
  const client = new OpenAI({
    // Explicit, because the library fills what is missing from the environment.
    apiKey: apiKey ?? 'none',
    baseURL,
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: modelFetch(baseURL, apiKey, options.fetch),
  });

  async function complete(question: ModelQuestion<z.ZodType>, signal: AbortSignal): Promise<Completion> {
    for (let attempt = 1; ; ) {
      try {
        return await once(client, options, {
          question,
          parameters: parameters.of(question.maxTokens),
          signal,
        });
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        const { parameter } = error.facts;
        if (typeof parameter === 'string' && parameters.refused(parameter)) continue;
        if (attempt >= (options.attempts ?? 2)) throw error;
        await pauseFor(error, attempt, signal);
        attempt += 1;
      }
    }
  }

  return {
    name: model,
    async ask(question, signal) {
      const began = clock();
      const completion = await complete(question, signal);
      const usage = usageOf(options, completion, clock() - began);
      return { ...readAnswer(completion, question.schema), usage };
    },
  };
}

/** One request, under its own time limit. */
async function once(
  client: OpenAI,
  { model, apiKey, timeoutMs }: ModelClientOptions,
  asked: {
    readonly question: ModelQuestion<z.ZodType>;
    readonly parameters: object;
    readonly signal: AbortSignal;
  },
): Promise<Completion> {
  const { question, parameters, signal } = asked;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const raw: unknown = await client.chat.completions.create(
      {
        model,
        messages: [...question.messages],
        response_format: zodResponseFormat(question.schema, question.name),
        ...parameters,
      },
      { signal: AbortSignal.any([signal, timeout]) },
    );
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
