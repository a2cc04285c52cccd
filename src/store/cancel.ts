import { type Decision, decide } from './decide.ts';
import { setState } from './requests.ts';
import type { Db, RevisionRow } from './tables.ts';

/**
 * Cancels a waiting card and closes its request, with the messages about it, atomically. Returns the revision, or null
 * when it was decided meanwhile.
 */
export function cancel(db: Db, of: Omit<Decision, 'to' | 'by'>): Promise<RevisionRow | null> {
  const { teamId, requestId } = of;
  return db.transaction().execute(async (trx) => {
    const decided = await decide(trx, { ...of, to: 'cancelled', by: 'system' });
    if (!decided.ok) return null;
    await setState(trx, { teamId, id: requestId, to: 'closed' });
    return decided.revision;
  });
}
