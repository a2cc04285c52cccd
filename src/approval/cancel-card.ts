import type { Revision } from '../core/revision.ts';
import { cancel } from '../store/cancel.ts';
import type { OutboxMessage } from '../store/outbox.ts';
import type { RevisionRow } from '../store/tables.ts';
import type { ApprovalContext, Reporting } from './context.ts';

type CancelContext = Pick<ApprovalContext, 'db' | 'teamId' | 'now'> & {
  readonly reporting: Pick<Reporting, 'cardMessage' | 'damagedCard' | 'kick'>;
};

/** Cancels a card that needs no decision any more, and updates it; false when it was decided meanwhile. */
export function cancelCard(revision: Revision, reason: string, ctx: CancelContext): Promise<boolean> {
  const { requestId, number } = revision.sealed;
  const at = ctx.now().toISOString();
  const state = { kind: 'cancelled', by: 'system', at, reason } as const;
  const message = ctx.reporting.cardMessage(revision, state);
  return cancelWith(message, { requestId, number, digest: revision.digest, reason }, ctx);
}

/** The same for a card whose plan is damaged. */
export function cancelDamaged(
  { requestId, number, digest }: Pick<RevisionRow, 'requestId' | 'number' | 'digest'>,
  ctx: CancelContext,
): Promise<boolean> {
  const reason = 'what is stored of it is damaged';
  return cancelWith(
    ctx.reporting.damagedCard({ requestId, number }),
    { requestId, number, digest, reason },
    ctx,
  );
}

async function cancelWith(
  message: OutboxMessage,
  of: { requestId: string; number: number; digest: string; reason: string },
  { db, teamId, reporting, now }: CancelContext,
): Promise<boolean> {
  const isCancelled = (await cancel(db, { teamId, ...of, now: now(), messages: [message] })) !== null;
  if (isCancelled) reporting.kick();
  return isCancelled;
}
