import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import * as audit from '../../../src/audit/chain.ts';
import { auditKeys } from '../../../src/audit/key.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { mayRewriteAudit } from '../../../src/store/database-roles.ts';
import type { EmbeddedPostgres } from '../../../src/store/embedded/supervisor.ts';
import type { Db } from '../../../src/store/tables.ts';
import { cleanUpAfterEach, query, start, temporaryFolder } from '../../support/embedded.ts';
import { NOON, TEAM } from '../../support/store.ts';

cleanUpAfterEach();
const log = { info() {}, warn() {}, error() {} };
const keys = auditKeys(['k'.repeat(64)]);
const line = { teamId: TEAM, at: NOON, kind: 'test.line', actor: 'U0ANA', subject: 'thing', data: {} };

function asBot({ url, ownerUrl }: EmbeddedPostgres): Promise<Db> {
  return openDatabase({ url, max: 2, log, auditKeys: keys, ownerUrl });
}

/** Ways to rewrite the log that are open to the owner of its table. */
const rewrites = [
  `update audit set actor = 'U0EVE'`,
  'delete from audit',
  'truncate audit',
  'alter table audit disable trigger all',
  'drop trigger audit_append_only on audit',
  'create trigger mine before insert on audit for each row execute function refuse_audit_change()',
  'set session_replication_role = replica',
  'drop table audit',
  'alter table audit owner to countersign_bot',
  'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'drop function refuse_audit_change() cascade',
  'set role countersign',
  'alter role countersign_bot superuser',
  'create table elsewhere as select 1',
  'insert into kysely_migration select * from kysely_migration',
];

test('the bot’s role can append to the log and do nothing else to it', { timeout: 60_000 }, async () => {
  const server = await start(await temporaryFolder());
  const db = await asBot(server);
  await audit.append(db, line);
  await audit.append(db, line);
  expect(await mayRewriteAudit(db)).toBe(false);
  await db.destroy();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of rewrites) {
    await expect(client.query(statement), statement).rejects.toMatchObject({
      code: expect.stringMatching(/^42501|42704|0A000$/),
    });
  }
  await client.end();
  const again = await asBot(server);
  expect(await audit.verify(again, TEAM)).toMatchObject({ ok: true, count: 2, unkeyed: 0 });
  await again.destroy();
});

test('a data folder from before the bot’s role existed is taken over with its log', {
  timeout: 60_000,
}, async () => {
  const dataDir = await temporaryFolder();
  const old = await start(dataDir);
  const before = await openDatabase({ url: old.ownerUrl, max: 2, log });
  await audit.append(before, line);
  await audit.append(before, line);
  expect(await mayRewriteAudit(before)).toBe(true);
  await before.destroy();
  await query(old.ownerUrl, 'drop role countersign_bot');
  await old.stop();
  await rm(path.join(dataDir, 'postgres', 'bot-password'));

  const next = await start(dataDir);
  const db = await asBot(next);
  await audit.append(db, line);
  expect(await mayRewriteAudit(db)).toBe(false);
  expect(await audit.verify(db, TEAM)).toMatchObject({ ok: true, count: 4, unkeyed: 2, unproven: {} });
  await db.destroy();
});
