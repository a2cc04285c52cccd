import { type RawBuilder, sql } from 'kysely';
import * as audit from '../audit/chain.ts';
import * as inbox from './inbox.ts';
import { moment } from './jsonb.ts';
import type { Db } from './tables.ts';

/** Kind of the audit line about removed requests. */
export const removedKind = 'retention.removed';

const dayMs = 24 * 3_600_000;
/** Maximum number of batches per round; a large backlog takes several. */
const maxBatches = 200;
/** Days that a sent message is remembered; a run that resumes after a pause repeats nothing. */
const saidDays = 2;
/** Requests removed per transaction. */
const batch = 50;
/** Rows removed per statement and table, so that each is short and vacuum can keep up. */
const rowBatch = 50;

export interface Old {
  readonly teamId: string;
  /** Anything unchanged since then is old. */
  readonly before: Date;
}

/** Removes everything older than so many days; resolves with the number of requests removed. */
export async function removeOld(
  db: Db,
  { teamId, days, now }: { readonly teamId: string; readonly days: number; readonly now: Date },
): Promise<number> {
  const old = { teamId, before: new Date(now.getTime() - days * dayMs) };
  let removed = 0;
  for (let round = 0; round < maxBatches; round += 1) {
    const ids = await oldRequests(db, old);
    if (ids.length === 0) break;
    removed += await removeRequests(db, { ...old, ids, now });
  }
  const said = { teamId, before: new Date(now.getTime() - Math.min(days, saidDays) * dayMs) };
  await untilNone(() => removeSaid(db, said));
  await untilNone(() => removeLoose(db, old));
  await untilNone(() => inbox.removeOld(db, now));
  return removed;
}

async function untilNone(remove: () => Promise<number>): Promise<void> {
  for (let round = 0; round < maxBatches && (await remove()) > 0; round += 1);
}

/**
 * Some requests unchanged for long with nothing pending: no waiting card, no active run, no unsent message, no
 * planning. A question unanswered all that time counts as over.
 */
export async function oldRequests(db: Db, { teamId, before }: Old): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`${quiet(teamId, before)} order by created_at limit ${sql.lit(batch)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Removes requests with everything attached to them, if they are still old, with an audit line for the number. The log
 * itself stays complete.
 */
export function removeRequests(
  db: Db,
  { ids, teamId, before, now }: Old & { ids: readonly string[]; now: Date },
): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0);
  return db.transaction().execute(async (trx) => {
    // Proposing or deciding locks the request first; a locked one is left for another time.
    const { rows } = await sql<{ id: string }>`
      ${quiet(teamId, before)} and id in (${sql.join([...ids])}) for update skip locked`.execute(trx);
    const old = rows.map(({ id }) => id);
    if (old.length === 0) return 0;
    const runs = sql`select id from runs where team_id = ${teamId} and request_id in (${sql.join(old)})`;
    for (const table of ['writes', 'step_results', 'grants', 'standing_uses', 'checks']) {
      await sql`delete from ${sql.table(table)} where team_id = ${teamId} and run_id in (${runs})`.execute(
        trx,
      );
    }
    for (const table of [
      'runs',
      'approvals',
      'revisions',
      'model_calls',
      'plan_targets',
      'shown_cards',
      'shadow_plans',
      'ratings',
    ]) {
      await sql`delete from ${sql.table(table)}
        where team_id = ${teamId} and request_id in (${sql.join(old)})`.execute(trx);
    }
    await sql`delete from incidents
      where team_id = ${teamId} and opened_at < ${before} and look_at is null`.execute(trx);
    await sql`delete from outbox where team_id = ${teamId} and conversation in (${sql.join(old)})`.execute(
      trx,
    );
    await sql`delete from requests where team_id = ${teamId} and id in (${sql.join(old)})`.execute(trx);
    const data = { requests: old.length, before: before.toISOString() };
    const line = { teamId, at: now, kind: removedKind, actor: 'system', subject: 'retention', data };
    await audit.append(trx, line);
    return old.length;
  });
}

/**
 * Removes sent or abandoned messages of settled requests: nothing checks any more whether they were sent. At most 50 at
 * once; returns the number.
 */
export function removeSaid(db: Db, { teamId, before }: Old): Promise<number> {
  return removeRows(
    db,
    'outbox',
    sql`where o.team_id = ${teamId} and o.created_at < ${before} and o.state <> 'pending'
      and not exists (select 1 from requests q where q.team_id = o.team_id and q.id = o.conversation
        and q.state in ('planning', 'review', 'running'))
      order by o.created_at`,
  );
}

/**
 * Removes rows that belong to no kept request: call costs, ticks, alerts and ended watches. A watch from the operator's file
 * stays, because it records that somebody ended it. At most 50 of each; returns the number.
 */
export async function removeLoose(db: Db, { teamId, before }: Old): Promise<number> {
  const calls = await removeRows(
    db,
    'model_calls',
    sql`where o.team_id = ${teamId} and o.at < ${moment(before)}
      and not exists (select 1 from requests q where q.team_id = o.team_id and q.id = o.request_id)
      order by o.at`,
  );
  const ticks = await removeRows(
    db,
    'schedule_ticks',
    sql`where o.team_id = ${teamId} and o.at < ${before} order by o.at`,
  );
  const ended = await removeRows(
    db,
    'watches',
    sql`where o.team_id = ${teamId} and o.ended_at < ${before} and coalesce(o.entry, '') = ''
      order by o.ended_at`,
  );
  const alerts = await removeRows(
    db,
    'alerts',
    sql`where o.team_id = ${teamId} and o.heard_at < ${before} order by o.heard_at`,
  );
  const problems = await removeRows(
    db,
    'alert_problems',
    sql`where o.team_id = ${teamId} and o.closed_at < ${before} order by o.closed_at`,
  );
  return calls + ticks + ended + alerts + problems;
}

async function removeRows(db: Db, table: string, condition: RawBuilder<unknown>): Promise<number> {
  const name = sql.table(table);
  const { numAffectedRows } = await sql`
    delete from ${name} where ctid = any (array(
      select o.ctid from ${name} o ${condition} limit ${sql.lit(rowBatch)} for update of o skip locked))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

function quiet(teamId: string, before: Date) {
  return sql`
    select id from requests q where q.team_id = ${teamId} and q.state <> 'planning' and q.created_at < ${before}
      and coalesce((q.question -> 'answers' -> -1 ->> 'at')::timestamptz, q.created_at) < ${before}
      and not exists (select 1 from revisions r where r.team_id = q.team_id and r.request_id = q.id
        and (r.state = 'proposed' or r.created_at >= ${before} or r.decided_at >= ${before}))
      and not exists (select 1 from runs u where u.team_id = q.team_id and u.request_id = q.id
        and (u.state = 'running' or u.started_at >= ${before} or u.finished_at >= ${before}))
      and not exists (select 1 from outbox o where o.team_id = q.team_id and o.conversation = q.id
        and (o.state = 'pending' or o.created_at >= ${before}))`;
}
