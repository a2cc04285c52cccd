import { sql } from 'kysely';
import { otherKeys } from '../audit/other-keys.ts';
import type { Checkup } from '../core/doctor-result.ts';
import { mayRewriteAudit } from './database-roles.ts';
import type { Db } from './tables.ts';

/** Checks the server and the role, on a database that is open and migrated. */
export async function probeDatabase(db: Db): Promise<Checkup[]> {
  const { rows } = await sql<{ version: string; role: string; encoding: string }>`
    select current_setting('server_version') as version, current_user as role,
      current_setting('server_encoding') as encoding`.execute(db);
  const { version = '', role = '', encoding = '' } = rows[0] ?? {};
  const server: Checkup = {
    about: 'database',
    level: 'ok',
    says: `Postgres ${version}, role ${role}, tables are up to date`,
  };
  const found: Checkup[] = [server];
  if (encoding !== 'UTF8') {
    const says = `the database is ${encoding}: make one with encoding 'UTF8', or words will not fit`;
    found.push({ about: 'database', level: 'wrong', says });
  }
  if (await mayRewriteAudit(db)) {
    const says = `${role} owns the audit log; give the bot a role of its own (docs/audit.md)`;
    found.push({ about: 'database role', level: 'note', says });
  }
  return [...found, ...(await keysInUse(db))];
}

/** With two processes, each would sign with a key of its own. */
async function keysInUse(db: Db): Promise<Checkup[]> {
  const found = await otherKeys(db);
  return found.map(({ team, key, isGiven }) => {
    const log = `the log of ${team} ends under the key ${key}`;
    const says = isGiven
      ? `${log}, which is not the first of AUDIT_KEY: “audit change-key” lets that one sign`
      : `${log}, which is not given: put it back as AUDIT_KEY, or behind a new one and a comma`;
    return { about: 'audit key', level: isGiven ? 'note' : 'wrong', says };
  });
}
