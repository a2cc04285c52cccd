import { sql } from 'kysely';
import { killSwitchName } from '../core/run.ts';
import type { Db } from './tables.ts';

interface Open {
  readonly count: number;
  readonly oldestSeconds: number;
}

export interface Backlog {
  readonly open: Readonly<Record<string, Open>>;
  readonly ticks: Readonly<Record<string, number>>;
  readonly areWritesStopped: boolean;
}

/** Resolves when the database answers; throws its error or the connection's. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Current figures of a workspace. Every part reads an index of open items and no history. */
async function backlogOf(db: Db, teamId: string, now: Date): Promise<Backlog> {
  const day = new Date(now.getTime() - 24 * 3_600_000);
  const [open, ticks, stopped] = await Promise.all([
    sql<{ what: string; count: number; oldest: Date | null }>`
      select 'decision' as what, count(*) as count, min(created_at) as oldest
        from revisions where team_id = ${teamId} and state = 'proposed'
      union all select 'run', count(*), min(started_at)
        from runs where team_id = ${teamId} and state = 'running'
      union all select 'message', count(*), min(created_at)
        from outbox where team_id = ${teamId} and state = 'pending'
      union all select 'arrival', count(*), min(at)
        from inbox where team_id = ${teamId} and done_at is null
      union all select 'watch', count(*), min(created_at)
        from watches where team_id = ${teamId} and ended_at is null
      union all select 'check', count(*), min(next_at)
        from watches where team_id = ${teamId} and ended_at is null and next_at <= ${now}`.execute(db),
    sql<{ state: string; count: number }>`
      select state, count(*) as count from schedule_ticks
      where team_id = ${teamId} and at > ${day} group by state`.execute(db),
    sql<{ isOn: boolean }>`
      select is_on from switches where team_id = ${teamId} and name = ${killSwitchName}`.execute(db),
  ]);
  const ageOf = (oldest: Date | null) =>
    oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1_000);
  return {
    open: Object.fromEntries(
      open.rows.map(({ what, count, oldest }) => [what, { count, oldestSeconds: ageOf(oldest) }]),
    ),
    ticks: Object.fromEntries(ticks.rows.map(({ state, count }) => [state, count])),
    areWritesStopped: stopped.rows[0]?.isOn === true,
  };
}

/** Combined figures of several workspaces. */
export async function backlogOfAll(db: Db, teamIds: readonly string[], now: Date): Promise<Backlog> {
  const each = await Promise.all(teamIds.map((teamId) => backlogOf(db, teamId, now)));
  const open: Record<string, Open> = {};
  const ticks: Record<string, number> = {};
  for (const backlog of each) {
    for (const [what, { count, oldestSeconds }] of Object.entries(backlog.open)) {
      const so = open[what] ?? { count: 0, oldestSeconds: 0 };
      open[what] = { count: so.count + count, oldestSeconds: Math.max(so.oldestSeconds, oldestSeconds) };
    }
    for (const [state, count] of Object.entries(backlog.ticks)) ticks[state] = (ticks[state] ?? 0) + count;
  }
  return { open, ticks, areWritesStopped: each.some(({ areWritesStopped }) => areWritesStopped) };
}
