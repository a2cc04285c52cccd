import { type Kysely, sql } from 'kysely';

/** Watches, from the operator's file or by a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table watches (team_id text not null, id text not null, owner text not null, goal text not null,
      entry text, plan jsonb, planner text not null, every jsonb not null, until timestamptz, worse jsonb not null,
      channel text not null, thread_ts text, message_ts text,
      created_at timestamptz not null, next_at timestamptz not null,
      ended_at timestamptz, ended_by text, end_reason text,
      looked_at timestamptz, look_key text, found text, alarm jsonb not null, problem text, asked_key text,
      primary key (team_id, id))`,
    'create index watches_due on watches (team_id, next_at) where ended_at is null',
    'create index watches_ended on watches (team_id, ended_at) where ended_at is not null',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
