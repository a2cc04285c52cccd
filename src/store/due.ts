import { sql } from 'kysely';
import { heldLocks, lockOf } from './processes.ts';
import type { Db } from './tables.ts';

/** What a process looks for again and again. */
export interface Due {
  readonly teamId: string;
  /** Messages to be sent. */
  readonly messages: boolean;
  /** What dead processes had accepted. */
  readonly arrivals: boolean;
  /** Watches that are to look, or that end. */
  readonly watches: boolean;
  /** Cards that nobody decided on in time. */
  readonly expired: boolean;
  /** Cards to remind of. */
  readonly reminders: boolean;
  /** Standing approvals in force: they may cover a card that waits. */
  readonly standing: boolean;
  /** Incidents to be read. */
  readonly incidents: boolean;
  /** Runs that have not ended, of whatever workspace. */
  readonly runs: boolean;
}

/**
 * For which of these there is something to do now, in one statement for all of a process's workspaces. It may say yes
 * too often: whoever is sent looks closely. Each part reads a small index of what is open and nothing of the past;
 * where it says “is not null” beside a comparison, Postgres would else expect a third of the table.
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
      exists (select from runs where state = 'running') as runs
    from unnest(${[...teamIds]}::text[]) as team (id), (select ${now}::timestamptz as now) as at`.execute(db);
  return rows;
}
