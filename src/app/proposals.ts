import { withJoiners } from '../approval/decide.ts';
import { estimate } from '../approval/estimate.ts';
import { mayApprove } from '../approval/may-approve.ts';
import type { ProposePort } from '../approval/propose.ts';
import { nudgeTimes } from '../approval/reminders.ts';
import { readRow } from '../core/damaged-row.ts';
import type { Plan } from '../core/plan.ts';
import { planKeyOf } from '../core/plan-key.ts';
import type { Turn } from '../core/planning-turn.ts';
import type { Revision } from '../core/revision.ts';
import { slotChanges } from '../core/slot-change.ts';
import { namesIn } from '../core/targets.ts';
import { answerersOf } from '../request/conversation.ts';
import { resolveTargets } from '../review/resolve-targets.ts';
import { StoreError } from '../store/errors.ts';
import { propose as storeProposal } from '../store/propose.ts';
import * as requests from '../store/requests.ts';
import * as revisions from '../store/revisions.ts';
import * as steps from '../store/steps.ts';
import type { ApprovalDeps } from './approval-deps.ts';
import { cardLink } from './card-link.ts';
import { cancelCard, cancelDamaged } from './card-maintenance.ts';
import { planReader } from './stored-requests.ts';

/** Time limit for resolving a plan's targets, in milliseconds. */
const resolveMs = 4_000;

/** How a reviewed plan becomes a card. */
export function proposePort(deps: ApprovalDeps): Omit<ProposePort, 'approve'> {
  const { db, teamId, damaged, readers, writeTools, reporting, gateway, manifests, people, rules, now } =
    deps;
  return {
    resolve: (plan, problems, asker) =>
      resolveTargets(plan, problems, writeTools, {
        ...{ readers, now, asker },
        signal: AbortSignal.timeout(resolveMs),
      }),
    async estimate(plan, usd) {
      const tools = [...new Set(plan.steps.map((step) => step.tool))];
      return estimate(plan, await steps.history(db, teamId, tools), usd);
    },
    newest: async (requestId) => (await revisions.latest(db, teamId, requestId))?.number ?? 0,
    async answerersOf(requestId) {
      return answerersOf((await requests.get(db, teamId, requestId))?.question ?? null);
    },
    store: (revision, turn, readsId) => storeOnce(deps, revision, turn, readsId),
    join: (id, holder) => requests.join(db, { teamId, id, holder }),
    close: (id) => requests.setState(db, { teamId, id, to: 'closed' }),
    async mayApprove(holder, userId) {
      const judged = { revision: withJoiners(holder), policy: rules.policy, manifests, people, now: now() };
      return (await mayApprove({ ...judged, who: { userId, home: null } })).allowed;
    },
    async holder(requestId) {
      const row = await revisions.latest(db, teamId, requestId);
      if (row === null) return null;
      const isShown = row.cardTs !== null;
      const isOpen = row.state === 'proposed';
      const revision = readRow(row, planReader, damaged);
      if (revision === null) return isOpen ? 'damaged' : null;
      const { requesters: joiners } = await requests.joinersOf(db, teamId, requestId);
      return { isOpen, isShown, revision, joiners };
    },
    cancel: (revision, reason) => cancelCard(deps, revision, reason),
    async cancelDamaged(requestId) {
      const row = await revisions.latest(db, teamId, requestId);
      return row !== null && cancelDamaged(deps, row);
    },
    showAsked: (revision) => reporting.asked(revision),
    async linkTo({ sealed: { requestId, number } }) {
      return cardLink(gateway, await revisions.get(db, teamId, requestId, number));
    },
    show: (revision) => reporting.propose(revision),
    async waits(id) {
      await requests.setState(db, { teamId, id, to: 'review' });
    },
    rules: () => rules,
    manifests: () => manifests,
    now,
  };
}

function isWriting({ steps: all }: Plan, manifests: ApprovalDeps['manifests']): boolean {
  return all.some(({ tool }) => manifests.get(tool)?.effect !== 'read');
}

async function storeOnce(
  { db, manifests, decided, edited }: Pick<ApprovalDeps, 'db' | 'manifests' | 'decided' | 'edited'>,
  { sealed, bytes, digest }: Revision,
  { actor, basedOn, replaces, cause, change, failed }: Turn,
  readsId: string | null,
): ReturnType<ProposePort['store']> {
  const { teamId, requestId, number, authors, plan, planner, estimate } = sealed;
  try {
    const stored = await storeProposal(db, {
      ...{ teamId, requestId, number, digest, bytes, authors, actor, cause },
      targets: namesIn(plan, manifests),
      nudgeAt: isWriting(plan, manifests) ? nudgeTimes(sealed)[0] : null,
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
      ...(isWriting(plan, manifests) ? { planKey: planKeyOf(plan) } : {}),
    });
    if (!stored.ok && stored.why === 'under_way') return { kind: 'under_way', holder: stored.holder };
    if (!stored.ok) {
      return stored.why === 'known' ? { kind: 'known', number: stored.number } : { kind: 'closed' };
    }
    stored.superseded.forEach(decided);
    if (basedOn !== null && failed === null) edited(slotChanges(basedOn.sealed.plan, plan));
    return { kind: 'new', number };
  } catch (error) {
    // Another process stored a revision with this number first.
    if (error instanceof StoreError && error.code === 'revision_exists') return { kind: 'closed' };
    throw error;
  }
}
