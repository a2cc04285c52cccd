import type { Env } from '../config/env.ts';
import { CountersignError, describeError } from '../core/errors.ts';
import type { StructuredModel } from '../core/model.ts';
import type { Planner } from '../core/planning.ts';
import { type Breaker, createBreaker } from '../plan/model/breaker.ts';
import { createModelPlanner } from '../plan/model/model-planner.ts';
import { createPlanner } from '../plan/planner.ts';
import { acrossPlatforms } from '../plan/platforms.ts';
import type { FindExamples, ModelBudget, StoppablePlanner } from '../plan/ports.ts';
import { reviewDraft } from '../review/review.ts';
import { modelClient } from './model-client.ts';
import type { OfflinePlanners } from './offline.ts';

type ModelEnv = Pick<Env, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'PLANNER_MODEL' | 'PLANNER_TIMEOUT_MS'>;

/** Share of the planning time for one answer of the model: a host that hangs must not use up all of it. */
const roundShare = 2 / 3;

export type WatchModel = (model: StructuredModel) => StructuredModel;

type TellOperator = (why: { readonly code: string; readonly message: string }) => void;

/** The model planner, or null when no model is configured. `watch` decorates the model. */
export function modelPlanner(
  env: ModelEnv,
  examples: FindExamples,
  watch: WatchModel = (model) => model,
): StoppablePlanner | null {
  if (!env.PLANNER_MODEL) return null;
  const roundMs = Math.ceil(env.PLANNER_TIMEOUT_MS * roundShare);
  const model = watch(modelClient(env, env.PLANNER_MODEL, roundMs));
  return createModelPlanner({ model, review: reviewDraft, examples });
}

/** Tells the operator why a model gave no plan; the requester only reads what it means for them. */
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

interface Around {
  readonly tell: TellOperator;
  readonly watch?: WatchModel;
  readonly breaker?: Breaker;
}

const defaultBreaker = (): Breaker =>
  createBreaker({ failures: 3, coolMs: 30_000, clock: () => performance.now() });

/** Exact requests first, the model for the rest, and the everyday planner when that gives no answer. */
export function composedPlanner(
  env: ModelEnv,
  { everyday, exactFirst, examples }: OfflinePlanners,
  budget: ModelBudget,
  { tell, watch, breaker = defaultBreaker() }: Around,
): Planner {
  const model = modelPlanner(env, examples, watch);
  const planner = createPlanner({
    everyday,
    model: model === null ? null : telling(model, tell),
    breaker,
    budget,
    deadlineMs: env.PLANNER_TIMEOUT_MS,
  });
  return acrossPlatforms(exactFirst(planner));
}
