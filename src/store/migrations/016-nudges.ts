import { type Kysely, sql } from 'kysely';

/** When people are reminded of a card that waits, and how often they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table revisions add column nudge_at timestamptz, add column nudges smallint not null default 0',
    `create index revisions_to_nudge on revisions (nudge_at) where state = 'proposed' and nudge_at is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
