import { sql } from 'kysely';
import * as requests from './requests.ts';
import type { Db, RequestRow } from './tables.ts';

/**
 * The request whose card, question or own message stands at the head of a thread, or null. Of several in one thread
 * the one that waits for people, then the newest.
 */
export async function requestOfThread(
  db: Db,
  at: { teamId: string; channel: string; threadTs: string },
): Promise<RequestRow | null> {
  const { teamId, channel, threadTs } = at;
  const { rows } = await sql<{ id: string }>`
    select id from requests where team_id = ${teamId} and id in (
      select request_id from revisions
        where team_id = ${teamId} and card_channel = ${channel} and card_ts = ${threadTs}
      union
      select id from requests
        where team_id = ${teamId} and channel = ${channel}
          and (thread_ts = ${threadTs} or question->>'ts' = ${threadTs}))
    order by state in ('asking', 'review') desc, created_at desc
    limit 1`.execute(db);
  const id = rows[0]?.id;
  return id === undefined ? null : requests.get(db, teamId, id);
}

/** Requests that were taken in and not answered: their process died while it planned. */
export async function leftInPlanning(db: Db, teamId: string, before: Date): Promise<RequestRow[]> {
  return db
    .selectFrom('requests')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('state', '=', 'planning')
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(100)
    .execute();
}
