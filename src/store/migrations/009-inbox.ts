import { type Kysely, sql } from 'kysely';

/**
 * Incoming events, from before their acknowledgement until they are processed; then only the key, to recognise repeated
 * deliveries. Replaces `taken`, which stored only keys.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table inbox (
      team_id text not null,
      key text not null,
      event jsonb,
      executor text not null,
      attempts integer not null,
      at timestamptz not null,
      done_at timestamptz,
      primary key (team_id, key)
    )`.execute(db);
  await sql`create index inbox_open on inbox (team_id, executor) where done_at is null`.execute(db);
  await sql`create index inbox_done on inbox (done_at) where done_at is not null`.execute(db);
  await sql`
    insert into inbox (team_id, key, event, executor, attempts, at, done_at)
    select team_id, key, null, '', 1, at, at from taken`.execute(db);
  await sql`drop table taken`.execute(db);
  // The id of a tick's request is derived from the tick.
  await sql`alter table schedule_ticks drop column request_id`.execute(db);
}
