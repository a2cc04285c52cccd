import { type Kysely, sql } from 'kysely';

/** One problem, one thread: a request for something already waiting or running joins it, and of equal plans only one is open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table requests add column joined text',
    'create index requests_joined on requests (team_id, joined) where joined is not null',
    'alter table revisions add column plan_key text',
    `create unique index revisions_one_plan on revisions (team_id, plan_key)
      where state = 'proposed' and plan_key is not null`,
    `create index revisions_approved_plans on revisions (team_id, plan_key)
      where state = 'approved' and plan_key is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
