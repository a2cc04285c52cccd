import { sql } from 'kysely';
import { heldLocks, lockOf } from '../store/processes.ts';
import type { Db } from '../store/tables.ts';

/** Work that a process polls for. */
export interface Due {
  readonly teamId: string;
  /** Messages to be sent. */
  readonly messages: boolean;
  /** Events accepted by processes that have died. */
  readonly arrivals: boolean;
  /** Watches due to check or to end. */
  readonly watches: boolean;
  /** Cards whose decision time has expired. */
  readonly expired: boolean;
  /** Cards due for a reminder. */
  readonly reminders: boolean;
  /** Active standing approvals: they may cover a waiting card. */
  readonly standing: boolean;
  /** Incidents due to be read. */
  readonly incidents: boolean;
  /** Problems that alerts report, due to be looked at. */
  readonly alerts: boolean;
  /** Writes whose effect is due to be looked up. */
  readonly checks: boolean;
  /** Unfinished runs of any workspace. */
  readonly runs: boolean;
}

/**
 * Which of these have work now, in one statement for all of a process's workspaces. False positives are possible; the
 * workers check closely. Each part reads a small index of open items and no history. Where a comparison comes with “is
 * not null”, Postgres would otherwise estimate a third of the table.
 */
export async function due(db: Db, teamIds: readonly string[], now: Date): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    select team.id as team_id,
      exists (select from outbox
        where team_id = team.id and state = 'pending' and next_attempt_at <= at.now) as messages,
      exists (select from inbox where team_id = team.id and done_at is null
        and ${sql.raw(lockOf('executor'))} not in (${heldLocks})) as arrivals,
      exists (select from watches
        where team_id = team.id and ended_at is null and (next_at <= at.now or until <= at.now)) as watches,
      exists (select from revisions
        where team_id = team.id and state = 'proposed' and expires_at <= at.now) as expired,
      exists (select from revisions
        where team_id = team.id and state = 'proposed' and nudge_at <= at.now) as reminders,
      exists (select from standing_approvals
        where team_id = team.id and ended_at is null and active_at is not null) as standing,
      exists (select from incidents
        where team_id = team.id and look_at is not null and look_at <= at.now) as incidents,
      exists (select from alert_problems
        where team_id = team.id and look_at is not null and look_at <= at.now) as alerts,
      exists (select from checks
        where team_id = team.id and look_at is not null and look_at <= at.now) as checks,
      exists (select from runs where state = 'running') as runs
    from unnest(${[...teamIds]}::text[]) as team (id), (select ${now}::timestamptz as now) as at`.execute(db);
  return rows;
}
