import { sql } from 'kysely';
import { audited } from './ledger.ts';
import { revisionEntry } from './revisions.ts';
import type { ApprovalRow, Db } from './tables.ts';

/** Everybody who has said yes to a revision, in the order in which they did. */
export function list(
  db: Db,
  of: { teamId: string; requestId: string; number: number },
): Promise<ApprovalRow[]> {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('teamId', '=', of.teamId)
    .where('requestId', '=', of.requestId)
    .where('number', '=', of.number)
    .orderBy('at')
    .orderBy('approver')
    .execute();
}

/**
 * Notes a yes of which more are needed, with its audit line, while the revision is open: one statement, so that none
 * is added to what was decided meanwhile. `repeated` when this person had said so before.
 */
export function add(
  db: Db,
  yes: { teamId: string; requestId: string; number: number; digest: string; by: string; now: Date },
): Promise<'added' | 'repeated' | 'closed'> {
  const { teamId, requestId, number, digest, by, now } = yes;
  return audited(db, teamId, async (trx) => {
    const { rows } = await sql<{ added: boolean }>`
      with open as (
        select team_id, request_id, number, digest from revisions
        where team_id = ${teamId} and request_id = ${requestId} and number = ${number} and digest = ${digest}
          and state = 'proposed' and expires_at > ${now}
        for update),
      added as (
        insert into approvals (team_id, request_id, number, digest, approver, at)
        select team_id, request_id, number, digest, ${by}, ${now}::timestamptz from open
        on conflict do nothing returning approver)
      select exists (select 1 from added) as added from open`.execute(trx);
    const [row] = rows;
    if (row === undefined) return { value: 'closed' as const, lines: [] };
    if (!row.added) return { value: 'repeated' as const, lines: [] };
    const line = revisionEntry({ teamId, requestId, number, digest }, 'seconded', by, now);
    return { value: 'added' as const, lines: [line] };
  });
}
