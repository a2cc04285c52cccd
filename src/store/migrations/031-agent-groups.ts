import { type Kysely, sql } from 'kysely';

/** An agent's own id of the proposals that belong together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table requests add column agent_group text').execute(db);
}
