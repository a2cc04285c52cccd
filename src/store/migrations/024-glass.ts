import { type Kysely, sql } from 'kysely';

/** An approval has a flag for breaking glass; until now only the presence of a reason showed it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table grants add column glass boolean not null default false',
    `update grants g set glass = true from revisions v
      where (v.team_id, v.request_id, v.number) = (g.team_id, g.request_id, g.number)
        and v.state = 'approved' and v.reason is not null and g.standing is null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
