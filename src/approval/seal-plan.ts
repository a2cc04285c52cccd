import { canonicalJson, digestOf } from '../core/canonical.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { graphOf, waves } from '../core/graph.ts';
import type { Plan } from '../core/plan.ts';
import { type PlannerReply, planningNotes } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Request } from '../core/request.ts';
import { type Estimate, type Revision, type Sealed, seal } from '../core/revision.ts';
import { type FailedRun, isCorrectable } from '../core/run.ts';
import { stepSentence, vocabularyOf } from '../core/step-words.ts';
import { planTitle } from '../core/title.ts';
import { defaultWhy } from '../notation/defaults.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as steps from '../store/steps.ts';
import { basisOf } from './basis.ts';
import type { Manifests } from './card/step-view.ts';
import type { ApprovalContext } from './context.ts';

/** A reviewed plan about to become a card. */
export interface Proposal {
  readonly request: Request;
  readonly plan: Plan;
  readonly turn: Turn;
  /** The planner's reply that contained it; null where a person filled in the form. */
  readonly reply: PlannerReply | null;
}

/** Seals a plan into the next revision of its request. */
export async function sealPlan(
  proposal: Proposal,
  { plan, problems, targets }: Pick<Sealed, 'plan' | 'problems' | 'targets'>,
  context: ApprovalContext,
): Promise<Revision> {
  const { request, turn, reply } = proposal;
  const { db, teamId, manifests, now: clock } = context;
  const usd = (reply?.usage?.usd ?? 0) + (turn.basedOn?.sealed.estimate.usd ?? 0);
  const tools = [...new Set(plan.steps.map((step) => step.tool))];
  const [times, newest, stored] = await Promise.all([
    steps.history(db, teamId, tools),
    revisions.latest(db, teamId, request.id),
    requests.get(db, teamId, request.id),
  ]);
  const { policy } = context.rules;
  const now = clock();
  const again = sameBefore(proposal);
  return seal({
    format: 1,
    teamId: request.teamId,
    requestId: request.id,
    number: (newest?.number ?? 0) + 1,
    requester: request.requester,
    authors: authorsOf(proposal, context.answerersOf(stored?.question ?? null)),
    plan,
    ...basisOf({ plan, targets }, context.rules),
    targets,
    problems,
    planner: reply?.planner ?? again?.planner ?? 'person',
    notes: again === null ? notesOf(proposal, manifests) : [...again.notes],
    ...sourceOf(proposal),
    ...(request.agent ? { agent: request.agent } : {}),
    estimate: estimate(plan, times, usd),
    createdAt: now.toISOString(),
    expiresAt: expiryOf(request, now, policy.expiresMinutes).toISOString(),
  });
}

/** Only for the plan as it came from its source, not for one that was changed. An agent's has none: no standing approval may decide it. */
function sourceOf(proposal: Proposal): Pick<Sealed, 'source'> {
  const { request, turn, reply } = proposal;
  if (request.agent) return {};
  const source = turn.change === null && turn.failed === null ? reply?.source : undefined;
  const found = source ?? sameBefore(proposal)?.source;
  return found === undefined ? {} : { source: found };
}

/** The origin of the same plan, when it is shown again. */
function sameBefore({ plan, turn, reply }: Proposal): Sealed | null {
  const before = turn.basedOn?.sealed ?? null;
  if (reply !== null || before === null) return null;
  return canonicalJson(plan.steps) === canonicalJson(before.plan.steps) ? before : null;
}

/** Everybody involved counts as an author where four eyes are required, an agent's owner too. */
function authorsOf({ request, turn }: Proposal, answerers: readonly string[]): string[] {
  const before = turn.basedOn?.sealed.authors ?? [];
  const owner = request.agent ? [request.agent.owner] : [];
  const all = [request.requester, ...owner, ...before, ...answerers, turn.actor];
  return [...new Set(all)].filter((id) => id !== 'system');
}

