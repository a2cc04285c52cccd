import { type Kysely, sql } from 'kysely';

/** Reads run once per revision before anyone is asked to approve it; if there is nothing to write, they are the answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    'alter table runs drop constraint runs_mode_check',
    "alter table runs add constraint runs_mode_check check (mode in ('run', 'read', 'dry_run'))",
    `create unique index runs_one_read_per_revision on runs (team_id, request_id, number) where mode = 'read'`,
    'alter table revisions drop constraint revisions_state_check',
    `alter table revisions add constraint revisions_state_check check
      (state in ('proposed', 'answered', 'approved', 'rejected', 'expired', 'superseded', 'cancelled'))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
