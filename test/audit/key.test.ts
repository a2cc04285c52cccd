import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { auditKeys } from '../../src/audit/key.ts';
import { auditKeyFile, makeAuditKey, readAuditKey } from '../../src/audit/key-file.ts';
import { GENESIS, hashLine, verifyExport } from '../../src/audit/line.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Db } from '../../src/store/tables.ts';
import { auditRows, NOON, openTestStore } from '../support/store.ts';

const store = openTestStore();
const log = { info() {}, warn() {}, error() {} };
const [first, second] = ['first '.repeat(8), 'second '.repeat(8)];
const open: Db[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-key-'));
});
afterAll(async () => {
  for (const db of open) await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function withKeys(...secrets: string[]): Promise<Db> {
  const db = await openDatabase({ url: store.url(), max: 2, log, auditKeys: auditKeys(secrets) });
  open.push(db);
  return db;
}

function line(teamId: string, index = 0): audit.AuditEntry {
  return { teamId, at: NOON, kind: 'test.line', actor: 'U0ANA', subject: `thing:${index}`, data: { index } };
}

/** The attacks of a person with every right in the database, but without the key. */
async function rewrite(teamId: string, keyId: string | null): Promise<void> {
  await store
    .db()
    .connection()
    .execute(async (db) => {
      await sql`set session_replication_role = replica`.execute(db);
      let prev = GENESIS;
      for (const row of (await auditRows(store.db(), teamId)).toReversed()) {
        const fact = { team: teamId, seq: row.seq, at: NOON.toISOString(), kind: row.kind };
        const forged = { ...fact, actor: 'U0EVE', subject: row.subject, data: JSON.parse(row.data) };
        const hash = hashLine(prev, forged) ?? '';
        const [at, actor] = [NOON, 'U0EVE'];
        await db
          .updateTable('audit')
          .set({ at, actor, prevHash: prev, hash, keyId })
          .where('teamId', '=', teamId)
          .where('seq', '=', row.seq)
          .execute();
        prev = hash;
      }
      await sql`set session_replication_role = default`.execute(db);
    });
}

test('signed lines verify only with their key, in the database and in an export', async () => {
  const db = await withKeys(first);
  for (let index = 0; index < 3; index += 1) await audit.append(db, line('T0SIGNED', index));
  const whole = { ok: true, count: 3, unkeyed: 0, unproven: {} };
  expect(await audit.verify(db, 'T0SIGNED')).toMatchObject(whole);
  const text = (await Array.fromAsync(audit.exportLines(db, 'T0SIGNED'))).join('\n');
  expect(verifyExport(text, auditKeys([first]))).toMatchObject(whole);
  const id = auditKeys([first]).current?.id ?? '';
  for (const verdict of [verifyExport(text), verifyExport(text, auditKeys([second]))]) {
    expect(verdict).toMatchObject({ ok: true, unproven: { [id]: 3 } });
  }
  expect(verifyExport(text.replace('"index":1', '"index":7'), auditKeys([first]))).toMatchObject({
    ok: false,
    seq: 2,
  });
  expect(text).not.toContain(first);
});

test('a fully rewritten chain, which a chain without keys would not detect, fails to verify', async () => {
  const db = await withKeys(first);
  for (let index = 0; index < 3; index += 1) await audit.append(db, line('T0REWRITTEN', index));
  const id = auditKeys([first]).current?.id ?? '';
  await rewrite('T0REWRITTEN', id);
  const why = 'the line was changed after it was written';
  expect(await audit.verify(db, 'T0REWRITTEN')).toEqual({ ok: false, seq: 1, why });
  await rewrite('T0REWRITTEN', 'abcd1234');
  expect(await audit.verify(db, 'T0REWRITTEN')).toMatchObject({ ok: true, unproven: { abcd1234: 3 } });
  // Without any key the chain verifies again, but the missing keys show.
  await rewrite('T0REWRITTEN', null);
  expect(await audit.verify(db, 'T0REWRITTEN')).toMatchObject({ ok: true, unkeyed: 3 });
});

test('unsigned lines stay, the log records where signing begins, and no unsigned line may follow', async () => {
  await audit.append(store.db(), line('T0OLD'));
  await audit.append(store.db(), line('T0OLD'));
  const db = await withKeys(first);
  await Promise.all([audit.append(db, line('T0OLD')), audit.append(db, line('T0OLD'))]);
  const rows = (await auditRows(db, 'T0OLD')).toReversed();
  const id = auditKeys([first]).current?.id ?? '';
  expect(rows.map(({ kind, keyId }) => [kind, keyId])).toEqual([
    ['test.line', null],
    ['test.line', null],
    ['audit.key_changed', id],
    ['test.line', id],
    ['test.line', id],
  ]);
  expect(rows[2]?.data).toBe(`{"from":null,"to":"${id}"}`);
  expect(await audit.verify(db, 'T0OLD')).toMatchObject({ ok: true, count: 5, unkeyed: 2, unproven: {} });

  await expect(audit.append(store.db(), line('T0OLD'))).rejects.toMatchObject({ code: 'audit_key_missing' });
  const [last] = await auditRows(db, 'T0OLD');
  const fact = {
    team: 'T0OLD',
    seq: 6,
    at: NOON.toISOString(),
    kind: 'x',
    actor: 'x',
    subject: 'x',
    data: {},
  };
  const { team: teamId, ...columns } = fact;
  const forged = { prevHash: last?.hash ?? '', hash: hashLine(last?.hash ?? '', fact) ?? '', keyId: null };
  await db
    .insertInto('audit')
    .values({ ...columns, teamId, at: NOON, data: '{}', ...forged })
    .execute();
  const why = 'the line has no key, although the one before has';
  expect(await audit.verify(db, 'T0OLD')).toEqual({ ok: false, seq: 6, why });
});

test('the old key signs until a change of key is made, which both sign, and then the new one signs', async () => {
  const old = await withKeys(first);
  await audit.append(old, line('T0ROTATED'));
  const both = await withKeys(second, first);
  await audit.append(both, line('T0ROTATED', 1));
  const [oldId, newId] = [first, second].map((secret) => auditKeys([secret]).current?.id);
  expect(await audit.changeKey(both, 'T0ROTATED', NOON, { isLost: false })).toMatchObject({
    from: oldId,
    to: newId,
  });
  expect(await audit.changeKey(both, 'T0ROTATED', NOON, { isLost: false })).toBeNull();
  await audit.append(both, line('T0ROTATED', 2));
  const rows = (await auditRows(both, 'T0ROTATED')).toReversed();
  expect(rows.map(({ kind, keyId }) => [kind, keyId])).toEqual([
    ['test.line', oldId],
    ['test.line', oldId],
    ['audit.key_changed', newId],
    ['test.line', newId],
  ]);
  expect(await audit.verify(both, 'T0ROTATED')).toMatchObject({ ok: true, count: 4, unproven: {} });
  expect(await audit.verify(await withKeys(second), 'T0ROTATED')).toMatchObject({
    unproven: { [oldId ?? '']: 2 },
  });
  await expect(audit.append(old, line('T0ROTATED'))).rejects.toMatchObject({ code: 'audit_key_missing' });
});

test('a key that is not the one of the log signs nothing in it', async () => {
  await audit.append(await withKeys(first), line('T0ANOTHER'));
  const other = await withKeys(second);
  const missing = { code: 'audit_key_missing', message: expect.stringContaining('AUDIT_KEY') };
  await expect(audit.append(other, line('T0ANOTHER'))).rejects.toMatchObject(missing);
  await expect(audit.changeKey(other, 'T0ANOTHER', NOON, { isLost: false })).rejects.toMatchObject(missing);
  expect(await audit.verify(await withKeys(first), 'T0ANOTHER')).toMatchObject({ ok: true, count: 1 });
});

test('a change of key without the signature of the one before does not verify with that one', async () => {
  await audit.append(await withKeys(first), line('T0LOST'));
  const changed = await audit.changeKey(await withKeys(second), 'T0LOST', NOON, { isLost: true });
  const from = changed?.from ?? '';
  expect(await audit.verify(await withKeys(second), 'T0LOST')).toMatchObject({
    ok: true,
    unproven: { [from]: 1 },
  });
  const why = `the key changes, and ${from} has not signed that`;
  expect(await audit.verify(await withKeys(second, first), 'T0LOST')).toEqual({ ok: false, seq: 2, why });
});

test('lines under a key that was given up do not verify, although it is known', async () => {
  const old = await withKeys(first);
  await audit.append(old, line('T0LEAKED'));
  const both = await withKeys(second, first);
  await audit.changeKey(both, 'T0LEAKED', NOON, { isLost: false });
  const [last] = await auditRows(both, 'T0LEAKED');
  const { team, ...fact } = {
    ...{ team: 'T0LEAKED', seq: 3, at: NOON.toISOString(), kind: 'audit.key_changed', actor: 'U0EVE' },
    ...{ subject: 'audit', data: {}, key: auditKeys([first]).current?.id ?? '' },
  };
  const prevHash = last?.hash ?? '';
  const hash = hashLine(prevHash, { team, ...fact }, auditKeys([first])) ?? '';
  const { key: keyId, ...columns } = fact;
  const forged = { ...columns, teamId: team, at: NOON, data: '{}', prevHash, hash, keyId };
  await store.db().insertInto('audit').values(forged).execute();
  expect(await audit.verify(both, 'T0LEAKED')).toMatchObject({ ok: false, seq: 3 });
});

test('the key file is made once, complete and private to its owner; an unusable one is refused', async () => {
  const place = path.join(folder, 'made', 'here');
  const made = await Promise.all(Array.from({ length: 8 }, () => makeAuditKey(place)));
  expect(new Set(made).size).toBe(1);
  expect(made[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await readAuditKey(place)).toBe(made[0]);
  expect((await stat(auditKeyFile(place))).mode & 0o777).toBe(0o600);
  expect(await readdir(place)).toEqual(['audit-key']);
  expect(await readAuditKey(folder)).toBeNull();

  await chmod(auditKeyFile(place), 0o600);
  await writeFile(auditKeyFile(place), 'short\n');
  const refused = { code: 'audit_key_unusable', message: expect.stringMatching(/audit-key is too short/) };
  await expect(makeAuditKey(place)).rejects.toMatchObject(refused);
  await writeFile(path.join(folder, 'a-file'), '');
  const nowhere = { code: 'audit_key_unusable', message: expect.stringContaining('set AUDIT_KEY') };
  await expect(makeAuditKey(path.join(folder, 'a-file', 'data'))).rejects.toMatchObject(nowhere);
});
