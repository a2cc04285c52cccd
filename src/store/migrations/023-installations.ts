import { type Kysely, sql } from 'kysely';

/** Workspaces where the bot is installed, each with its token, and each process's row per workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table installations (team_id text primary key, name text not null, is_company boolean not null,
      bot_user_id text not null, bot_id text not null, token text, installed_by text not null,
      installed_at timestamptz not null, removed_at timestamptz, closed_at timestamptz,
      check ((token is null) = (removed_at is not null)))`,
    // A process that serves several workspaces has a row for each.
    'alter table processes drop constraint processes_pkey, add primary key (id, team_id)',
    // Messages are fetched per workspace.
    'drop index outbox_waiting',
    `create index outbox_waiting on outbox (team_id, id) where state = 'pending'`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
