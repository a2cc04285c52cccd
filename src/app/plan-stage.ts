import type { Catalogue } from '../core/catalogue.ts';
import type { Planner } from '../core/planning.ts';
import type { Policy } from '../core/policy.ts';
import { changePlan, ordersChange } from '../plan/change.ts';
import { isNewRequest } from '../plan/new-request.ts';
import { type PlanPort, planRequest } from '../plan/planning.ts';
import { type ReplanPort, replan } from '../plan/replan.ts';
import type { RequestContext } from '../request/context.ts';
import { answersOf, filledOf } from '../request/conversation.ts';
import type { Stages } from '../stages.ts';
import { incidentsOfThread } from '../store/incidents.ts';
import { approvedPlans } from '../store/learning-data.ts';
import * as requests from '../store/requests.ts';
import * as runs from '../store/runs.ts';
import { recordUsage } from '../store/usage.ts';
import { type Books, newestRevision } from './stored-requests.ts';

export interface PlanStageDeps extends Books {
  readonly planner: Planner;
  readonly offline: Planner;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  /** Slack user ids of the people on call for a service now. */
  readonly onCall: (service: string) => Promise<readonly string[]>;
  readonly now: () => Date;
}

/** Maximum services checked for a person who wants to be paged; with more, we ask which one. */
const maxAsked = 20;

/** The plan stage, with functions that distinguish a change from talk and a request from an answer. */
export function planStage(
  deps: PlanStageDeps,
): Stages['plan'] & Pick<RequestContext, 'ordersChange' | 'isNewRequest'> {
  const { db, teamId, planner, offline, catalogue, policy, onCall, now } = deps;
  const port: PlanPort = {
    ...{ planner, offline, catalogue, policy, now },
    incidentsOfThread: (request) => incidentsOfThread(db, request),
    remembered: () => approvedPlans(db, teamId),
    async answersTo(requestId) {
      return answersOf((await requests.get(db, teamId, requestId))?.question ?? null);
    },
    async filled(requestId) {
      return filledOf((await requests.get(db, teamId, requestId))?.question ?? null);
    },
    async servicesOf(userId) {
      const names = catalogue.services.map(({ name }) => name);
      if (names.length > maxAsked) return [];
      const people = await Promise.all(names.map(onCall)).catch(() => []);
      return names.filter((_name, index) => people[index]?.length === 1 && people[index][0] === userId);
    },
    record: (requestId, purpose, spent) => recordUsage(deps, requestId, purpose, spent),
  };
  const again: ReplanPort = {
    request: (id) => requests.get(db, teamId, id),
    newest: (requestId) => newestRevision(deps, requestId),
    async countRuns(requestId) {
      const all = await runs.listOf(db, teamId, requestId);
      return all.filter(({ mode }) => mode === 'run').length;
    },
  };
  return {
    make: (request, turn) => planRequest(request, turn, port),
    change: (request, turn, draft) => changePlan(request, turn, draft, port),
    replan: (failed) => replan(failed, again),
    ordersChange: (request, plan, words) => ordersChange(request, plan, words, port),
    isNewRequest: (request, open, words) => isNewRequest(request, open, words, port),
  };
}
