import { sql } from 'kysely';
import type { RowReader } from '../core/damaged-row.ts';
import { type Life, lifeOf, type OwnChange } from '../core/incident-history.ts';
import type { Manifest } from '../core/manifest.ts';
import { targetName } from '../core/targets.ts';
import { jsonb } from './jsonb.ts';
import type { Db, IncidentRow } from './tables.ts';

/** One of our pages about an incident, with the thread it was made in. */
export interface PageOf {
  readonly requestId: string;
  readonly number: number;
  readonly runId: string;
  readonly stepId: string;
  /** It was added as a note to an incident that was already open. */
  readonly joined: boolean;
  readonly at: Date;
  /** Channel and first message of the thread: `C0OPS/1720000000.000100`. */
  readonly thread: string;
}

/** The thread of a request `q` with its revision `v`. */
const thread = sql.raw("q.channel || '/' || coalesce(q.thread_ts, v.card_ts, '')");

/** Maximum number of cards and threads updated about one incident. */
const maxPages = 5;

/** Reads the stored history of an incident: null before it is first read. */
export const lifeReader: RowReader<Pick<IncidentRow, 'id' | 'life'>, { readonly life: Life | null }> = {
  kind: 'incident',
  idOf: ({ id }) => id,
  read: ({ life }) => ({ life: lifeOf(life) }),
};

/** Tools that open something that lives on. */
export function openingTools(manifests: ReadonlyMap<string, Manifest>): readonly string[] {
  return [...manifests.values()].filter(({ livesOn }) => livesOn).map(({ name }) => name);
}

/** Starts to follow incidents opened by runs since a moment; they are first read at `lookAt`. */
export async function adopt(
  db: Db,
  of: { teamId: string; tools: readonly string[]; since: Date; lookAt: Date },
): Promise<void> {
  const { teamId, tools, since, lookAt } = of;
  if (tools.length === 0) return;
  await sql`
    insert into incidents (team_id, id, opened_at, look_at)
    select team_id, result->>'incident', min(finished_at), ${lookAt}
    from step_results
    where team_id = ${teamId} and finished_at > ${since} and result->>'incident' is not null
      and status = 'succeeded' and tool in (${sql.join([...tools])})
    group by 1, 2
    on conflict (team_id, id) do nothing`.execute(db);
}

