import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import { unaccounted } from './account.ts';
import { type AskingOptions, askModel } from './model/asking.ts';
import type { StoppablePlanner } from './ports.ts';

export interface PlannerOptions extends AskingOptions {
  readonly offline: Planner;
  /** Null without a configured model: everything is planned offline. */
  readonly model: StoppablePlanner | null;
  /** Confidence from which the offline answer is taken without asking the model, 0 to 1. */
  readonly threshold: number;
}

/** A question may be spared the person when a model understands more, so it has to be surer than a plan. */
const surelyAsks = 0.85;

/** Refusals that no model may overrule. */
const final = new Set(['dangerous', 'injection']);

const toCheck = 'This may not be what was meant; read the steps closely before approving.';

/** The partial reading goes along, so that the model has to find only what is left. */
function withHint(input: PlanningInput, { answer }: PlannerReply): PlanningInput {
  const hint =
    answer.kind === 'plan' ? answer.plan : answer.kind === 'clarify' ? answer.offers?.[0]?.plan : undefined;
  return hint === undefined || input.replan !== null || input.change !== null ? input : { ...input, hint };
}

/** A model's plan passes the same account: what it does not carry is said beside it. */
function accounted(reply: PlannerReply, input: PlanningInput): PlannerReply {
  if (reply.answer.kind !== 'plan' || input.change !== null || input.replan !== null) return reply;
  const words = new Set(unaccounted(input, reply.answer.plan).map(({ word }) => `“${word}”`));
  const named = [...words].slice(0, 3).join(', ');
  const note = `The plan may not carry ${named}; check that before approving.`;
  return named === '' ? reply : { ...reply, notes: [...reply.notes, note] };
}

/**
 * Offline first: its answer is taken when it is sure, and its refusals of what is dangerous always. Otherwise the
 * model is asked; when that is down, late, over the day's budget or wrong after its corrections, the offline
 * answer is used and a note says why. Never throws because of the model.
 */
export function createPlanner(options: PlannerOptions): Planner {
  const { offline, model, threshold } = options;
  return {
    async plan(input) {
      const own = await offline.plan(input);
      const refused = own.answer.kind === 'refuse' && final.has(own.answer.reason);
      const sure = own.answer.kind === 'clarify' ? Math.max(threshold, surelyAsks) : threshold;
      if (refused || own.confidence >= sure) return own;
      const unsure = own.answer.kind === 'plan' ? [toCheck] : [];
      if (model === null) return { ...own, notes: [...own.notes, ...unsure] };
      const attempt = await askModel(model, withHint(input, own), options);
      if (attempt.reply !== null) return accounted(attempt.reply, input);
      return { ...own, usage: attempt.usage, notes: [...own.notes, attempt.note, ...unsure] };
    },
  };
}
