import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Tables that only their owner may change: the log, and the list of migrations. */
const ownersOwn: Readonly<Record<string, string>> = {
  audit: 'select, insert',
  kysely_migration: 'select',
  kysely_migration_lock: 'select',
};

/**
 * Grants the bot's role use of the tables and nothing more. It owns none of them, so it cannot disable a trigger, and
 * may only read and append to the audit log. Call it as the owner, under the migrations' lock: Postgres rejects one of
 * two concurrent grants. Atomic, because other processes rely on these rights.
 */
export function grantUse(owner: Db, role: string): Promise<void> {
  return owner.transaction().execute((trx) => grant(trx, role));
}

async function grant(owner: Db, role: string): Promise<void> {
  const to = sql.id(role);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(owner);
  await sql`grant usage on schema ${sql.raw(await currentSchema(owner))} to ${to}`.execute(owner);
  for (const { name } of rows) {
    const rights = ownersOwn[name] ?? 'select, insert, update, delete';
    await sql`revoke all on ${sql.id(name)} from ${to}, public`.execute(owner);
    await sql`grant ${sql.raw(rights)} on ${sql.id(name)} to ${to}`.execute(owner);
  }
}

async function currentSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  return rows[0]?.name ?? 'public';
}

/** The role of this connection. */
export async function roleOf(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_user as name`.execute(db);
  return rows[0]?.name ?? '';
}

/** True when the role of this connection could change or remove lines of the audit log. */
export async function mayRewriteAudit(db: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select r.rolsuper or pg_has_role(current_user, c.relowner, 'member')
      or has_table_privilege(c.oid, 'update, delete, truncate, trigger') as may
    from pg_class c, pg_roles r where c.oid = 'audit'::regclass and r.rolname = current_user`.execute(db);
  return rows[0]?.may !== false;
}
