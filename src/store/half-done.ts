import { sql } from 'kysely';
import * as revisions from './revisions.ts';
import type { Db, RevisionRow } from './tables.ts';

/** What a process leaves that dies, or loses its database, between two transactions. Each list is at most this long. */
const most = 100;

/** Revisions that wait for a decision on a card that was never posted; its message may still be in the outbox. */
export function unposted(db: Db, teamId: string, before: Date): Promise<RevisionRow[]> {
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('state', '=', 'proposed')
    .where('cardTs', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(most)
    .execute();
}

/**
 * The newest revisions of requests whose own state was not moved on: the card is there but the request is still being
 * planned, or the card was decided and any run has ended but the request still waits.
 */
export async function leftBehind(db: Db, teamId: string, before: Date): Promise<RevisionRow[]> {
  const { rows } = await sql<{ id: string; number: number }>`
    select q.id, r.number from requests q
    join lateral (select number, state, created_at, decided_at from revisions
      where team_id = q.team_id and request_id = q.id order by number desc limit 1) r on true
    where q.team_id = ${teamId} and (
      (q.state = 'planning' and r.state = 'proposed' and r.created_at < ${before})
      or (q.state in ('review', 'running') and r.state <> 'proposed' and r.decided_at < ${before}
        and not exists (select 1 from runs
          where team_id = q.team_id and request_id = q.id and state = 'running')))
    order by q.created_at
    limit ${most}`.execute(db);
  const found = await Promise.all(rows.map(({ id, number }) => revisions.get(db, teamId, id, number)));
  return found.filter((row) => row !== null);
}
