import type { Say } from '../blocks/message.ts';
import { readsWait } from '../core/agent.ts';
import { cut, oneLine } from '../core/clean-text.ts';
import { effectOf } from '../core/code-step.ts';
import { problemsOf } from '../core/dedup-key.ts';
import type { JsonObject } from '../core/json.ts';
import type { Need } from '../core/missing-input.ts';
import { asOrdered } from '../core/ordered.ts';
import type { Plan } from '../core/plan.ts';
import type { PlannerReply } from '../core/planning.ts';
import type { Turn } from '../core/planning-turn.ts';
import { hasWritten } from '../core/queries/written.ts';
import { isUnattended } from '../core/request.ts';
import type { Revision } from '../core/revision.ts';
import { readsIdOf } from '../core/run.ts';
import { slotChanges } from '../core/slot-change.ts';
import { namesIn } from '../core/targets.ts';
import { planTitle } from '../core/title.ts';
import { StoreError } from '../store/errors.ts';
import { propose as storePlan } from '../store/propose.ts';
import * as requests from '../store/requests.ts';
import type { Db } from '../store/tables.ts';
import type { Manifests } from './card/step-view.ts';
import type { StoredRun } from './card-actions.ts';
import type { ApprovalContext } from './context.ts';
import { clearedAway, join } from './join-existing.ts';
import { reminderTimes } from './reminders.ts';
import { type Proposal, planKeyOf, sealPlan, titled } from './seal-plan.ts';
import { enoughRevisions, tooLate } from './words.ts';

/** The result of proposing a plan: the run of its reads, if any, or a question that must be answered first. */
export interface Proposed {
  readonly reads: StoredRun | null;
  /** The run of the same plan that was waiting, where the request counted as its approval. */
  readonly granted: StoredRun | null;
  readonly question: PlannerReply | null;
}

const nothing: Proposed = { reads: null, granted: null, question: null };

/** Time limit for looking up a plan's targets, in milliseconds. */
const resolveMs = 4_000;

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
export async function propose(proposal: Proposal, context: ApprovalContext, say: Say): Promise<Proposed> {
  const { request, turn } = proposal;
  const plan = await informed(proposal, context);
  const problems = problemsOf(plan, context.manifests);
  const looking = { asker: request.requester, signal: AbortSignal.timeout(resolveMs) };
  const { targets, needs } = await context.resolve(plan, problems, looking);
  const [need] = needs;
  // A schedule or an alert cannot answer, and a posted card can be edited: in those cases the card shows what is missing.
  const canAnswer = !isUnattended(request) || request.agent;
  const asks = (turn.basedOn === null || turn.failed !== null) && canAnswer;
  if (need !== undefined && asks) return { ...nothing, question: questionFor(need, proposal) };
  // The title calls targets by the names that were looked up, unless it is somebody else's.
  const isOurs = plan.summary === planTitle(plan.steps, context.manifests);
  const summary = isOurs ? planTitle(plan.steps, context.manifests, targets) : plan.summary;
  const named = { plan: { ...plan, summary }, problems, targets: [...targets] };
  const revision = await sealPlan(proposal, named, context);
  return { ...nothing, ...(await stored(proposal, revision, context, say)) };
}

/** A person's first plan of words may be about something known, and is so once changed in words; what is exact stays as it is. */
async function informed(proposal: Proposal, context: ApprovalContext): Promise<Plan> {
  const { request, turn, reply } = proposal;
  const plan = titled(proposal, context.manifests);
  const isOfWords = reply?.planner === 'offline' || reply?.planner === 'model';
  const before = turn.change === null ? undefined : turn.basedOn?.sealed.plan;
  const wasInformed = before !== undefined && asOrdered(before, context.manifests) !== before;
  const isFirst = (turn.basedOn === null || wasInformed) && turn.failed === null;
  if (!isOfWords || !isFirst || isUnattended(request) || request.via === 'button') return plan;
  return context.withKnowledge(plan, request.channel);
}

async function stored(
  proposal: Proposal,
  revision: Revision,
  context: ApprovalContext,
  say: Say,
): Promise<Partial<Proposed>> {
  const { db, teamId, rules, manifests, reporting } = context;
  const { requestId, number } = revision.sealed;
  // A button click is already an approval, but of no text that it does not show; its targets are looked up nevertheless.
  const { via, agent } = proposal.request;
  const { plan } = revision.sealed;
  const waits =
    readsWait(plan, agent, { ...rules, manifests }) && (via !== 'button' || hasWritten(plan, manifests));
  const became = await storeRevision(
    revision,
    proposal.turn,
    waits ? null : readsIdOf(requestId, number),
    context,
  );
  if (became.kind === 'closed') {
    await say(tooLate());
    return {};
  }
  if (became.kind === 'under_way') {
    if (await clearedAway(became.holder, context)) return stored(proposal, revision, context, say);
    return { granted: await join(proposal, became.holder, context, say) };
  }
  if (!waits) return { reads: { runId: readsIdOf(requestId, became.number), requestId } };
  if (became.kind === 'new') await reporting.propose(revision);
  await requests.setState(db, { teamId, id: requestId, to: 'review' });
  return {};
}

