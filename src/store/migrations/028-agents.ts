import { type Kysely, sql } from 'kysely';

/** Requests of agents: who proposed, in which words, and what the agent hears of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = ['agent jsonb', 'agent_body text', 'agent_answer jsonb'];
  await sql.raw(`alter table requests ${columns.map((one) => `add column ${one}`).join(', ')}`).execute(db);
}
