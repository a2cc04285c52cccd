import type { Env } from '../config/env.ts';
import { VendorError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModelUsage } from '../core/planning.ts';
import { unconfigured } from '../vendors/http/unconfigured.ts';
import { createExecutorModel } from '../vendors/model/executor-model.ts';
import type { SummaryReader } from '../vendors/model/port.ts';
import { modelClient } from './model-client.ts';
import type { WatchModel } from './planner.ts';

type ModelEnv = Pick<Env, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'PLANNER_MODEL' | 'EXECUTOR_MODEL'>;

const patienceMs = 20_000;

/** What the smaller model does for runs. */
export interface ExecutorVoice {
  readonly summaries: SummaryReader;
  /** Null without a model. */
  readonly judge: ((criterion: string, results: JsonObject) => Promise<string>) | null;
}

/** Without a model, summaries fail with a sentence that says what to set, and nothing is judged. */
const none: ExecutorVoice = {
  summaries: unconfigured('EXECUTOR_MODEL or PLANNER_MODEL'),
  judge: null,
};

/** The day's money for models, which planning and runs share. */
export interface ExecutorBudget {
  /** Stores what a call took, also one whose answer is of no use. */
  record(purpose: string, usage: ModelUsage): Promise<void>;
  /** US dollars that are left of today's; nothing is asked without any. */
  left(): Promise<number>;
}

/** The model behind EXECUTOR_MODEL, else PLANNER_MODEL. */
export function executorVoice(
  env: ModelEnv,
  budget: ExecutorBudget,
  watch: WatchModel = (client) => client,
): ExecutorVoice {
  const model = env.EXECUTOR_MODEL ?? env.PLANNER_MODEL;
  if (model === undefined) return none;
  const client = watch(modelClient(env, model, patienceMs));
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
  return {
    summaries: executor,
    judge: async (criterion, results) =>
      (await executor.judge(criterion, results, AbortSignal.timeout(patienceMs))).opinion,
  };
}
