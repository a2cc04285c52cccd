import type { Json } from '../core/json.ts';
import { asOrdered } from '../core/ordered.ts';
import type { Plan, PlanDraft } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { NextTurn, Turn } from '../core/planning-turn.ts';
import type { Request, StoredRequest } from '../core/request.ts';
import type { FailedRun } from '../core/run.ts';
import { problemAt } from '../store/alerts.ts';
import { incidentsMeantIn } from '../store/incidents.ts';
import { type ApprovedPlan, approvedPlans } from '../store/learning-data.ts';
import * as requests from '../store/requests.ts';
import type { TeamDb } from '../store/tables.ts';
import { recordUsage } from '../store/usage.ts';
import { type Changed, changeByReason, changePlan, type Order, ordersChange } from './change.ts';
import { alikeTo } from './everyday/memory.ts';
import { isNewRequest, isOwnRequest, isQuestion, type NewRequest, type OpenQuestion } from './new-request.ts';
import { type AboutThread, type PlanPort, planRequest } from './planning.ts';
import { replan } from './replan.ts';
import type { Shadow } from './shadow.ts';

/** Dependencies of planning besides its rows. */
export interface PlanContext extends TeamDb, Pick<PlanPort, 'planner' | 'offline' | 'catalogue' | 'policy'> {
  /** Slack user ids of the people on call for a service now. */
  onCall(service: string): Promise<readonly string[]>;
  /** A person's IANA time zone (Slack user id); null where it is not known. */
  zoneOf(userId: string): Promise<string | null>;
  /** The answers in a request's stored question, and the plan that the last of them completed. */
  conversationIn(question: Json | null): Awaited<ReturnType<PlanPort['conversation']>>;
  /** A second planner; undefined where there is none. */
  readonly shadow?: Shadow | undefined;
  readonly now: () => Date;
}

export interface PlanStage {
  make(request: Request, turn: Turn): Promise<PlannerReply>;
  /** Changes a plan in words. */
  change(request: Request, turn: Turn, draft: PlanDraft): Promise<Changed>;
  /** Changes a rejected plan by the reason of its rejection. */
  changeByReason(request: Request, turn: Turn, draft: PlanDraft): Promise<Changed>;
  /** The next planning turn after a failed run, if any. */
  replan(failed: FailedRun): Promise<NextTurn<StoredRequest> | null>;
  /** True when the words order a change to the plan, as far as that can be decided without a model. */
  ordersChange(request: Request, plan: Plan, words: string): Promise<Order>;
  /** Whether words under an open question are clearly a request of their own. */
  isNewRequest(request: Request, open: OpenQuestion, words: string): Promise<NewRequest>;
  /** True when words below an answer surely ask for something that can be looked up. */
  isQuestion(request: Request, words: string): Promise<boolean>;
  /** True when words to the bot in a thread ask for something of their own. */
  isOwnRequest(request: Request, words: string): Promise<boolean>;
}

/** Maximum services checked for a person who wants to be paged; with more, we ask which one. */
const maxAsked = 20;

export function planStage(context: PlanContext): PlanStage {
  const { db, teamId, planner, offline, catalogue, policy, shadow, now } = context;
  const port: PlanPort = {
    ...{ planner, offline, catalogue, policy, now },
    aboutThread: (request) => aboutThread(request, db),
    remembered: (goal) => remembered(goal, context),
    conversation: async (id) =>
      context.conversationIn((await requests.get(db, teamId, id))?.question ?? null),
    servicesOf: (userId) => servicesOf(userId, context),
    zoneOf: context.zoneOf,
    record: (requestId, purpose, spent) => recordUsage(context, requestId, purpose, spent),
  };
  const portFor = (request: Request): PlanPort => ({
    ...port,
    planner: shadow?.plannerFor(request) ?? planner,
    planned: (input, reply) => shadow?.planAgain(request, input, reply),
  });
  return {
    make: (request, turn) => planRequest(request, turn, portFor(request)),
    change: (request, turn, draft) => changePlan(request, turn, draft, portFor(request)),
    changeByReason: (request, turn, draft) => changeByReason(request, turn, draft, portFor(request)),
    replan: (failed) => replan(failed, context),
    ordersChange: (request, plan, words) => ordersChange(request, plan, words, port),
    isNewRequest: (request, open, words) => isNewRequest(request, open, words, port),
    isQuestion: (request, words) => isQuestion(request, words, port),
    isOwnRequest: (request, words) => isOwnRequest(request, words, port),
  };
}

async function aboutThread(request: Request, db: PlanContext['db']): Promise<AboutThread> {
  const { teamId, channel, threadTs } = request;
  const [incidents, alert] = await Promise.all([
    incidentsMeantIn(db, request),
    threadTs === null ? null : problemAt(db, { teamId, channel, threadTs }),
  ]);
  return { hasIncident: incidents.length > 0, threadService: alert?.service };
}

/** Plans that were approved for the same words, latest first. */
async function remembered(goal: string, { db, teamId, catalogue }: PlanContext): Promise<ApprovedPlan[]> {
  const alike = alikeTo(goal, catalogue);
  const plans = await approvedPlans(db, { teamId, words: alike.words });
  return plans
    .filter((one) => alike.isSame(one.goal))
    .map((one) => ({ goal: one.goal, plan: asOrdered(one.plan, catalogue.manifests) }));
}

/** Services for which a person is the only one on call now; empty if that is not certain. */
async function servicesOf(userId: string, { catalogue, onCall }: PlanContext): Promise<string[]> {
  const names = catalogue.services.map(({ name }) => name);
  if (names.length > maxAsked) return [];
  const people = await Promise.all(names.map(onCall)).catch(() => []);
  return names.filter((_name, index) => people[index]?.length === 1 && people[index][0] === userId);
}