/**
 * The title describes what the steps do, and so does each reason of an agent's plan: others' words never speak for the
 * bot. A playbook's words are vetted.
 */
export function titled(proposal: Proposal, manifests: Manifests): Plan {
  const { request, plan, turn, reply } = proposal;
  const again = sameBefore(proposal);
  if (again !== null) return { ...plan, summary: again.plan.summary };
  // Code made the plan of a situation, whoever asked for it.
  const isOurs = plan.situation !== undefined && reply?.planner === 'offline';
  const isVetted = isOurs || (reply?.planner === 'playbook' && turn.change === null);
  if (isVetted || turn.failed !== null) return plan;
  const summary = planTitle(plan.steps, manifests);
  if (!request.agent || turn.basedOn !== null) return { ...plan, summary };
  const words = vocabularyOf(plan.steps, manifests);
  return { ...plan, summary, steps: plan.steps.map((step) => ({ ...step, why: defaultWhy(step, words) })) };
}

function notesOf({ plan, turn, reply }: Proposal, manifests: Manifests): string[] {
  const left =
    turn.failed === null
      ? []
      : [...doubtNotes(turn.failed, manifests), 'Retries only the steps that didn’t finish.'];
  return [...left, ...planningNotes(reply, plan.summary)];
}

/** Why a write that was taken is there again. What else the last run may have done is left out: somebody has to check. */
function doubtNotes({ plan, results }: FailedRun, manifests: Manifests): string[] {
  const words = vocabularyOf(plan.steps, manifests);
  const inDoubt = new Set(
    results.filter((one) => one.status === 'unknown' && !isCorrectable(one)).map(({ stepId }) => stepId),
  );
  const missed = results.filter(isCorrectable).flatMap(({ reason }) => reason?.message ?? []);
  const leftOut = plan.steps
    .filter(({ id }) => inDoubt.has(id))
    .map((step) => {
      const what = cut(oneLine(stepSentence(step, words)), 200);
      return `It may have happened, so it is left out: ${what}. Check, and ask again only if it did not.`;
    });
  return [...missed, ...leftOut];
}

/** A schedule's card expires on the minute, so that one repeated as often as cards expire finds the last one gone. */
function expiryOf({ via }: Pick<Request, 'via'>, now: Date, minutes: number): Date {
  const from = via === 'schedule' ? Math.floor(now.getTime() / 60_000) * 60_000 : now.getTime();
  return new Date(from + minutes * 60_000);
}

type ToolTimes = Pick<steps.ToolHistory, 'p50Ms' | 'p95Ms'>;

/** Weight of the longest path through the graph, or null when a weight is unknown. */
function criticalPath(plan: Plan, weigh: (tool: string) => number | null): number | null {
  const nodes = graphOf(plan.steps);
  const tools = new Map(plan.steps.map((step) => [step.id, step.tool]));
  const needs = new Map(nodes.map((node) => [node.id, node.needs]));
  const ends = new Map<string, number>();
  for (const id of waves(nodes).waves.flat()) {
    const weight = weigh(tools.get(id) ?? '');
    if (weight === null) return null;
    const start = Math.max(0, ...(needs.get(id) ?? []).map((need) => ends.get(need) ?? 0));
    ends.set(id, start + weight);
  }
  return Math.max(0, ...ends.values());
}

/** Estimated duration along the critical path, from each tool's history, and the cost of planning so far. */
export function estimate(plan: Plan, times: ReadonlyMap<string, ToolTimes>, planningUsd: number): Estimate {
  return {
    p50Ms: criticalPath(plan, (tool) => times.get(tool)?.p50Ms ?? null),
    p95Ms: criticalPath(plan, (tool) => times.get(tool)?.p95Ms ?? null),
    usd: planningUsd,
  };
}

/** Equal for plans that do the same thing, whoever asked and however they put it. */
export function planKeyOf({ steps }: Plan): string {
  return digestOf(steps.map(({ why: _why, ...does }) => ({ ...does, needs: [...does.needs].sort() })));
}
