import type { Env } from '../config/env.ts';
import type { StructuredModel } from '../core/model.ts';

/**
 * A model on the configured host; `timeoutMs` limits one answer, including its attempts. The client is loaded with the
 * first question.
 */
export function modelClient(
  env: Pick<Env, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL'>,
  model: string,
  timeoutMs: number,
): StructuredModel {
  let client: Promise<StructuredModel> | undefined;
  const load = async (): Promise<StructuredModel> => {
    const { createModelClient, openaiURL } = await import('../vendors/model/client.ts');
    return createModelClient({
      model,
      apiKey: env.OPENAI_API_KEY ?? null,
      baseURL: env.OPENAI_BASE_URL ?? openaiURL,
      timeoutMs,
      fetch,
      clock: () => performance.now(),
    });
  };
  return {
    name: model,
    async ask(question, signal) {
      client ??= load();
      return (await client).ask(question, signal);
    },
  };
}
