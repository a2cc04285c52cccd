import type { Plan } from '../core/plan.ts';
import { policyDigest } from '../core/policy.ts';
import type { Request } from '../core/request.ts';
import { type Estimate, type Revision, type Sealed, seal } from '../core/revision.ts';
import type { ResolvedTarget } from '../core/tool.ts';
import { diffPlans } from './diff.ts';
import type { Rules } from './ports.ts';
import type { Manifests } from './step-view.ts';

/** A reviewed plan on its way to a card. */
export interface Proposal {
  readonly request: Request;
  readonly plan: Plan;
  readonly planner: Sealed['planner'];
  readonly notes: readonly string[];
  /** US dollars that planning has cost. */
  readonly usd: number;
  /** Slack id of who made this revision, or `system`. */
  readonly actor: string;
  /** Slack ids of who answered questions about the request. */
  readonly answerers: readonly string[];
  /** The revision that this one changes; null for the first. */
  readonly basedOn: Revision | null;
  /** Changed by what somebody said, mostly in the thread of the card before. */
  readonly inWords: boolean;
  /** False after a failed run: the revision it follows was approved and stays so. */
  readonly replaces: boolean;
}

export interface ProposeDeps {
  resolve(plan: Plan): Promise<ResolvedTarget[]>;
  estimate(plan: Plan, usd: number): Promise<Estimate>;
  newest(teamId: string, requestId: string): Promise<number>;
  /** Stores it and takes the ones before it out of play; null when the one it changes was decided meanwhile. */
  store(revision: Revision, about: Proposal): Promise<readonly Revision[] | null>;
  /** Queues the card, and the last words on cards that it replaces; `inWords`: somebody said what to change. */
  show(
    revision: Revision,
    about: {
      readonly changes: readonly string[];
      readonly replaced: readonly Revision[];
      readonly inWords: boolean;
    },
  ): Promise<void>;
  readonly rules: () => Rules;
  readonly manifests: () => Manifests;
  readonly now: () => Date;
}

/** Everybody who had a hand in it counts as an author where four eyes are required. */
function authorsOf({ request, actor, answerers, basedOn }: Proposal): string[] {
  const before = basedOn?.sealed.authors ?? [];
  return [...new Set([request.requester, ...before, ...answerers, actor])].filter((id) => id !== 'system');
}

/** Seals a plan into a revision, stores it and queues its card. Null when the revision it changes is closed. */
export async function propose(proposal: Proposal, deps: ProposeDeps): Promise<Revision | null> {
  const { request, plan, usd, basedOn } = proposal;
  const [targets, estimate, newest] = await Promise.all([
    deps.resolve(plan),
    deps.estimate(plan, usd),
    deps.newest(request.teamId, request.id),
  ]);
  const { policy, catalogue } = deps.rules();
  const now = deps.now();
  const revision = seal({
    format: 1,
    teamId: request.teamId,
    requestId: request.id,
    number: newest + 1,
    requester: request.requester,
    authors: authorsOf(proposal),
    plan,
    catalogue,
    policy: policyDigest(policy),
    targets,
    planner: proposal.planner,
    notes: [...proposal.notes],
    estimate,
    createdAt: now.toISOString(),
    expiresAt: expiryOf(request, now, policy.expiresMinutes).toISOString(),
  });
  const replaced = await deps.store(revision, proposal);
  if (replaced === null) return null;
  const changes = basedOn === null ? [] : diffPlans(basedOn.sealed.plan, plan, deps.manifests());
  await deps.show(revision, { changes, replaced, inWords: proposal.inWords });
  return revision;
}

/** A schedule's card is over on the minute, so that one which comes up as often as cards expire finds the last one gone. */
export function expiryOf({ via }: Pick<Request, 'via'>, now: Date, minutes: number): Date {
  const from = via === 'schedule' ? Math.floor(now.getTime() / 60_000) * 60_000 : now.getTime();
  return new Date(from + minutes * 60_000);
}
