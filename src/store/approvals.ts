import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import type { Approval } from '../core/run.ts';
import { revisionEntry } from './revisions.ts';
import type { ApprovalRow, Db } from './tables.ts';

/** SQL columns for who approved a run and how, from its grant `g`. */
export const approvalColumns = sql.raw(`
  case when g.standing is not null then 'standing' when g.glass then 'glass' else 'clicked' end as how,
  case
    when g.standing is not null then
      (select s.yeses from standing_approvals s where (s.team_id, s.id) = (g.team_id, g.standing))
    when not g.glass then
      (select array_agg(a.approver order by a.at, a.approver) from approvals a
        where (a.team_id, a.request_id, a.number, a.digest) = (g.team_id, g.request_id, g.number, g.digest))
  end as approvers`);

export type ApprovalColumns = Pick<Approval, 'how'> & { readonly approvers: readonly string[] | null };

/** A run's approval and its time; null if it has none. */
export async function ofRun(
  db: Db,
  { teamId, runId }: { teamId: string; runId: string },
): Promise<(Approval & { at: Date }) | null> {
  const { rows } = await sql<ApprovalColumns & { approver: string; at: Date }>`
    select g.approver, g.created_at as at, ${approvalColumns} from grants g
    where g.team_id = ${teamId} and g.run_id = ${runId}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { by: row.approvers ?? [row.approver], how: row.how, at: row.at };
}

/** Everyone who approved a revision, in order. */
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
 * Records one of several required approvals, with its audit line, while the revision is open. A single statement, so
 * none is added to a revision decided meanwhile. `repeated` when this person had already approved.
 */
export function add(
  db: Db,
  approval: { teamId: string; requestId: string; number: number; digest: string; by: string; now: Date },
): Promise<'added' | 'repeated' | 'closed'> {
  const { teamId, requestId, number, digest, by, now } = approval;
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