/** Starts to follow those of these incidents that a run opened, and makes all followed ones due now. */
export async function follow(
  db: Db,
  { teamId, ids, tools, at }: { teamId: string; ids: readonly string[]; tools: readonly string[]; at: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with opened as (
      insert into incidents (team_id, id, opened_at, look_at)
      select team_id, result->>'incident', min(finished_at), ${at}::timestamptz
      from step_results
      where team_id = ${teamId} and result->>'incident' = any(${[...ids]}::text[])
        and status = 'succeeded' and tool = any(${[...tools]}::text[])
      group by 1, 2
      on conflict (team_id, id) do nothing)
    update incidents set look_at = ${at} where team_id = ${teamId} and id = any(${[...ids]}::text[])`.execute(
    db,
  );
}

/** The workspaces of these that follow an incident, or have a run that opened it. */
export async function followersOf(
  db: Db,
  id: string,
  teamIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select team.id from unnest(${[...teamIds]}::text[]) as team (id)
    where exists (select from incidents where team_id = team.id and incidents.id = ${id})
      or exists (select from step_results where team_id = team.id and result->>'incident' = ${id})
      or exists (select from alert_problems where team_id = team.id and state = 'open'
        and evidence->'incidents' @> ${jsonb([{ id }])})`.execute(db);
  return rows.map((row) => row.id);
}

export async function get(
  db: Db,
  { teamId, id }: { teamId: string; id: string },
): Promise<IncidentRow | null> {
  const row = await db
    .selectFrom('incidents')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** A followed incident by its id or number. */
export async function named(
  db: Db,
  { teamId, asked }: { teamId: string; asked: string },
): Promise<IncidentRow | null> {
  const { rows } = await sql<IncidentRow>`
    select * from incidents where team_id = ${teamId} and (id = ${asked} or life->>'number' = ${asked})
    limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Like `get`, and locks the row until the transaction ends. */
export async function lock(
  trx: Db,
  { teamId, id }: { teamId: string; id: string },
): Promise<IncidentRow | null> {
  const row = await trx
    .selectFrom('incidents')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function change(
  db: Db,
  { teamId, id }: { teamId: string; id: string },
  to: Partial<Pick<IncidentRow, 'life' | 'told' | 'lookAt' | 'failures'>>,
): Promise<void> {
  const { life, ...rest } = to;
  await db
    .updateTable('incidents')
    .set({ ...rest, ...(life == null ? {} : { life: jsonb(life) }) })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** True while one of our runs may be changing the incident: that run then reports the change. */
export async function isBusy(db: Db, { teamId, id }: { teamId: string; id: string }): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (
      select 1 from writes w join runs r on r.team_id = w.team_id and r.id = w.run_id
      where w.team_id = ${teamId} and w.targets @> ${jsonb([targetName('incident', id)])}
        and r.state = 'running') as busy`.execute(db);
  return rows[0]?.busy === true;
}

/** Our pages about an incident, oldest first. */
export async function pagesOf(
  db: Db,
  { teamId, id, tools }: { teamId: string; id: string; tools: readonly string[] },
): Promise<PageOf[]> {
  const { rows } = await sql<PageOf>`
    select r.request_id, r.number, s.run_id, s.step_id, s.finished_at as at, ${thread} as thread,
      coalesce((s.result->>'joined')::boolean, false) as joined
    from step_results s
    join runs r on r.team_id = s.team_id and r.id = s.run_id
    join requests q on q.team_id = r.team_id and q.id = r.request_id
    join revisions v on v.team_id = r.team_id and v.request_id = r.request_id and v.number = r.number
    where s.team_id = ${teamId} and s.result->>'incident' = ${id} and s.status = 'succeeded'
      and s.tool in (${sql.join([...tools])})
    order by s.finished_at limit ${sql.lit(maxPages)}`.execute(db);
  return rows;
}

/** Changes that our runs made to an incident, with their approvers. */
export async function ownChanges(
  db: Db,
  { teamId, id }: { teamId: string; id: string },
): Promise<OwnChange[]> {
  const { rows } = await sql<OwnChange>`
    select s.result->>'state' as state, s.result->>'at' as at, g.approver, ${thread} as thread
    from step_results s
    join grants g on g.team_id = s.team_id and g.run_id = s.run_id
    join requests q on q.team_id = g.team_id and q.id = g.request_id
    join revisions v on v.team_id = g.team_id and v.request_id = g.request_id and v.number = g.number
    where s.team_id = ${teamId} and s.result->>'incident' = ${id} and s.status = 'succeeded'
      and s.result->>'already' = 'false' and s.result->>'at' is not null
    limit 100`.execute(db);
  return rows;
}

/** The last read state of the newest incident opened by a revision's run; null if there is none. */
export async function lifeOfRun(
  db: Db,
  { teamId, runId }: { teamId: string; runId: string },
): Promise<IncidentRow | null> {
  const { rows } = await sql<IncidentRow>`
    select i.* from step_results s
    join incidents i on i.team_id = s.team_id and i.id = s.result->>'incident'
    where s.team_id = ${teamId} and s.run_id = ${runId} and s.status = 'succeeded'
    order by s.finished_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Where the first page about each of these incidents was requested; incidents without such a page are omitted. */
export async function askedAt(
  db: Db,
  { teamId, ids, tools }: { teamId: string; ids: readonly string[]; tools: readonly string[] },
): Promise<{ id: string; requester: string; channel: string }[]> {
  const { rows } = await sql<{ id: string; requester: string; channel: string }>`
    select s.id, q.requester, q.channel
    from (
      select distinct on (1) result->>'incident' as id, run_id from step_results
      where team_id = ${teamId} and result->>'incident' = any(${[...ids]}::text[])
        and status = 'succeeded' and tool = any(${[...tools]}::text[])
      order by 1, finished_at) s
    cross join lateral (select request_id from runs where team_id = ${teamId} and id = s.run_id limit 1) r
    cross join lateral (select requester, channel from requests
      where team_id = ${teamId} and id = r.request_id limit 1) q`.execute(db);
  return rows;
}

/** Incidents opened by runs since then, and older ones unresolved at their last read; newest first. */
export async function since(
  db: Db,
  of: { teamId: string; since: Date; limit: number },
): Promise<Pick<IncidentRow, 'id' | 'life'>[]> {
  const newest = sql`order by opened_at desc limit ${sql.lit(of.limit)}`;
  const { rows } = await sql<Pick<IncidentRow, 'id' | 'life'>>`
    select id, life from (
      (select id, life, opened_at from incidents
        where team_id = ${of.teamId} and life is not null and opened_at >= ${of.since} ${newest})
      union
      (select id, life, opened_at from incidents
        where team_id = ${of.teamId} and life->>'state' <> 'resolved' ${newest})) i
    ${newest}`.execute(db);
  return rows;
}
