import { createModelClient, openaiURL } from '../clients/model.ts';
import type { Env } from '../config/env.ts';
import type { Planner, ReviewDraft } from '../core/planning.ts';
import { createBreaker } from '../plan/breaker.ts';
import { createModelPlanner } from '../plan/model/model-planner.ts';
import { createPlanner } from '../plan/planner.ts';
import type { FindExamples, ModelBudget, StoppablePlanner } from '../plan/ports.ts';
import { reviewDraft } from '../review/review.ts';

/** The offline answer is used without asking the model from this confidence on. */
const sureEnough = 0.75;

type ModelEnv = Pick<Env, 'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'PLANNER_MODEL' | 'PLANNER_TIMEOUT_MS'>;

const review: ReviewDraft = (draft, { catalogue, policy }) => reviewDraft(draft, { catalogue, policy });

/** The model planner, or null when no model is configured. */
export function modelPlanner(env: ModelEnv, examples: FindExamples): StoppablePlanner | null {
  if (!env.PLANNER_MODEL) return null;
  const model = createModelClient({
    model: env.PLANNER_MODEL,
    apiKey: env.OPENAI_API_KEY ?? null,
    baseURL: env.OPENAI_BASE_URL ?? openaiURL,
    timeoutMs: env.PLANNER_TIMEOUT_MS,
    fetch,
    clock: () => performance.now(),
  });
  return createModelPlanner({ model, review, examples });
}

/** Offline first, the model where that is not sure. */
export function composedPlanner(
  env: ModelEnv,
  offline: Planner,
  examples: FindExamples,
  budget: ModelBudget,
): Planner {
  return createPlanner({
    offline,
    model: modelPlanner(env, examples),
    breaker: createBreaker({ failures: 3, coolMs: 30_000, clock: () => performance.now() }),
    budget,
    deadlineMs: env.PLANNER_TIMEOUT_MS,
    threshold: sureEnough,
  });
}
