import { CountersignError } from '../core/errors.ts';
import type { ModelUsage, Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import type { Breaker } from './breaker.ts';
import { ModelPlanError } from './model/errors.ts';
import { unaccounted } from './offline/account.ts';
import type { ModelBudget, StoppablePlanner } from './ports.ts';

export interface PlannerOptions {
  readonly offline: Planner;
  /** Null without a configured model: everything is planned offline. */
  readonly model: StoppablePlanner | null;
  readonly breaker: Breaker;
  readonly budget: ModelBudget;
  /** Milliseconds for the model in all, corrections included (`PLANNER_TIMEOUT_MS`). */
  readonly deadlineMs: number;
  /** Confidence from which the offline answer is taken without asking the model, 0 to 1. */
  readonly threshold: number;
}

/** What the model came to: a reply, or why there is none, in words for the card. */
type Attempt =
  | { readonly reply: PlannerReply; readonly note: null; readonly usage: null }
  | { readonly reply: null; readonly note: string; readonly usage: ModelUsage | null };

/** A question may be spared the person when a model understands more, so it has to be surer than a plan. */
const surelyAsks = 0.85;

/** Refusals that no model may overrule. */
const final = new Set(['dangerous', 'injection']);

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(1))} s`;
}

const without = (note: string, usage: ModelUsage | null = null): Attempt => ({ reply: null, note, usage });

/** What a failure of the model is to whoever reads the card, by its code. */
const failures: Readonly<Record<string, string>> = {
  model_gave_up: 'The model gave no usable answer, even after two corrections',
  model_auth: 'The model host refused the key',
  model_quota: 'The model account has no credit left',
  model_rate_limited: 'The model host is over its rate limit',
  model_declined: 'The model declined to answer this',
  model_filtered: 'The model declined to answer this',
  model_request: 'The model host rejected the request',
  model_address: 'There is no model at OPENAI_BASE_URL',
  model_missing: 'The model host does not know the configured model',
};

function failureNote(error: CountersignError): string {
  const cause = error.cause instanceof CountersignError ? error.cause : error;
  return `${failures[cause.code] ?? 'The model could not be reached'}; planned offline.`;
}

/** The partial reading goes along, so that the model has to find only what is left. */
function withHint(input: PlanningInput, { answer }: PlannerReply): PlanningInput {
  const hint =
    answer.kind === 'plan' ? answer.plan : answer.kind === 'clarify' ? answer.offers?.[0]?.plan : undefined;
  return hint === undefined || input.replan !== null || input.change !== null ? input : { ...input, hint };
}

/** A model's plan passes the same account: what it does not carry is said beside it. */
function accounted(reply: PlannerReply, input: PlanningInput): PlannerReply {
  if (reply.answer.kind !== 'plan' || input.change !== null || input.replan !== null) return reply;
  const words = [...new Set(unaccounted(input, reply.answer.plan).map(({ word }) => word))];
  if (words.length === 0) return reply;
  return {
    ...reply,
    notes: [
      ...reply.notes,
      `The plan may not carry ${words
        .slice(0, 3)
        .map((word) => `“${word}”`)
        .join(', ')}; check that before approving.`,
    ],
  };
}

/** Runs the model under the deadline. Late is late even where the model planner ignores the signal. */
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
    // The planner gets this turn to report what it has spent.
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

/**
 * Offline first: its answer is taken when it is sure, and its refusals of what is dangerous always. Otherwise the
 * model is asked; when that is down, late, over the day's budget or wrong after its corrections, the offline
 * answer is used and a note says why. Never throws because of the model.
 */
export function createPlanner(options: PlannerOptions): Planner {
  const { offline, model, breaker, budget, deadlineMs, threshold } = options;

  async function askModel(planner: StoppablePlanner, input: PlanningInput): Promise<Attempt> {
    const cap = input.policy.caps.modelUsdPerDay;
    if ((await budget.spentToday(input.now)) >= cap) {
      return without(`The model budget of ${cap} USD for today is used up; planned offline.`);
    }
    if (!breaker.allows()) return without('The model keeps failing, so it was not asked; planned offline.');
    const result = await withDeadline(planner, input, deadlineMs).catch((error: unknown) => {
      breaker.failed();
      throw error;
    });
    if (result === 'late' || (result instanceof ModelPlanError && result.code === 'model_stopped')) {
      breaker.failed();
      const usage = result === 'late' ? null : result.usage;
      return without(`The model did not answer in ${seconds(deadlineMs)}; planned offline.`, usage);
    }
    if (result instanceof ModelPlanError) {
      if (result.code === 'model_gave_up' || result.code === 'model_declined') breaker.succeeded();
      else breaker.failed();
      return without(failureNote(result), result.usage);
    }
    breaker.succeeded();
    return { reply: result, note: null, usage: null };
  }

  return {
    async plan(input) {
      // Plan notation is read exactly, before any word is: the place of `parse` of src/plan/notation/.
      const own = await offline.plan(input);
      const refused = own.answer.kind === 'refuse' && final.has(own.answer.reason);
      const sure = own.answer.kind === 'clarify' ? Math.max(threshold, surelyAsks) : threshold;
      if (refused || own.confidence >= sure) return own;
      const unsure =
        own.answer.kind === 'plan'
          ? ['This may not be what was meant; read the steps closely before approving.']
          : [];
      if (model === null) return { ...own, notes: [...own.notes, ...unsure] };
      const attempt = await askModel(model, withHint(input, own));
      if (attempt.reply !== null) return accounted(attempt.reply, input);
      return { ...own, usage: attempt.usage, notes: [...own.notes, attempt.note, ...unsure] };
    },
  };
}
