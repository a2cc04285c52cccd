import { sql } from 'kysely';
import type { Json } from '../core/json.ts';
import type { Request, RequestState } from '../core/request.ts';
import { killSwitchName } from '../core/run.ts';
import { jsonb, jsonbOrNull, storable } from './jsonb.ts';
import * as outbox from './outbox.ts';
import type { Db, RequestRow } from './tables.ts';

/** Stores a new request, an agent's with the digest of its proposal and its group. False when it already exists (a repeated delivery), with no change. */
export async function insert(
  db: Db,
  request: Request,
  state: RequestState,
  { body = null, group = null }: { readonly body?: string | null; readonly group?: string | null } = {},
): Promise<boolean> {
  const inserted = await db
    .insertInto('requests')
    .values({
      teamId: request.teamId,
      id: request.id,
      goal: storable(request.goal),
      via: request.via,
      requester: request.requester,
      channel: request.channel,
      threadTs: request.threadTs,
      quoted: request.quoted === null ? null : storable(request.quoted),
      state,
      question: null,
      joined: null,
      agent: jsonbOrNull(request.agent),
      agentBody: body,
      agentGroup: group,
      agentAnswer: null,
      createdAt: request.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['teamId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function get(db: Db, teamId: string, id: string): Promise<RequestRow | null> {
  const row = await db
    .selectFrom('requests')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** A request's next state, and the states it may come from. */
export interface Move {
  readonly id: string;
  readonly to: RequestState;
  readonly from: readonly RequestState[];
}

/**
 * Changes a request's state. `question`, if given, replaces the stored one (null removes it). False when there is no
 * such request, its state is not listed in `from`, or its question no longer matches `asked`. The message is queued if
 * it changes.
 */
export async function setState(
  db: Db,
  change: {
    teamId: string;
    id: string;
    to: RequestState;
    from?: readonly RequestState[];
    question?: Json | null;
    asked?: Json;
    message?: outbox.OutboxMessage | undefined;
  },
): Promise<boolean> {
  const { teamId, id, to, from, question, asked, message } = change;
  const move = db
    .updateTable('requests')
    .set({ state: to, ...(question === undefined ? {} : { question: jsonbOrNull(question) }) })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .$if(from !== undefined, (query) => query.where('state', 'in', from ?? []))
    // The question's location may have been stored meanwhile; the question itself is the same.
    .$if(asked !== undefined, (query) =>
      query.where(sql<boolean>`question - 'ts' - 'at' = ${jsonb(asked ?? null)} - 'ts' - 'at'`),
    )
    .returning('id');
  if (message === undefined) return (await move.executeTakeFirst()) !== undefined;
  const queued = outbox.inserting([message], sql<boolean>`exists (select from moved)`);
  const { rows } = await sql`with moved as (${move}), queued as (${queued}) select id from moved`.execute(db);
  return rows.length > 0;
}

/** Stores where a question was posted: the thread of the first one is about its request. */
export async function setQuestionPlace(
  db: Db,
  { teamId, id, key, ts }: { teamId: string; id: string; key: string; ts: string },
): Promise<void> {
  const isOpen = sql<boolean>`question->'open'->>'key' = ${key}`;
  await sql`
    update requests set question = question || case when question->>'ts' is null
      then jsonb_build_object('ts', ${ts}::text) else jsonb_build_object('at', ${ts}::text) end
    where team_id = ${teamId} and id = ${id} and (${isOpen} or question->>'ts' is null)`.execute(db);
}

/** Closes a request whose open question will never be posted; false when it was answered after all. */
export async function closeUnasked(
  db: Db,
  { teamId, id, key }: { teamId: string; id: string; key: string },
): Promise<boolean> {
  const closed = await db
    .updateTable('requests')
    .set({ state: 'refused' })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .where('state', 'in', ['asking', 'refused'])
    .where(sql<boolean>`question->'open'->>'key' = ${key}`)
    .returning('id')
    .executeTakeFirst();
  return closed !== undefined;
}

/** Newest first; `requester` limits it to one person's requests. */
export async function listRecent(
  db: Db,
  filter: { teamId: string; limit: number; requester?: string },
): Promise<RequestRow[]> {
  const { teamId, limit, requester } = filter;
  return db
    .selectFrom('requests')
    .selectAll()
    .where('teamId', '=', teamId)
    .$if(requester !== undefined, (query) => query.where('requester', '=', requester ?? ''))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute();
}

/**
 * How many requests of a person came before one of theirs since then, of those that only read or of those with a plan
 * that writes. What was refused, joined another or waits for an answer counts as neither; what is still being planned
 * counts as a read, so that requests which arrive together cannot all take the last place.
 */
export async function countBefore(
  db: Db,
  { teamId, requester, createdAt, id }: Pick<Request, 'teamId' | 'requester' | 'createdAt' | 'id'>,
  of: { readonly since: Date; readonly writes: boolean },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from requests r
      where team_id = ${teamId} and requester = ${requester} and created_at >= ${of.since}
        and (created_at, id) < (${createdAt}, ${id})
        and state not in ('refused', 'asking') and joined is null
        and ${of.writes} = exists (select from revisions v
          where v.team_id = r.team_id and v.request_id = r.id and v.plan_key is not null)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Closes a request that duplicates another active one. */
export async function join(db: Db, of: { teamId: string; id: string; holder: string }): Promise<void> {
  await db
    .updateTable('requests')
    .set({ state: 'closed', joined: of.holder })
    .where('teamId', '=', of.teamId)
    .where('id', '=', of.id)
    .where('joined', 'is', null)
    .execute();
}

interface Around {
  readonly requesters: string[];
  readonly count: number;
  /** Who stopped all writes, and why; null where they are allowed. */
  readonly stopped: { readonly by: string; readonly reason: string } | null;
}

/**
 * The people who made the same request while it was active, without repeats, agents with their owners, and the number of
 * such requests. A card waits for one statement, so it also says whether writes are stopped.
 */
export async function joinersOf(db: Db, teamId: string, id: string): Promise<Around> {
  const { rows } = await sql<Pick<Around, 'stopped'> & { joined: { who: string; owner: string | null }[] }>`
    select coalesce(json_agg(json_build_object('who', requester, 'owner', agent->>'owner') order by created_at),
        '[]'::json) as joined,
      (select json_build_object('by', actor, 'reason', reason) from switches
        where team_id = ${teamId} and name = ${killSwitchName} and is_on) as stopped
    from requests where team_id = ${teamId} and joined = ${id}`.execute(db);
  const { joined = [], stopped = null } = rows[0] ?? {};
  const requesters = joined.flatMap(({ who, owner }) => (owner === null ? [who] : [who, owner]));
  return { requesters: [...new Set(requesters)], count: joined.length, stopped };
}

/** Closes requests without a plan. */
export async function closeUnplanned(db: Db, teamId: string): Promise<void> {
  await db
    .updateTable('requests')
    .set({ state: 'closed', question: null })
    .where('teamId', '=', teamId)
    .where('state', 'in', ['planning', 'asking'])
    .execute();
}