/** The result of storing a revision. */
export type Stored =
  /** `number` is its own, or that of the one already made by the same turn. */
  | { readonly kind: 'new' | 'known'; readonly number: number }
  /** An equivalent plan of another request is waiting for approval or running. */
  | { readonly kind: 'under_way'; readonly holder: string }
  /** The revision it changes was decided meanwhile, or another process was faster. */
  | { readonly kind: 'closed' };

/** Stores it, with the run of its reads if there is one, and supersedes the one before it. */
export async function storeRevision(
  { sealed, bytes, digest }: Revision,
  { actor, basedOn, replaces, cause, change, failed }: Turn,
  readsId: string | null,
  {
    db,
    manifests,
    startBehind,
    decided,
    edited,
  }: Pick<ApprovalContext, 'db' | 'manifests' | 'startBehind' | 'decided' | 'edited'>,
): Promise<Stored> {
  const { teamId, requestId, number, authors, plan, planner, estimate, agent } = sealed;
  const writes = isWriting(plan, manifests);
  try {
    const row = {
      ...{ teamId, requestId, number, digest, bytes, authors, actor, cause },
      targets: namesIn(plan, manifests),
      nudgeAt: writes ? reminderTimes(sealed)[0] : null,
      origin: {
        planner,
        usd: estimate.usd,
        from: basedOn?.sealed.number ?? null,
        inWords: change !== null,
        scope: sealed.source?.scope ?? null,
      },
      createdAt: new Date(sealed.createdAt),
      expiresAt: new Date(sealed.expiresAt),
      ...(basedOn === null || !replaces ? {} : { basedOn: basedOn.sealed.number }),
      ...(readsId === null ? {} : { readsId }),
      ...(agent === undefined ? {} : { owner: agent.owner }),
      ...(writes ? { planKey: planKeyOf(plan) } : {}),
      ...codeOf(plan),
    };
    const read = readsId === null ? undefined : (connection: Db) => startBehind(connection, readsId);
    const stored = await storePlan(db, row, read);
    if (!stored.ok && stored.why === 'under_way') return { kind: 'under_way', holder: stored.holder };
    if (!stored.ok) {
      return stored.why === 'known' ? { kind: 'known', number: stored.number } : { kind: 'closed' };
    }
    for (const row of stored.superseded) decided(row);
    if (basedOn !== null && failed === null) edited(slotChanges(basedOn.sealed.plan, plan));
    return { kind: 'new', number };
  } catch (error) {
    // Another process stored a revision with this number first.
    if (error instanceof StoreError && error.code === 'revision_exists') return { kind: 'closed' };
    throw error;
  }
}

/** The audit log keeps each source, also when the plan is deleted. */
function codeOf({ steps }: Plan): { code?: JsonObject } {
  const code = steps.flatMap(({ id, code }) => (code === undefined ? [] : [[id, code.source]]));
  return code.length === 0 ? {} : { code: Object.fromEntries(code) };
}

function isWriting({ steps }: Plan, manifests: Manifests): boolean {
  return steps.some(({ tool }) => effectOf(tool, manifests) !== 'read');
}

/** Maximum buttons under one question. */
const maxButtons = 5;
const maxButton = 75;
/** Maximum values listed in a question when they have no buttons. */
const maxNamed = 20;

/** The question for a step's missing argument; its answer completes this very plan, without asking a planner again. */
function questionFor(
  need: Need & { readonly step: string },
  { plan, reply }: Pick<Proposal, 'plan' | 'reply'>,
): PlannerReply {
  const { step, arg, item = null, choices } = need;
  const planner = reply?.planner ?? 'person';
  const options = choices.filter((choice) => choice.length <= maxButton).slice(0, maxButtons);
  const blank = { plan, planner, step, arg, item };
  const named = choices.slice(0, maxNamed).map((choice) => `“${cut(oneLine(choice), maxButton)}”`);
  const all = `${named.join(', ')}${choices.length > maxNamed ? ' …' : ''}`;
  const question = options.length === choices.length ? need.question : `${need.question} (${all})`;
  const answer = { kind: 'clarify', question, missing: [item ?? arg], options, blank } as const;
  return { answer, planner, confidence: 1, usage: reply?.usage ?? null, notes: [] };
}
