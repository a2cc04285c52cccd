import { propose } from '../approval/propose.ts';
import type { JsonObject } from '../core/json.ts';
import type { Plan, PlanDraft } from '../core/plan.ts';
import type { PlannerReply, PlanningInput } from '../core/planning.ts';
import type { Request } from '../core/request.ts';
import type { Sealed } from '../core/revision.ts';
import type { FailedRun } from '../core/run.ts';
import { planTitle } from '../core/title.ts';
import type { Say, Stages, Turn } from '../pipeline.ts';
import { remainder } from '../plan/remainder.ts';
import { notPlannable, refused, tooLate } from '../report/private.ts';
import { questionMessage } from '../report/question.ts';
import { optimise } from '../review/optimise.ts';
import { reviewDraft } from '../review/review.ts';
import * as requests from '../store/requests.ts';
import { answerersOf, answersOf, asked } from './conversation.ts';
import { planningInput } from './planning-input.ts';
import { proposeDeps } from './revisions.ts';
import { recordUsage } from './usage.ts';
import type { World } from './world.ts';

/** What a failed run left needs no planner: the plan is cut by code. */
const byCode = { planner: 'offline', confidence: 1, usage: null, notes: [] } as const;

/** The stages of the pipeline, wired to the world. */
export function createStages(world: World): Stages {
  const { db, catalogue, policy, teamId } = world;
  const close = (request: Request, to: 'refused' | 'review' | 'asking') =>
    requests.setState(db, { teamId, id: request.id, to });
  return {
    async plan(request, turn) {
      const left = turn.failed && remainder(turn.failed.plan, turn.failed.results, catalogue.manifests);
      if (left) return { answer: { kind: 'plan', plan: left }, ...byCode };
      const stored = await requests.get(db, teamId, request.id);
      const answers = answersOf(stored?.question ?? null);
      const replan = turn.failed && replanOf(turn.failed);
      const reply = await world.planner.plan(planningInput(world, request, { answers, replan }));
      await recordUsage(world, request.id, 'plan', reply.usage);
      return reply;
    },
    review: (draft, request) => review(draft, request?.channel ?? null),
    async propose(request, plan, turn, reply) {
      const { basedOn, actor } = turn;
      const planner: Sealed['planner'] = reply?.planner ?? 'person';
      const usd = (reply?.usage?.usd ?? 0) + (basedOn?.sealed.estimate.usd ?? 0);
      const stored = await requests.get(db, teamId, request.id);
      const proposal = {
        request,
        plan: reply === null || turn.change !== null ? retitled(plan, turn, catalogue.manifests) : plan,
        planner,
        notes: notesOf(reply, turn),
        usd,
        actor,
        answerers: answerersOf(stored?.question ?? null),
        basedOn,
        inWords: turn.change !== null,
        replaces: turn.replaces,
      };
      const revision = await propose(proposal, proposeDeps(world));
      if (revision !== null) await close(request, 'review');
      return revision !== null;
    },
    ask: (request, reply, turn) => ask(world, request, reply, turn),
    async refuse(request, { answer, notes }, say) {
      if (answer.kind !== 'refuse') throw new TypeError('only a refusal can be refused');
      await close(request, 'refused');
      const about = [answer.explanation, ...notes].join(' ');
      await say(refused(answer.reason, about));
    },
    async reject(request, findings, say) {
      const current = await requests.get(db, teamId, request.id);
      if (current?.state === 'planning') await close(request, 'refused');
      await say(notPlannable(findings));
    },
    tooLate: (say: Say) => say(tooLate()),
  };

  function review(draft: Plan | PlanDraft, home: string | null) {
    const reviewed = reviewDraft(draft, { catalogue, policy, home });
    if (reviewed.plan === null) return reviewed;
    return { plan: optimise(reviewed.plan, catalogue.manifests), findings: [] };
  }
}

/** A changed plan under its old title would promise what it no longer does. */
function retitled(plan: Plan, { basedOn }: Turn, manifests: World['catalogue']['manifests']): Plan {
  const stale = basedOn?.sealed.plan.summary === plan.summary;
  return stale ? { ...plan, summary: planTitle(plan.steps, manifests) } : plan;
}

function notesOf(reply: PlannerReply | null, turn: Turn): string[] {
  const left = turn.failed === null ? [] : ['What the last run left undone; what was done is not repeated.'];
  return [...left, ...(reply?.notes ?? [])];
}

/** What a failed run leaves to be planned anew: results are data and marked as such by the planner. */
function replanOf({ plan, results }: FailedRun): NonNullable<PlanningInput['replan']> {
  const of = (status: string) => results.filter((one) => one.status === status).map((one) => one.stepId);
  const data: JsonObject = {};
  for (const { stepId, result } of results) if (result) data[stepId] = result;
  // A write that may have been made counts as made: no planner repeats it.
  return { plan, done: [...of('succeeded'), ...of('unknown')], failed: of('failed'), results: data };
}

/** Asks in the channel, or in the thread where the request was made, with buttons for likely answers. */
async function ask(world: World, request: Request, reply: PlannerReply, turn: Turn): Promise<void> {
  if (reply.answer.kind !== 'clarify') throw new TypeError('only a question can be asked');
  const { db, gateway, teamId } = world;
  const stored = await requests.get(db, teamId, request.id);
  const thread = turn.basedOn === null ? request.threadTs : null;
  const key = `question:${request.id}:${answersOf(stored?.question ?? null).length}`;
  const message = questionMessage(request, reply.answer, reply.notes);
  const of = { teamId, id: request.id };
  // Stored before it is posted: a quick thumb may press a button before Slack's answer is here.
  const open = asked(stored?.question ?? null, reply, null);
  await requests.setState(db, { ...of, to: 'planning', question: open });
  const { ts } = await gateway.post({ channel: request.channel, threadTs: thread, message, key });
  const question = asked(stored?.question ?? null, reply, ts);
  await requests.setState(db, { ...of, to: 'asking', from: ['planning'], asked: open, question });
}
