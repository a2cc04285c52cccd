import { diffPlans } from '../approval/diff.ts';
import type { Who } from '../approval/ports.ts';
import { looksLikeNotation } from '../core/notation/looks.ts';
import { type Plan, type PlanDraft, planSchema } from '../core/plan.ts';
import type { Request } from '../core/request.ts';
import { unseal } from '../core/revision.ts';
import { firstTurn, type Say, type Turn } from '../pipeline.ts';
import { changeNotUnderstood, enoughRevisions } from '../report/private.ts';
import { isChangeOrder } from '../request/change-order.ts';
import * as revisions from '../store/revisions.ts';
import type { RequestRow } from '../store/tables.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { isFirst } from './once.ts';
import { mayTalk } from './people.ts';
import { planningInput } from './planning-input.ts';
import { recordUsage } from './usage.ts';
import type { World } from './world.ts';

/** Revisions of one request; each is stored and posted, and may have cost a call of the model. */
const mostRevisions = 30;
/** How sure the planner must be that a reply nobody addressed to it is a change. */
const surely = 0.7;

/** People also talk in threads: unless the bot is named, only what is surely a change becomes one. */
export async function changeFromThread(
  deps: HandlerDeps,
  row: RequestRow,
  words: string,
  { key, actor, mentioned }: { readonly key: string; readonly actor: Who; readonly mentioned: boolean },
  say: Say,
): Promise<boolean> {
  const { world } = deps;
  const last = await revisions.latest(world.db, world.teamId, row.id);
  if (last?.state !== 'proposed') return false;
  const basedOn = unseal(last.bytes, last.digest);
  const { plan } = basedOn.sealed;
  if (!mentioned && !(await surelyChanges(world, row, plan, words))) return false;
  if (!(await mayTalk(world, actor, say))) return true;
  const turn: Turn = { ...firstTurn(actor.userId), basedOn, change: words };
  if (await isFirst(world, key)) await change(deps, row, turn, plan, say);
  return true;
}

async function surelyChanges(world: World, request: Request, plan: Plan, words: string): Promise<boolean> {
  if (looksLikeNotation(words, world.catalogue)) return true;
  if (!isChangeOrder(words)) return false;
  const reply = await world.offline.plan(planningInput(world, request, { change: { plan, words } }));
  if (reply.answer.kind !== 'plan' || reply.confidence < surely) return false;
  return diffPlans(plan, reply.answer.plan, world.catalogue.manifests).length > 0;
}

/** Makes a revision of what a form says, in fields or, on top of them, in words. */
export async function edit(
  deps: HandlerDeps,
  request: Request,
  turn: Turn,
  draft: PlanDraft,
  say: Say,
): Promise<void> {
  if (turn.change !== null) return change(deps, request, turn, draft, say);
  if ((turn.basedOn?.sealed.number ?? 0) >= mostRevisions) return say(enoughRevisions(mostRevisions));
  await deps.pipeline.edited(request, draft, turn, say);
}

/** Changes `draft` in words. What the planner does not understand changes nothing. */
async function change(
  { world, pipeline }: HandlerDeps,
  request: Request,
  turn: Turn,
  draft: PlanDraft,
  say: Say,
): Promise<void> {
  const plan = planSchema.parse(draft);
  const { basedOn, change: words } = turn;
  if (basedOn === null || words === null) return;
  if (basedOn.sealed.number >= mostRevisions) return say(enoughRevisions(mostRevisions));
  const reply = await world.planner.plan(planningInput(world, request, { change: { plan, words } }));
  await recordUsage(world, request.id, 'change', reply.usage);
  const after = reply.answer.kind === 'plan' ? reply.answer.plan : null;
  const { manifests } = world.catalogue;
  if (after === null || diffPlans(basedOn.sealed.plan, after, manifests).length === 0) {
    const why = reply.planner === 'person' && reply.answer.kind === 'clarify' ? reply.answer.question : null;
    return say(changeNotUnderstood(words, why));
  }
  await pipeline.changed(request, after, turn, reply, say);
}
