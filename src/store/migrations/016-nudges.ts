import { type Kysely, sql } from 'kysely';

/** When people are next reminded of a waiting card, and the number of reminders sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table revisions add column nudge_at timestamptz, add column nudges smallint not null default 0',
    `create index revisions_to_nudge on revisions (nudge_at) where state = 'proposed' and nudge_at is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
