import { CountersignError } from '../../core/errors.ts';
import type { ModelUsage, PlannerReply, PlanningInput } from '../../core/planning.ts';
import type { Ideas } from '../causes/asked.ts';
import type { ModelBudget, StoppablePlanner } from '../ports.ts';
import type { Breaker } from './breaker.ts';
import { ModelPlanError } from './errors.ts';

export interface AskingOptions {
  readonly breaker: Breaker;
  readonly budget: ModelBudget;
  /** Total time for the model in milliseconds, including corrections (`PLANNER_TIMEOUT_MS`). */
  readonly deadlineMs: number;
}

/** The outcome of asking the model: a reply, or why there is none, in words for the card. */
type Attempt =
  | { readonly reply: PlannerReply; readonly note: null; readonly usage: null }
  | { readonly reply: null; readonly note: string; readonly usage: ModelUsage | null };

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(1))} s`;
}

const without = (note: string, usage: ModelUsage | null = null): Attempt => ({ reply: null, note, usage });

/** Wording of model failures for the card, by code. */
const failures: Readonly<Record<string, string>> = {
  model_gave_up: 'The model gave no usable answer, even after two corrections',
  model_unreadable: 'The model gave no usable answer',
  model_auth: 'The model host refused the key',
  model_quota: 'The model account has no credit left',
  model_rate_limited: 'The model host is over its rate limit',
  model_declined: 'The model declined to answer this',
  model_filtered: 'The model declined to answer this',
  model_request: 'The model host rejected the request',
  model_address: 'There is no model at OPENAI_BASE_URL',
  model_timeout: 'The model did not answer in time',
  model_missing: 'The model host does not know the configured model',
};

/** Failures of a model that is up. */
const answered: ReadonlySet<string> = new Set(['model_gave_up', 'model_unreadable', 'model_declined']);

function failureNote(error: CountersignError): string {
  const cause = error.cause instanceof CountersignError ? error.cause : error;
  return `${failures[cause.code] ?? 'The model could not be reached'}; planned without it.`;
}

/** Runs the model with the deadline, even if the model planner ignores the signal. */
async function withDeadline(
  model: StoppablePlanner,
  input: PlanningInput,
  deadlineMs: number,
): Promise<PlannerReply | ModelPlanError | 'late'> {
  const stop = new AbortController();
  const late = Promise.withResolvers<'late'>();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    stop.abort();
    // Gives the planner this turn to report its usage.
    setImmediate(() => late.resolve('late'));
  }, deadlineMs);
  const reply = model.plan(input, stop.signal).catch((error: unknown) => {
    if (error instanceof ModelPlanError) return error;
    if (expired) return 'late' as const;
    throw error;
  });
  try {
    return await Promise.race([reply, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The longest that an investigation waits for the checks of a model. */
const ideasMs = 4_000;

/** The checks that a model adds to an investigation, as far as it is up and within the budget. */
export function askIdeas(model: StoppablePlanner, options: AskingOptions): Ideas {
  const deadlineMs = Math.min(options.deadlineMs, ideasMs);
  return async (input) => {
    const { reply, note, usage } = await askModel(model, input, { ...options, deadlineMs });
    if (reply === null) return { plan: null, usage, notes: [note] };
    return { plan: reply.answer.kind === 'plan' ? reply.answer.plan : null, usage: reply.usage, notes: [] };
  };
}

/** Asks a model if it is up, within the time limit and the day's budget; the note says why there is no answer. */
export async function askModel(
  model: StoppablePlanner,
  input: PlanningInput,
  { breaker, budget, deadlineMs }: AskingOptions,
): Promise<Attempt> {
  const cap = input.policy.caps.modelUsdPerDay;
  if ((await budget.spentToday(input.now)) >= cap) {
    return without(`The model budget of ${cap} USD for today is used up; planned without it.`);
  }
  if (!breaker.allows()) return without('The model keeps failing, so it was not asked; planned without it.');
  const result = await withDeadline(model, input, deadlineMs).catch((error: unknown) => {
    breaker.failed();
    throw error;
  });
  if (result === 'late' || (result instanceof ModelPlanError && result.code === 'model_stopped')) {
    breaker.failed();
    const usage = result === 'late' ? null : result.usage;
    return without(`The model did not answer in ${seconds(deadlineMs)}; planned without it.`, usage);
  }
  if (result instanceof ModelPlanError) {
    if (answered.has(result.code)) breaker.succeeded();
    else breaker.failed();
    return without(failureNote(result), result.usage);
  }
  breaker.succeeded();
  return { reply: result, note: null, usage: null };
}
