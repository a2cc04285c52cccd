import { sql } from 'kysely';
import { readRows } from '../core/damaged-row.ts';
import type { Revision } from '../core/revision.ts';
import type { Approval } from '../core/run.ts';
import { type ApprovalColumns, approvalColumns } from './approvals.ts';
import { planReader } from './revisions.ts';
import type { RevisionRow, TolerantDb } from './tables.ts';

/** A plan that was approved, or answered by its reads alone. */
export interface PastDecision {
  readonly revision: Revision;
  readonly at: Date;
  /** Null for one that needed no approval. */
  readonly approval: Approval | null;
  /** People who made the same request: they count as requesters. */
  readonly joiners: readonly string[];
}

interface Row extends Pick<RevisionRow, 'requestId' | 'number' | 'bytes' | 'digest'>, ApprovalColumns {
  readonly askedAt: string;
  readonly at: Date;
  readonly approver: string | null;
  readonly joiners: readonly string[] | null;
}

const page = 200;

/** The decisions about requests since a moment, oldest first; damaged plans are left out. */
export async function* pastDecisions({
  db,
  teamId,
  since,
  damaged,
}: TolerantDb & { readonly since: Date }): AsyncGenerator<PastDecision> {
  let [askedAt, id, number] = [since.toISOString(), '', 0];
  for (;;) {
    const { rows } = await sql<Row>`
      select q.created_at::text as asked_at, v.request_id, v.number, v.bytes, v.digest,
        coalesce(v.decided_at, v.created_at) as at, g.approver, ${approvalColumns},
        (select array_agg(distinct who) from requests j cross join unnest(array[j.requester, j.agent->>'owner']) who
          where j.team_id = v.team_id and j.joined = v.request_id and who is not null) as joiners
      from requests q
      join revisions v on v.team_id = q.team_id and v.request_id = q.id and v.state in ('approved', 'answered')
      left join grants g on (g.team_id, g.request_id, g.number) = (v.team_id, v.request_id, v.number)
      where q.team_id = ${teamId} and (q.created_at, q.id, v.number) > (${askedAt}::timestamptz, ${id}, ${number}::int)
      order by q.created_at, q.id, v.number limit ${sql.lit(page)}`.execute(db);
    const sound = { ...planReader, read: (row: Row) => ({ row, revision: planReader.read(row) }) };
    for (const { row, revision } of readRows(rows, sound, damaged)) {
      const { at, approver, how, approvers, joiners } = row;
      const approval = approver === null ? null : { how, by: approvers ?? [approver] };
      yield { ...{ revision, at, approval }, joiners: joiners ?? [] };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    [askedAt, id, number] = [last.askedAt, last.requestId, last.number];
  }
}
