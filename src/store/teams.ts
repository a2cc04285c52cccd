import { type RawBuilder, sql } from 'kysely';
import { removedKind } from './retention.ts';
import type { Db } from './tables.ts';

/** Workspaces that have ever made a request, even if all were removed for their age. */
export async function knownTeams(db: Db): Promise<string[]> {
  // A literal instead of a parameter, so that any plan can use the index on these few lines.
  const removals = sql`audit where kind = ${sql.lit(removedKind)}`;
  const found = await Promise.all([distinctTeams(db, sql`requests where true`), distinctTeams(db, removals)]);
  return [...new Set(found.flat())].sort();
}

/** Workspaces with an audit log. */
export function auditedTeams(db: Db): Promise<string[]> {
  return distinctTeams(db, sql`audit where true`);
}

/** Skips from team to team along an index: `distinct` would read every row of all time. */
async function distinctTeams(db: Db, source: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ teamId: string }>`
    with recursive found as (
      (select team_id from ${source} order by team_id limit 1)
      union all
      select (select team_id from ${source} and team_id > found.team_id order by team_id limit 1)
      from found where found.team_id is not null
    )
    select team_id from found where team_id is not null order by team_id`.execute(db);
  return rows.map(({ teamId }) => teamId);
}
