import { sql } from 'kysely';
import * as requests from './requests.ts';
import type { Db, RequestRow, RevisionRow } from './tables.ts';

interface Thread {
  readonly teamId: string;
  readonly channel: string;
  readonly threadTs: string;
}

/** A query for the ids of requests whose card, question, watch or own message starts a thread. */
function found({ teamId, channel, threadTs }: Thread) {
  // One index for each: an "or" would read all requests of the channel. A watch shares the id of its request.
  return sql<{ id: string }>`
    select request_id as id from revisions
      where team_id = ${teamId} and card_channel = ${channel} and card_ts = ${threadTs}
    union
    select id from requests where team_id = ${teamId} and channel = ${channel} and thread_ts = ${threadTs}
    union
    select id from requests
      where team_id = ${teamId} and channel = ${channel} and question is not null and question->>'ts' = ${threadTs}
    union
    select substring(id from 3) as id from watches
      where team_id = ${teamId} and channel = ${channel} and message_ts = ${threadTs} and ended_at is null`;
}

/** Ids of all requests in a thread. */
export async function requestsOfThread(db: Db, at: Thread): Promise<string[]> {
  const { rows } = await found(at).execute(db);
  return rows.map(({ id }) => id);
}

/** Maximum number of open questions considered in one thread. */
const maxOpen = 5;

/**
 * The request whose card, question or own message starts a thread: if several, the newest one that is being planned or
 * waits for people, else the newest. After it, requests with an open question in the thread.
 */
export async function headsOfThread(db: Db, at: Thread): Promise<RequestRow[]> {
  const { teamId } = at;
  const { rows } = await sql<{ id: string; state: string }>`
    select q.id, q.state from requests q join (${found(at)}) found on found.id = q.id
    where q.team_id = ${teamId}
    order by q.state in ('planning', 'asking', 'review') desc, q.created_at desc`.execute(db);
  const [first, ...others] = rows;
  const open = others.filter(({ state }) => state === 'asking').slice(0, maxOpen);
  const heads = await Promise.all(
    (first === undefined ? [] : [first, ...open]).map(({ id }) => requests.get(db, teamId, id)),
  );
  return heads.filter((one) => one !== null);
}

/**
 * Revisions whose card a word in a thread is about: the card that starts the thread, whatever its state, or those in it
 * that wait for a decision or may still run.
 */
export async function cardsOfThread(
  db: Db,
  at: Thread & { readonly before: string },
): Promise<RevisionRow[]> {
  const { teamId, channel, threadTs, before } = at;
  const own = await db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('cardChannel', '=', channel)
    .where('cardTs', '=', threadTs)
    .where('state', '!=', 'answered')
    .execute();
  if (own.length > 0) return own;
  return db
    .selectFrom('revisions as v')
    .innerJoin('requests as r', (join) =>
      join.onRef('r.teamId', '=', 'v.teamId').onRef('r.id', '=', 'v.requestId'),
    )
    .selectAll('v')
    .where('v.teamId', '=', teamId)
    .where('r.channel', '=', channel)
    .where('r.threadTs', '=', threadTs)
    .where('v.cardTs', '<', before)
    .where((or) =>
      or.or([
        or('v.state', '=', 'proposed'),
        or.and([or('v.state', '=', 'approved'), or('r.state', '=', 'running')]),
      ]),
    )
    .execute();
}

/** Work in a thread that has not ended: a request being planned, or the revision whose reads or writes are running. */
export interface UnderWay {
  readonly requestId: string;
  /** Null while it is planned. */
  readonly revision: { readonly number: number; readonly digest: string } | null;
}

export async function underWayIn(db: Db, at: Thread): Promise<UnderWay[]> {
  const { teamId } = at;
  const { rows } = await sql<{ requestId: string; number: number | null; digest: string | null }>`
    select q.id as request_id, v.number, v.digest from requests q join (${found(at)}) found on found.id = q.id
      left join runs r on r.team_id = q.team_id and r.request_id = q.id and r.state = 'running' and r.mode <> 'dry_run'
      left join revisions v on v.team_id = q.team_id and v.request_id = q.id and v.number = r.number
    where q.team_id = ${teamId} and (q.state = 'planning' or r.id is not null)`.execute(db);
  return rows.map(({ requestId, number, digest }) => {
    return { requestId, revision: number === null || digest === null ? null : { number, digest } };
  });
}

/** True while a question or card is on its way to a channel: its location is not known yet. */
export async function isPosting(db: Db, at: { teamId: string; channel: string }): Promise<boolean> {
  const { teamId, channel } = at;
  const { rows } = await sql<{ posting: boolean }>`
    select exists (select 1 from requests where team_id = ${teamId} and channel = ${channel} and state = 'planning'
        and created_at > now() - interval '1 hour')
      or exists (select 1 from revisions v join requests r on r.team_id = v.team_id and r.id = v.request_id
        where v.team_id = ${teamId} and r.channel = ${channel} and v.state = 'proposed' and v.card_ts is null)
      or exists (select 1 from outbox o join requests r on r.team_id = o.team_id and r.id = o.conversation
        where o.team_id = ${teamId} and o.state = 'pending' and r.channel = ${channel}
          and (o.kind = 'card' or o.payload->'place'->>'kind' = 'question'))
      as posting`.execute(db);
  return rows[0]?.posting === true;
}
