import type { Say } from '../blocks/message.ts';
import { canonicalJson } from '../core/canonical.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { type Problem, problemsOf } from '../core/dedup-key.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import { policyDigest } from '../core/policy.ts';
import type { Request } from '../core/request.ts';
import { type Estimate, type Revision, type Sealed, seal } from '../core/revision.ts';
import type { FailedRun } from '../core/run.ts';
import { stepSentence, vocabularyOf } from '../core/step-words.ts';
import { planTitle } from '../core/title.ts';
import type { Resolved } from '../core/tool.ts';
import type { Manifests } from './card/step-view.ts';
import type { StoredRun } from './card-actions.ts';
import { clearedAway, type JoinPort, join } from './join-existing.ts';
import { lackingQuestion } from './missing-argument.ts';
import type { Rules } from './ports.ts';
import { enoughRevisions, tooLate } from './words.ts';

/** A reviewed plan about to become a card. */
export interface Proposal {
  readonly request: Request;
  readonly plan: Plan;
  readonly turn: Turn;
  /** The planner's reply that contained it; null where a person filled in the form. */
  readonly reply: PlannerReply | null;
}

/** The result of storing a revision. */
export type Stored =
  /** `number` is its own, or that of the one already made by the same turn. */
  | { readonly kind: 'new' | 'known'; readonly number: number }
  /** An equivalent plan of another request is waiting for approval or running. */
  | { readonly kind: 'under_way'; readonly holder: string }
  /** The revision it changes was decided meanwhile, or another process was faster. */
  | { readonly kind: 'closed' };

/** The result of proposing a plan: the run of its reads, if any, or a question that must be answered first. */
export interface Proposed {
  readonly reads: StoredRun | null;
  /** The run of the same plan that was waiting, where the request counted as its approval. */
  readonly granted: StoredRun | null;
  readonly question: PlannerReply | null;
}

export interface ProposePort extends JoinPort {
  /** `asker`: Slack user id of the requester. */
  resolve(plan: Plan, problems: readonly Problem[], asker: string): Promise<Resolved>;
  estimate(plan: Plan, usd: number): Promise<Estimate>;
  /** Number of the newest revision of a request, 0 before its first. */
  newest(requestId: string): Promise<number>;
  /** Slack ids of the people who answered questions about a request. */
  answerersOf(requestId: string): Promise<readonly string[]>;
  /** Stores it, with the run of its reads if there is one, and supersedes the one before it. */
  store(revision: Revision, turn: Turn, readsId: string | null): Promise<Stored>;
  /** Queues the card, and the final state of the card it replaces. */
  show(revision: Revision): Promise<void>;
  /** Marks the request as waiting for a decision. */
  waits(requestId: string): Promise<void>;
  readonly rules: () => Rules;
  readonly manifests: () => Manifests;
  readonly now: () => Date;
}

const nothing: Proposed = { reads: null, granted: null, question: null };

/** Maximum revisions of one request; each is stored and posted, and may have cost a model call. */
const maxRevisions = 30;

/** False after telling the person that the revision limit is reached. */
export async function takesMore({ basedOn }: Turn, say: Say): Promise<boolean> {
  if ((basedOn?.sealed.number ?? 0) < maxRevisions) return true;
  await say(enoughRevisions(maxRevisions));
  return false;
}

/**
 * Seals a plan into a revision and stores it, or tells the person that the card is already closed. Returns the run of
 * its reads to start: its results are the answer, or appear on the card. A plan that lacks an argument its vendor
 * requires is not stored: the requester is asked first.
 */
export async function propose(proposal: Proposal, port: ProposePort, say: Say): Promise<Proposed> {
  const { request, turn } = proposal;
  const plan = titled(proposal, port.manifests());
  const problems = problemsOf(plan, port.manifests());
  const { targets, needs } = await port.resolve(plan, problems, request.requester);
  const [need] = needs;
  // A schedule cannot answer, and a posted card can be edited: in those cases the card shows what is missing.
  const asks = (turn.basedOn === null || turn.failed !== null) && request.via !== 'schedule';
  if (need !== undefined && asks) {
    return { ...nothing, question: lackingQuestion(need, proposal) };
  }
  const revision = await sealed(proposal, { plan, problems, targets: [...targets] }, port);
  return { ...nothing, ...(await stored(proposal, revision, port, say)) };
}

