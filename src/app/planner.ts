import type { Env } from '../config/env.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import type { StructuredModel } from '../core/model.ts';
import type { Planner, ReviewDraft } from '../core/planning.ts';
import { createBreaker } from '../plan/model/breaker.ts';
import { createModelPlanner } from '../plan/model/model-planner.ts';
import { createPlanner } from '../plan/planner.ts';
import { acrossPlatforms } from '../plan/platforms.ts';
import type { FindExamples, ModelBudget, StoppablePlanner } from '../plan/ports.ts';
import { watchFirst } from '../plan/watch.ts';
import { reviewDraft } from '../review/review.ts';
import { modelClient } from './model-client.ts';

/** The offline answer is used without asking the model from this confidence on. */
const sureEnough = 0.75;

type ModelEnv = Pick<Env, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'PLANNER_MODEL' | 'PLANNER_TIMEOUT_MS'>;

export type WatchModel = (model: StructuredModel) => StructuredModel;

type TellOperator = (why: { readonly code: string; readonly message: string }) => void;

const review: ReviewDraft = (draft, { catalogue, policy }) => reviewDraft(draft, { catalogue, policy });

/** The model planner, or null when no model is configured. `watch` stands around the model. */
export function modelPlanner(
  env: ModelEnv,
  examples: FindExamples,
  watch: WatchModel = (model) => model,
): StoppablePlanner | null {
  if (!env.PLANNER_MODEL) return null;
  const model = watch(modelClient(env, env.PLANNER_MODEL, env.PLANNER_TIMEOUT_MS));
  return createModelPlanner({ model, review, examples });
}

/** Tells the operator why a model gave no plan; the person who asked reads only what it means for them. */
function telling(planner: StoppablePlanner, tell: TellOperator): StoppablePlanner {
  return {
    async plan(input, signal) {
      try {
        return await planner.plan(input, signal);
      } catch (error) {
        if (error instanceof CountersignError) tell(describeError(error.cause ?? error));
        throw error;
      }
    },
  };
}

/** Offline first, the model where that is not sure. */
export function composedPlanner(
  env: ModelEnv,
  offline: Planner,
  examples: FindExamples,
  budget: ModelBudget,
  { tell, watch }: { readonly tell: TellOperator; readonly watch?: WatchModel },
): Planner {
  const model = modelPlanner(env, examples, watch);
  const planner = createPlanner({
    offline,
    model: model === null ? null : telling(model, tell),
    breaker: createBreaker({ failures: 3, coolMs: 30_000, clock: () => performance.now() }),
    budget,
    deadlineMs: env.PLANNER_TIMEOUT_MS,
    threshold: sureEnough,
  });
  return watchFirst(acrossPlatforms(planner));
}
