import { type Kysely, sql } from 'kysely';

/** Indexes for a handover: what ended and what was opened since a moment, each list read from the end of one index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Successful reads are no news for the next shift, and are the majority of runs.
    `create index runs_ended on runs (team_id, mode, outcome, finished_at desc)
      where mode = 'run' or (mode = 'read' and outcome <> 'done')`,
    'create index incidents_by_age on incidents (team_id, opened_at desc)',
    `create index incidents_open on incidents (team_id, opened_at desc) where life->>'state' <> 'resolved'`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
