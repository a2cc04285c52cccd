import { sql } from 'kysely';
import * as revisions from './revisions.ts';
import type { Db, RevisionRow } from './tables.ts';

/**
 * Maximum length of each list of work that a process left half done when it died, or lost its database, between two
 * transactions.
 */
const maxListed = 100;

/**
 * Revisions waiting for a decision on a card that was never posted; its message may still be in the outbox. A revision
 * has no card while its reads run.
 */
export function unposted(db: Db, teamId: string, before: Date): Promise<RevisionRow[]> {
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('proposed'))
    .where('cardTs', 'is', null)
    .where('createdAt', '<', before)
    .where(noReads)
    .orderBy('createdAt')
    .limit(sql.lit(maxListed))
    .execute();
}

const noReads = sql<boolean>`not exists (select 1 from runs where team_id = revisions.team_id
  and request_id = revisions.request_id and number = revisions.number and mode = 'read' and state = 'running')`;

/**
 * The newest revisions of requests whose state did not move on: the card exists but the request is still being planned,
 * or the card was decided and its run has ended but the request still waits.
 */
export async function leftBehind(db: Db, teamId: string, before: Date): Promise<RevisionRow[]> {
  // Only active requests are searched. Most of them wait for a person, which a small index shows; the newest revision
  // is fetched for the few that remain.
  const { rows } = await sql<{ id: string; number: number }>`
    with still as materialized (
      select id, created_at from requests q
      where team_id = ${teamId} and state in ('review', 'running')
        and not exists (select 1 from revisions
          where team_id = q.team_id and request_id = q.id and state = 'proposed')
        and not exists (select 1 from runs
          where team_id = q.team_id and request_id = q.id and state = 'running')
    )
    select id, number from (
      select q.id, r.number, q.created_at from requests q
        join revisions r on r.team_id = q.team_id and r.request_id = q.id and r.state = 'proposed'
        where q.team_id = ${teamId} and q.state = 'planning' and r.created_at < ${before}
          and not exists (select 1 from runs where team_id = q.team_id and request_id = q.id and state = 'running')
      union all
      select still.id, r.number, still.created_at from still
        cross join lateral (select number, decided_at from revisions
          where team_id = ${teamId} and request_id = still.id order by number desc limit 1) r
        where r.decided_at < ${before}
    ) stuck
    order by created_at
    limit ${sql.lit(maxListed)}`.execute(db);
  const found = await Promise.all(rows.map(({ id, number }) => revisions.get(db, teamId, id, number)));
  return found.filter((row) => row !== null);
}
