import { type Kysely, sql } from 'kysely';

/** Messages waiting to be sent, and the ticks of schedules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      id bigint generated always as identity primary key,
      team_id text not null,
      conversation text not null,
      key text not null,
      kind text not null check (kind in ('card', 'reply', 'final', 'private', 'update')),
      payload jsonb not null,
      version integer not null default 1,
      state text not null default 'pending' check (state in ('pending', 'sent', 'dead')),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null,
      last_error text,
      sent_ts text,
      created_at timestamptz not null
    )`.execute(db);
  // A message is sent once per key; an update may follow one with the same key once that was sent.
  await sql`create unique index outbox_once on outbox (team_id, key) where kind <> 'update'`.execute(db);
  await sql`
    create unique index outbox_one_update on outbox (team_id, key)
    where kind = 'update' and state = 'pending'`.execute(db);
  await sql`create index outbox_order on outbox (team_id, conversation, id) where state = 'pending'`.execute(
    db,
  );
  await sql`
    create table schedule_ticks (
      team_id text not null,
      schedule text not null,
      tick timestamptz not null,
      state text not null check (state in ('fired', 'missed', 'overlap')),
      request_id text,
      at timestamptz not null,
      primary key (team_id, schedule, tick)
    )`.execute(db);
}
