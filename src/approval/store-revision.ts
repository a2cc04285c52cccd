import type { Plan } from '../core/plan.ts';
import { planKeyOf } from '../core/plan-key.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Revision } from '../core/revision.ts';
import { slotChanges } from '../core/slot-change.ts';
import { namesIn } from '../core/targets.ts';
import { StoreError } from '../store/errors.ts';
import { propose } from '../store/propose.ts';
import type { Manifests } from './card/step-view.ts';
import type { ApprovalContext } from './context.ts';
import { nudgeTimes } from './reminders.ts';

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
  { db, manifests, decided, edited }: Pick<ApprovalContext, 'db' | 'manifests' | 'decided' | 'edited'>,
): Promise<Stored> {
  const { teamId, requestId, number, authors, plan, planner, estimate } = sealed;
  const writes = isWriting(plan, manifests);
  try {
    const stored = await propose(db, {
      ...{ teamId, requestId, number, digest, bytes, authors, actor, cause },
      targets: namesIn(plan, manifests),
      nudgeAt: writes ? nudgeTimes(sealed)[0] : null,
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
      ...(writes ? { planKey: planKeyOf(plan) } : {}),
    });
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

function isWriting({ steps }: Plan, manifests: Manifests): boolean {
  return steps.some(({ tool }) => manifests.get(tool)?.effect !== 'read');
}
