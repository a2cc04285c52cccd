import { sql } from 'kysely';
import { audited } from '../audit/ledger.ts';
import type { StandingApproval } from '../core/standing-approval.ts';
import { storable } from './jsonb.ts';
import * as outbox from './outbox.ts';
import type { Db, RevisionRow, StandingRow } from './tables.ts';

type NewStanding = Omit<StandingApproval, 'id' | 'approvers' | 'activeAt' | 'endedAt'>;

export type StoredStanding = Omit<StandingRow, 'yeses'> & StandingApproval;

function stored({ yeses: approvers, ...row }: StandingRow): StoredStanding {
  return { ...row, approvers };
}

interface Named {
  readonly teamId: string;
  readonly id: string;
}

export async function get(db: Db, { teamId, id }: Named): Promise<StoredStanding | null> {
  const row = await db
    .selectFrom('standingApprovals')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : stored(row);
}

/** Those still in force or pending, with their writes of the last 24 hours. */
export async function open(
  db: Db,
  teamId: string,
  now: Date,
): Promise<(StoredStanding & { used: number })[]> {
  const rows = await db
    .selectFrom('standingApprovals')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('endedAt', 'is', null)
    .orderBy('until')
    .limit(sql.lit(200))
    .execute();
  return Promise.all(rows.map(async (row) => ({ ...stored(row), used: await usedOf(db, row, now) })));
}

export async function usedOf(db: Db, { teamId, id }: Named, now: Date): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(writes), 0)::int as used from standing_uses
    where team_id = ${teamId} and standing = ${id} and at > ${dayBefore(now)}`.execute(db);
  return rows[0]?.used ?? 0;
}

export function dayBefore(now: Date): Date {
  return new Date(now.getTime() - 24 * 3_600_000);
}

/**
 * Adds a person's approval, with its audit line. The strictest terms of all approvers apply: the earliest date and the
 * fewest writes. Null when one is already in force.
 */
export function give(
  db: Db,
  standing: NewStanding & Named & { readonly by: string; readonly now: Date },
): Promise<StoredStanding | null> {
  const { teamId, id, by, now, ...of } = standing;
  return audited(db, teamId, async (trx) => {
    // One begun under other rules, tools or another playbook cannot be completed.
    await sql`
      update standing_approvals set ended_at = ${now}, ended_by = 'system',
        end_reason = 'It was begun under other rules.'
      where team_id = ${teamId} and scope = ${of.scope} and plan_key = ${of.planKey} and ended_at is null
        and active_at is null and (version, policy, catalogue) <> (${of.version}, ${of.policy}, ${of.catalogue})`.execute(
      trx,
    );
    const { rows } = await sql<StandingRow>`
      insert into standing_approvals as s (team_id, id, scope, version, plan_key, policy, catalogue, summary, channel,
        owner, yeses, until, per_day, created_at)
      values (${teamId}, ${id}, ${of.scope}, ${of.version}, ${of.planKey}, ${of.policy}, ${of.catalogue},
        ${storable(of.summary)}, ${of.channel}, ${of.owner}, ${[by]}::text[], ${of.until}, ${of.perDay}, ${now})
      on conflict (team_id, scope, plan_key) where ended_at is null do update set
        yeses = (select array_agg(distinct y order by y) from unnest(s.yeses || excluded.yeses) y),
        until = least(s.until, excluded.until), per_day = least(s.per_day, excluded.per_day)
      where s.active_at is null and s.version = excluded.version and s.policy = excluded.policy
        and s.catalogue = excluded.catalogue
      returning *`.execute(trx);
    const [row] = rows;
    if (row === undefined) return { value: null, lines: [] };
    const { scope, planKey: plan, version, policy, catalogue, perDay } = row;
    const data = { scope, plan, version, policy, catalogue, until: row.until.toISOString(), perDay };
    const subject = `standing:${row.id}`;
    return {
      value: stored(row),
      lines: [{ teamId, at: now, kind: 'standing.given', actor: by, subject, data }],
    };
  });
}

/** Activates it for exactly these approvers, with the messages about it. */
export function activate(
  db: Db,
  of: Named & { approvers: readonly string[]; now: Date; messages: readonly outbox.OutboxMessage[] },
): Promise<boolean> {
  const { teamId, id, approvers, now, messages } = of;
  return audited(db, teamId, async (trx) => {
    const { rows } = await sql`
      update standing_approvals set active_at = ${now}
      where team_id = ${teamId} and id = ${id} and active_at is null and ended_at is null
        and yeses = ${[...approvers]}::text[]
      returning id`.execute(trx);
    if (rows.length === 0) return { value: false, lines: [] };
    await outbox.enqueueAll(trx, messages);
    const data = { yeses: [...approvers] };
    const subject = `standing:${id}`;
    return {
      value: true,
      lines: [{ teamId, at: now, kind: 'standing.active', actor: 'system', subject, data }],
    };
  });
}

/** Ends it once, and requests its runs to stop before their next write. False when it had already ended. */
export function end(
  db: Db,
  of: Named & { by: string; reason: string; now: Date; messages: readonly outbox.OutboxMessage[] },
): Promise<boolean> {
  const { teamId, id, by, reason, now } = of;
  return audited(db, teamId, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      with ended as (
        update standing_approvals set ended_at = ${now}, ended_by = ${by}, end_reason = ${storable(reason)}
        where team_id = ${teamId} and id = ${id} and ended_at is null returning team_id, id),
      stopped as (
        update runs r set cancel_by = ${by}, cancel_at = ${now}, cancel_reason = ${storable(reason)}
        from ended e join grants g on g.team_id = e.team_id and g.standing = e.id
        where r.team_id = g.team_id and r.id = g.run_id and r.state = 'running' and r.cancel_at is null)
      select id from ended`.execute(trx);
    if (rows.length === 0) return { value: false, lines: [] };
    await outbox.enqueueAll(trx, of.messages);
    const subject = `standing:${id}`;
    return {
      value: true,
      lines: [{ teamId, at: now, kind: 'standing.ended', actor: by, subject, data: { reason } }],
    };
  });
}

/** Waiting cards whose watch or playbook has an active standing approval. */
export async function candidates(
  db: Db,
  teamId: string,
): Promise<{ revision: RevisionRow; standing: StoredStanding }[]> {
  const active = await db
    .selectFrom('standingApprovals')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('endedAt', 'is', null)
    .where('activeAt', 'is not', null)
    .limit(sql.lit(200))
    .execute();
  if (active.length === 0) return [];
  const rows = await db
    .selectFrom('revisions')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('state', '=', sql.lit('proposed'))
    .where(sql<string>`origin->>'scope'`, 'in', [...new Set(active.map(({ scope }) => scope))])
    .limit(sql.lit(100))
    .execute();
  return rows.flatMap((revision) => {
    const scope = (revision.origin as { scope?: string }).scope;
    return active.filter((one) => one.scope === scope).map((one) => ({ revision, standing: stored(one) }));
  });
}
