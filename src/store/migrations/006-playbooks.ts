import { type Kysely, sql } from 'kysely';

/** Playbooks saved by people from finished plans; those of the installation are files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table playbooks (
      team_id text not null,
      name text not null,
      source text not null,
      owner text not null,
      created_at timestamptz not null,
      primary key (team_id, name)
    )`.execute(db);
}
