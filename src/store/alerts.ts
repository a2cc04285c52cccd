import { sql } from 'kysely';
import { jsonb, jsonbOrNull, storable } from './jsonb.ts';
import type { AlertProblemRow, AlertRow, Db } from './tables.ts';

interface Named {
  readonly teamId: string;
  readonly id: string;
}

/** Alerts of one rule and one service: those of a storm belong together. */
interface Grouped {
  readonly teamId: string;
  readonly rule: string;
  readonly service: string;
}

/** Maximum number of alerts read of one problem; a message shows a few of them. */
const maxRead = 2_000;

const lifeOf = ['teamId', 'id', 'state', 'posted', 'firedAt', 'closedAt', 'firings'] as const;
/** A problem without its evidence, which is large. */
export type ProblemLife = Pick<AlertProblemRow, (typeof lifeOf)[number]>;

/** Locks a group until the transaction ends, and returns its newest problem. */
export async function lockGroup(trx: Db, { teamId, rule, service }: Grouped): Promise<ProblemLife | null> {
  const name = `alerts ${teamId} ${rule} ${service}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
  const row = await trx
    .selectFrom('alertProblems')
    .select(lifeOf)
    .where('teamId', '=', teamId)
    .where('rule', '=', rule)
    .where('service', '=', service)
    .orderBy('openedAt', 'desc')
    .limit(sql.lit(1))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function problem(db: Db, { teamId, id }: Named): Promise<AlertProblemRow | null> {
  const row = await db
    .selectFrom('alertProblems')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Like `problem`, and locks the row until the transaction ends. */
export async function lockProblem(trx: Db, { teamId, id }: Named): Promise<AlertProblemRow | null> {
  const row = await trx
    .selectFrom('alertProblems')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function open(trx: Db, row: AlertProblemRow): Promise<void> {
  const values = { ...row, evidence: jsonbOrNull(row.evidence) };
  await trx.insertInto('alertProblems').values(values).execute();
}

export async function change(
  db: Db,
  { teamId, id }: Named,
  { evidence, ...to }: Partial<Omit<AlertProblemRow, 'teamId' | 'id'>>,
): Promise<void> {
  await db
    .updateTable('alertProblems')
    .set({ ...to, ...(evidence === undefined ? {} : { evidence: jsonbOrNull(evidence) }) })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** Stores where the message of a problem is; what could not be proposed without it is due now. */
export async function setMessage(
  db: Db,
  { teamId, id, ts, at }: Named & { readonly ts: string; readonly at: Date },
): Promise<void> {
  await sql`update alert_problems set message_ts = ${ts}, look_at = case
      when state = 'open' and evidence is not null and not proposed then ${at} else look_at end
    where team_id = ${teamId} and id = ${id}`.execute(db);
}

/** Looks at a problem by then, unless it is looked at earlier. */
export async function lookBy(db: Db, { teamId, id, at }: Named & { readonly at: Date }): Promise<void> {
  await db
    .updateTable('alertProblems')
    .set({ lookAt: sql<Date>`least(look_at, ${at}::timestamptz)` })
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** A problem with the titles of its alerts. */
export type Titled = AlertProblemRow & { readonly titles: string };

const titles = sql`(select coalesce(string_agg(distinct left(a.title, 100), ', '), '') from alerts a
  where a.team_id = p.team_id and a.problem = p.id) as titles`;

/** Open problems of a service, newest first. */
export async function openOf(
  db: Db,
  { teamId, service, limit }: { teamId: string; service: string; limit: number },
): Promise<Titled[]> {
  const { rows } = await sql<Titled>`
    select p.*, ${titles} from alert_problems p
    where p.team_id = ${teamId} and p.state = 'open' and p.service = ${service} and p.posted
    order by p.fired_at desc limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** The rules of the alerts in whose threads these requests were made, by request. */
export async function rulesOf(
  db: Db,
  { teamId, requests }: { teamId: string; requests: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (requests.length === 0) return new Map();
  const { rows } = await sql<{ id: string; rule: string }>`
    select q.id, max(p.rule) as rule from requests q
    join alert_problems p on p.team_id = q.team_id and p.channel = q.channel and p.message_ts = q.thread_ts
    where q.team_id = ${teamId} and q.id = any(${[...requests]}::text[]) group by q.id`.execute(db);
  return new Map(rows.map(({ id, rule }) => [id, rule]));
}

/** The problem whose message starts a thread. */
export async function problemAt(
  db: Db,
  { teamId, channel, threadTs }: { teamId: string; channel: string; threadTs: string },
): Promise<Titled | null> {
  const { rows } = await sql<Titled>`
    select p.*, ${titles} from alert_problems p
    where p.team_id = ${teamId} and p.channel = ${channel} and p.message_ts = ${threadTs}
    order by p.opened_at desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Stored reports about these alerts of a door. */
export function known(
  db: Db,
  { teamId, door, fingerprints }: { teamId: string; door: string; fingerprints: readonly string[] },
): Promise<AlertRow[]> {
  if (fingerprints.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('door', '=', door)
    .where(sql<boolean>`fingerprint = any(${[...fingerprints]}::text[])`)
    .execute();
}

/** Stores the last reports about alerts, each once. */
export async function put(trx: Db, rows: readonly AlertRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ teamId, heardAt, since, until, title, text, ...row }) => ({
    ...{ ...row, team_id: teamId, title: storable(title), text: storable(text) },
    ...{ since: since.toISOString(), until: until?.toISOString() ?? null, heard_at: heardAt.toISOString() },
  }));
  await sql`
    insert into alerts (team_id, door, fingerprint, problem, state, labels, title, text, link, since, until, heard_at)
    select team_id, door, fingerprint, problem, state, labels, title, text, link, since, until, heard_at
    from jsonb_to_recordset(${jsonb(values)}) as one (team_id text, door text, fingerprint text, problem text,
      state text, labels jsonb, title text, text text, link text, since timestamptz, until timestamptz,
      heard_at timestamptz)
    on conflict (team_id, door, fingerprint) do update set problem = excluded.problem, state = excluded.state,
      labels = excluded.labels, title = excluded.title, text = excluded.text, link = excluded.link,
      since = excluded.since, until = excluded.until, heard_at = excluded.heard_at`.execute(trx);
}

/** Alerts of a problem: firing ones first, then by their beginning. */
export function alertsOf(db: Db, { teamId, id }: Named): Promise<AlertRow[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('problem', '=', id)
    .orderBy('state')
    .orderBy('since')
    .orderBy('fingerprint')
    .limit(sql.lit(maxRead))
    .execute();
}

/** Problems whose message showed this incident at some time, oldest first. */
export async function problemsOf(
  db: Db,
  { teamId, incident, limit }: { teamId: string; incident: string; limit: number },
): Promise<AlertProblemRow[]> {
  const { rows } = await sql<AlertProblemRow>`
    select * from alert_problems
    where team_id = ${teamId}
      and (evidence->'incidents' @> ${jsonb([{ id: incident }])} or evidence->'seen' @> ${jsonb([{ id: incident }])})
    order by opened_at limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Number of alerts stored of a problem. */
export async function countOf(db: Db, { teamId, id }: Named): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from alerts where team_id = ${teamId} and problem = ${id}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Whether any alert of a problem was reported since. */
export async function isHeardSince(db: Db, { teamId, id }: Named, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from alerts where team_id = ${teamId} and problem = ${id} and heard_at >= ${since} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Forgets the alerts of a problem. */
export async function forgetAlerts(db: Db, { teamId, id }: Named): Promise<void> {
  await db.deleteFrom('alerts').where('teamId', '=', teamId).where('problem', '=', id).execute();
}

/** Forgets firing alerts that are not shown any more, and has their problems looked at. */
export async function forgetHidden(db: Db, of: Parameters<typeof known>[1], at: Date): Promise<void> {
  await sql`
    with gone as (
      delete from alerts where team_id = ${of.teamId} and door = ${of.door} and state = 'firing'
        and fingerprint = any(${[...of.fingerprints]}::text[]) returning problem)
    update alert_problems set look_at = least(look_at, ${at}::timestamptz)
    where team_id = ${of.teamId} and state = 'open' and id in (select problem from gone)`.execute(db);
}

/** Has open problems looked at that show one of these incidents of PagerDuty. */
export async function incidentsChanged(
  db: Db,
  { teamId, incidents, at }: { teamId: string; incidents: readonly string[]; at: Date },
): Promise<void> {
  if (incidents.length === 0) return;
  await sql`
    update alert_problems set look_at = least(look_at, ${at}::timestamptz)
    where team_id = ${teamId} and state = 'open' and exists (
      select from jsonb_array_elements(case jsonb_typeof(evidence->'incidents') when 'array' then evidence->'incidents' else '[]' end) one
      where one->>'id' = any(${[...incidents]}::text[]))`.execute(db);
}
