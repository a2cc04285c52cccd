import { createExecutorModel } from '../clients/executor-model.ts';
import { createModelClient, openaiURL } from '../clients/model.ts';
import type { Env } from '../config/env.ts';
import { VendorError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModelUsage } from '../core/planning.ts';
import type { SummaryReader } from '../core/ports.ts';

const patienceMs = 20_000;

/** What the smaller model does for runs. */
export interface ExecutorVoice {
  readonly summaries: SummaryReader;
  /** Null without a model. */
  readonly judge: ((criterion: string, results: JsonObject) => Promise<string>) | null;
}

/** Without a model, summaries fail with a sentence that says what to set, and nothing is judged. */
const none: ExecutorVoice = {
  summaries: {
    summarize: () =>
      Promise.reject(
        new VendorError('not_configured', 'This needs EXECUTOR_MODEL or PLANNER_MODEL.', {
          retryable: false,
          mayHaveHappened: false,
        }),
      ),
  },
  judge: null,
};

/** The model behind EXECUTOR_MODEL, else PLANNER_MODEL; `record` stores what each call took. */
export function executorVoice(
  env: Env,
  record: (purpose: string, usage: ModelUsage) => Promise<void>,
): ExecutorVoice {
  const model = env.EXECUTOR_MODEL ?? env.PLANNER_MODEL;
  if (model === undefined) return none;
  const client = createModelClient({
    model,
    apiKey: env.OPENAI_API_KEY ?? null,
    baseURL: env.OPENAI_BASE_URL ?? openaiURL,
    timeoutMs: patienceMs,
    fetch,
    clock: () => performance.now(),
  });
  const executor = createExecutorModel(client);
  return {
    summaries: {
      async summarize(material, { about, maxCharacters }, signal) {
        const { text, usage } = await executor.summarize(
          material,
          { instruction: about, maxCharacters },
          signal,
        );
        await record('summarize', usage);
        return text;
      },
    },
    async judge(criterion, results) {
      const { opinion, usage } = await executor.judge(criterion, results, AbortSignal.timeout(patienceMs));
      if (usage !== null) await record('judge', usage);
      return opinion;
    },
  };
}
