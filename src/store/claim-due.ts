import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from './tables.ts';

/** Claims rows that are due to be looked at; no other process gets them until `until`. */
export async function claimDue<T extends 'incidents' | 'alertProblems' | 'checks'>(
  db: Db,
  table: T,
  { teamId, now, until, limit }: { teamId: string; now: Date; until: Date; limit: number },
): Promise<Selectable<Tables[T]>[]> {
  const { rows } = await sql<Selectable<Tables[T]>>`
    update ${sql.table(table)} set look_at = ${until}
    where ctid = any (array(
      select ctid from ${sql.table(table)}
      where team_id = ${teamId} and look_at is not null and look_at <= ${now}
      order by look_at limit ${sql.lit(limit)} for update skip locked))
    returning *`.execute(db);
  return rows;
}