async function stored(
  proposal: Proposal,
  revision: Revision,
  port: ProposePort,
  say: Say,
): Promise<Partial<Proposed>> {
  const { requestId, number } = revision.sealed;
  // A button click is already an approval; its targets are looked up nevertheless.
  const waits = port.rules().policy.reads === 'ask' && proposal.request.via !== 'button';
  const became = await port.store(revision, proposal.turn, waits ? null : readsIdOf(requestId, number));
  if (became.kind === 'closed') {
    await say(tooLate());
    return {};
  }
  if (became.kind === 'under_way') {
    if (await clearedAway(became.holder, port.rules(), port)) return stored(proposal, revision, port, say);
    return { granted: await join(proposal, became.holder, port, say) };
  }
  if (!waits) return { reads: { runId: readsIdOf(requestId, became.number), requestId } };
  if (became.kind === 'new') await port.show(revision);
  await port.waits(requestId);
  return {};
}

/** The id of the single run of a revision's reads. */
export function readsIdOf(requestId: string, number: number): string {
  return `read-${requestId}-${number}`;
}

async function sealed(
  proposal: Proposal,
  { plan, problems, targets }: Pick<Sealed, 'plan' | 'problems' | 'targets'>,
  port: ProposePort,
): Promise<Revision> {
  const { request, turn, reply } = proposal;
  const usd = (reply?.usage?.usd ?? 0) + (turn.basedOn?.sealed.estimate.usd ?? 0);
  const [estimate, newest, answerers] = await Promise.all([
    port.estimate(plan, usd),
    port.newest(request.id),
    port.answerersOf(request.id),
  ]);
  const { policy, catalogue } = port.rules();
  const now = port.now();
  const again = sameBefore(proposal);
  return seal({
    format: 1,
    teamId: request.teamId,
    requestId: request.id,
    number: newest + 1,
    requester: request.requester,
    authors: authorsOf(proposal, answerers),
    plan,
    catalogue,
    policy: policyDigest(policy),
    targets,
    problems,
    planner: reply?.planner ?? again?.planner ?? 'person',
    notes: again === null ? notesOf(proposal, port.manifests()) : [...again.notes],
    ...sourceOf(proposal),
    estimate,
    createdAt: now.toISOString(),
    expiresAt: expiryOf(request, now, policy.expiresMinutes).toISOString(),
  });
}

/** Only for the plan as it came from its source, not for one that was changed. */
function sourceOf(proposal: Proposal): Pick<Sealed, 'source'> {
  const { turn, reply } = proposal;
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

/** Everybody involved counts as an author where four eyes are required. */
function authorsOf({ request, turn }: Proposal, answerers: readonly string[]): string[] {
  const before = turn.basedOn?.sealed.authors ?? [];
  const all = [request.requester, ...before, ...answerers, turn.actor];
  return [...new Set(all)].filter((id) => id !== 'system');
}

/** The title describes what the steps do: a model's words never speak for the bot. A playbook's summary is vetted. */
function titled(proposal: Proposal, manifests: Manifests): Plan {
  const { plan, turn, reply } = proposal;
  const again = sameBefore(proposal);
  if (again !== null) return { ...plan, summary: again.plan.summary };
  const isVetted = reply?.planner === 'playbook' && turn.change === null;
  return isVetted || turn.failed !== null ? plan : { ...plan, summary: planTitle(plan.steps, manifests) };
}

function notesOf({ plan, turn, reply }: Proposal, manifests: Manifests): string[] {
  const left =
    turn.failed === null
      ? []
      : [...doubtNotes(turn.failed, manifests), 'Retries only the steps that didn’t finish.'];
  const said = reply?.planner === 'model' ? [`The model’s note: “${plan.summary}”`] : [];
  return [...left, ...(reply?.notes ?? []), ...said];
}

/** The plan for the rest leaves out what the last run may have done: somebody has to check. */
function doubtNotes({ plan, results }: FailedRun, manifests: Manifests): string[] {
  const words = vocabularyOf(plan.steps, manifests);
  const inDoubt = new Set(results.filter(({ status }) => status === 'unknown').map(({ stepId }) => stepId));
  return plan.steps
    .filter(({ id }) => inDoubt.has(id))
    .map((step) => {
      const what = cut(oneLine(stepSentence(step, words)), 200);
      return `It may have happened, so it is left out: ${what}. Check, and ask again only if it did not.`;
    });
}

/** A schedule's card expires on the minute, so that one repeated as often as cards expire finds the last one gone. */
export function expiryOf({ via }: Pick<Request, 'via'>, now: Date, minutes: number): Date {
  const from = via === 'schedule' ? Math.floor(now.getTime() / 60_000) * 60_000 : now.getTime();
  return new Date(from + minutes * 60_000);
}
