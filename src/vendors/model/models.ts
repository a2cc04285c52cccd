import { LRUCache } from 'lru-cache';
import { VendorError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { StructuredModel } from '../../core/model.ts';
import type { ModelUsage } from '../../core/planning.ts';
import type { Claim } from '../../core/review-draft.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { createExecutorModel } from './executor-model.ts';
import type { SummaryReader } from './port.ts';

interface HostEnv {
  readonly OPENAI_API_KEY?: string | undefined;
  readonly OPENAI_BASE_URL?: string | undefined;
}

interface ModelEnv extends HostEnv {
  readonly PLANNER_MODEL?: string | undefined;
  readonly EXECUTOR_MODEL?: string | undefined;
}

/** US dollars of a day. */
interface Budget {
  left(): Promise<number>;
  record(purpose: string, usage: ModelUsage): Promise<void>;
}

const timeoutMs = 20_000;
const draftMs = 30_000;
/** Drafts are kept so that a review is published with the one that was shown. */
const remembered = { max: 50, ttl: 60 * 60_000 };

/** Decorates a model, for example to count its calls. */
export type DecorateModel = (model: StructuredModel) => StructuredModel;

/** The smaller model's tasks for runs. */
export interface ExecutorModel {
  readonly summaries: SummaryReader;
  /** Null without a model. */
  readonly judge: ((criterion: string, results: JsonObject) => Promise<string>) | null;
  /** Claims of a review about its numbered records. The same records have the same ones. Null without a model. */
  readonly draft: ((records: readonly string[]) => Promise<readonly Claim[]>) | null;
}

/** Without a model, summaries fail with a sentence that says what to set, and nothing is judged. */
export const noExecutorModel: ExecutorModel = {
  summaries: unconfigured('EXECUTOR_MODEL or PLANNER_MODEL'),
  judge: null,
  draft: null,
};

/** The model behind EXECUTOR_MODEL, else PLANNER_MODEL. */
export function executorModel(
  env: ModelEnv,
  budget: Budget,
  decorate: DecorateModel = (client) => client,
): ExecutorModel {
  const model = env.EXECUTOR_MODEL ?? env.PLANNER_MODEL;
  if (model === undefined) return noExecutorModel;
  const client = decorate(modelClient(env, model, timeoutMs));
  const executor = createExecutorModel({
    name: model,
    async ask(question, signal) {
      if ((await budget.left()) <= 0) {
        throw new VendorError('model_budget', 'the model budget of today is used up', {
          retryable: false,
          mayHaveHappened: false,
        });
      }
      const answer = await client.ask(question, signal);
      await budget.record(question.name, answer.usage);
      return answer;
    },
  });
  const drafts = new LRUCache<string, readonly Claim[]>({ ...remembered });
  return {
    summaries: executor,
    async draft(records) {
      const key = records.join('\n');
      const known = drafts.get(key) ?? (await executor.draft(records, AbortSignal.timeout(draftMs)));
      drafts.set(key, known);
      return known;
    },
    judge: async (criterion, results) =>
      (await executor.judge(criterion, results, AbortSignal.timeout(timeoutMs))).opinion,
  };
}

/**
 * A model on the configured host; `timeoutMs` limits one answer, including its attempts. The client is loaded with the
 * first question.
 */
export function modelClient(env: HostEnv, model: string, timeoutMs: number): StructuredModel {
  let client: Promise<StructuredModel> | undefined;
  const load = async (): Promise<StructuredModel> => {
    const { createModelClient, openaiURL } = await import('./client.ts');
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
