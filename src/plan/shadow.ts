import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '../core/canonical.ts';
import { describeError } from '../core/errors.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Plan } from '../core/plan.ts';
import type { Planner, PlannerReply, PlanningInput } from '../core/planning.ts';
import type { Request } from '../core/request.ts';
import * as shadowPlans from '../store/shadow-plans.ts';
import type { TeamDb } from '../store/tables.ts';
import { recordUsage } from '../store/usage.ts';

/** A planner by its name: that of its model, or `everyday`. */
interface Named {
  readonly name: string;
  readonly planner: Planner;
  /** The same, with half of the day's model budget, for plans that nobody waits for. */
  readonly spare: Planner;
}

export interface ShadowContext extends TeamDb {
  readonly usual: Named;
  readonly other: Named;
  /** Percentage of people or channels that are shown the other one's plans. */
  readonly share: number;
  readonly shareOf: 'people' | 'channels';
  /** The plan as it would be proposed; null if the review rejects it. */
  review(plan: Plan, input: PlanningInput): Plan | null;
  readonly now: () => Date;
  readonly log: Log;
}

/** Two planners: one plans for people, the other plans the same unseen. */
export interface Shadow {
  /** The planner whose plans the requester is shown; the same one every time. */
  plannerFor(request: Request): Planner;
  /** Plans a request once more, after it was answered. Does nothing while too many wait. */
  planAgain(request: Request, input: PlanningInput, shown: PlannerReply): void;
  /** Drops what waits, and resolves when nothing is under way. */
  stop(): Promise<void>;
}

/** Maximum requests that wait to be planned again; they are planned one at a time. */
const maxWaiting = 20;
/** Milliseconds for which the answer that people wait for goes first. */
const restMs = 2_000;

export function openShadow(context: ShadowContext): Shadow {
  const { usual, other, share, shareOf, log } = context;
  const stopping = new AbortController();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  function isShared({ requester, channel }: Request): boolean {
    const of = shareOf === 'people' ? requester : channel;
    return Number.parseInt(sha256(`share ${of}`).slice(0, 8), 16) % 100 < share;
  }

  return {
    plannerFor: (request) => (isShared(request) ? other : usual).planner,
    planAgain(request, input, shown) {
      // Notation and playbooks are planned by neither.
      const isPlanned = shown.planner === 'offline' || shown.planner === 'model';
      if (!isPlanned || shown.fellBack || waiting >= maxWaiting || stopping.signal.aborted) return;
      const [mine, second] = isShared(request) ? [other, usual] : [usual, other];
      waiting += 1;
      last = last
        .then(() => pause(restMs, undefined, { signal: stopping.signal, ref: false }))
        .then(() => planUnseen({ request, input, shown, by: mine.name, second }, context))
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn(describeError(error), 'A second plan could not be made');
        })
        .finally(() => {
          waiting -= 1;
        });
    },
    async stop() {
      stopping.abort();
      await last;
    },
  };
}

interface Again {
  readonly request: Request;
  readonly input: PlanningInput;
  readonly shown: PlannerReply;
  /** Name of the planner that was shown. */
  readonly by: string;
  readonly second: Named;
}

async function planUnseen(
  { request, input, shown, by, second }: Again,
  context: ShadowContext,
): Promise<void> {
  const { db, teamId, now, log, review } = context;
  const reply = await second.spare.plan(input).catch((error: unknown) => {
    log.warn({ ...describeError(error), planner: second.name }, 'A second planner gave no answer');
    return null;
  });
  await recordUsage(context, request.id, 'shadow', reply?.usage ?? null);
  const answer = reply === null || reply.fellBack ? null : reply.answer;
  const plan = answer?.kind === 'plan' ? review(answer.plan, input) : null;
  const kind = answer === null || (answer.kind === 'plan' && plan === null) ? 'failed' : answer.kind;
  await shadowPlans.keep(db, {
    ...{ teamId, requestId: request.id, shown: by, planner: second.name, shownKind: shown.answer.kind, kind },
    ...{ plan: plan === null ? null : jsonOf(plan), at: now() },
  });
}
