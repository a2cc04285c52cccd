import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { type AuditFact, formatLine, GENESIS, hashLine, verifyExport } from '../../src/audit/line.ts';
import { canonicalJson } from '../../src/core/canonical.ts';
import type { Json } from '../../src/core/json.ts';
import { auditRows, minutes, NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();
const nothing = { ok: true, count: 0, head: GENESIS, unkeyed: 0, unproven: {} };

function entry(teamId: string, index: number, data: Json = { index }): audit.AuditEntry {
  return { teamId, at: minutes(index), kind: 'test.line', actor: 'U0ANA', subject: `thing:${index}`, data };
}

async function exported(teamId: string): Promise<string[]> {
  return Array.fromAsync(audit.exportLines(store.db(), teamId));
}

/** Changes a row as somebody with the database password could: with the trigger disabled. */
async function tamper(teamId: string, seq: number, assignment: ReturnType<typeof sql>): Promise<void> {
  await store
    .db()
    .connection()
    .execute(async (connection) => {
      await sql`set session_replication_role = replica`.execute(connection);
      await sql`update audit set ${assignment} where team_id = ${teamId} and seq = ${seq}`.execute(
        connection,
      );
      await sql`set session_replication_role = default`.execute(connection);
    });
}

test('concurrent lines from two processes form one gapless chain per team, and the export verifies offline', async () => {
  const written = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      audit.append(
        index % 2 === 0 ? store.db() : store.second(),
        entry(index % 4 === 3 ? 'T0B' : 'T0A', index),
      ),
    ),
  );
  expect(new Set(written.map((line) => line.hash)).size).toBe(40);
  const first = await audit.verify(store.db(), 'T0A');
  expect(first).toMatchObject({ ok: true, count: 30 });
  expect(await audit.verify(store.db(), 'T0B')).toMatchObject({ ok: true, count: 10 });
  expect(await audit.verify(store.db(), 'T0NONE')).toEqual(nothing);

  const lines = await exported('T0A');
  expect(lines.map((line) => JSON.parse(line).seq)).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  expect(verifyExport(`${lines.join('\n')}\n`)).toEqual(first);
  expect(verifyExport(lines.join('\n'))).toEqual(first);
  expect(verifyExport('')).toEqual(nothing);
});

test('a long log is verified and exported across its pages', async () => {
  await store
    .db()
    .transaction()
    .execute(async (trx) => {
      for (let index = 0; index < 1_003; index += 1) await audit.append(trx, entry('T0LONG', index % 7));
    });
  expect(await audit.verify(store.db(), 'T0LONG')).toMatchObject({ ok: true, count: 1_003 });
  expect(verifyExport((await exported('T0LONG')).join('\n'))).toMatchObject({ ok: true, count: 1_003 });
});

test('the table refuses to change, delete or empty', async () => {
  await audit.append(store.db(), entry(TEAM, 0));
  for (const statement of [
    sql`update audit set actor = 'U0EVE'`,
    sql`delete from audit`,
    sql`truncate audit`,
    sql`insert into audit select * from audit on conflict (team_id, seq) do update set actor = 'U0EVE'`,
  ]) {
    await expect(statement.execute(store.db())).rejects.toThrow(/append-only/);
  }
  expect(await audit.verify(store.db(), TEAM)).toMatchObject({ ok: true, count: 1 });
});

test('a line in a rolled-back transaction leaves no gap', async () => {
  await audit.append(store.db(), entry('T0ROLL', 1));
  const failing = store
    .db()
    .transaction()
    .execute(async (trx) => {
      expect(await audit.append(trx, entry('T0ROLL', 2))).toMatchObject({ seq: 2 });
      throw new Error('the act did not happen');
    });
  await expect(failing).rejects.toThrow('the act did not happen');
  expect(await audit.append(store.db(), entry('T0ROLL', 3))).toMatchObject({ seq: 2 });
  expect(await audit.verify(store.db(), 'T0ROLL')).toMatchObject({ ok: true, count: 2 });
});

test('any change made behind the trigger is found at its line', async () => {
  const changes: [ReturnType<typeof sql>, string][] = [
    [sql`actor = 'U0EVE'`, 'the line was changed after it was written'],
    [sql`at = at + interval '1 second'`, 'the line was changed after it was written'],
    [sql`data = '{"index":9}'`, 'the line was changed after it was written'],
    [sql`data = '{"index": 3}'`, 'the line was changed after it was written'],
    [sql`data = 'index'`, 'the line was changed after it was written'],
    [sql`data = '{"index":1e999}'`, 'the line was changed after it was written'],
    [sql`prev_hash = ${GENESIS}`, 'the hash of the line before does not fit'],
    [sql`team_id = 'T0AWAY'`, 'line 3 is missing'],
    [sql`seq = 77`, 'line 3 is missing'],
  ];
  for (const [index, [assignment, why]] of changes.entries()) {
    const teamId = `T0TAMPER${index}`;
    for (let line = 1; line <= 5; line += 1) await audit.append(store.db(), entry(teamId, line));
    await tamper(teamId, 3, assignment);
    const verdict = await audit.verify(store.db(), teamId);
    expect(verdict).toEqual({ ok: false, seq: why.endsWith('is missing') ? 4 : 3, why });
    expect(verifyExport((await exported(teamId)).join('\n'))).toMatchObject({ ok: false, seq: 3 });
  }
});

/** An exported log with a line for each value, made without a database. */
function exportOf(...data: Json[]): string[] {
  let prev = GENESIS;
  return data.map((each, index) => {
    const at = NOON.toISOString();
    const fact: AuditFact = {
      team: TEAM,
      seq: index + 1,
      at,
      kind: 'k',
      actor: 'a',
      subject: 's',
      data: each,
    };
    const hash = hashLine(prev, fact) ?? '';
    const text = formatLine(fact, prev, hash);
    prev = hash;
    return text;
  });
}

test('an export with a cut, duplicated, moved, changed or foreign line does not verify', () => {
  const [one = '', two = '', three = ''] = exportOf({ a: 1 }, { a: 2 }, { a: 3 });
  const whole = verifyExport([one, two, three].join('\n'));
  expect(whole).toMatchObject({ ok: true, count: 3 });
  const bad: [string[], number, RegExp][] = [
    [[two, three], 1, /line 1 is missing/],
    [[one, three], 2, /line 2 is missing/],
    [[one, one, two], 2, /line 2 is missing/],
    [[one, three, two], 2, /line 2 is missing/],
    [[one, two.slice(0, -1), three], 2, /not JSON/],
    [[one, '', two], 2, /not JSON/],
    [[one, '[]'], 2, /lacks a field/],
    [[one, two.replace('"seq":2', '"seq":"2"')], 2, /lacks a field/],
    [[one, two.replace('{"a":2}', '{"a":2,"a":2}')], 2, /canonical/],
    [[one, two.replace('"seq":2', '"seq": 2')], 2, /canonical/],
    [[one, two.replace('{"a":2}', '{"a":2e999}')], 2, /canonical/],
    [[one, two.replace('{"a":2}', '{"a":"\\ud800"}')], 2, /canonical/],
    [[one, two.replace('{"a":2}', '{"a":5}')], 2, /changed/],
    [[one, two.replace(TEAM, 'T0002')], 2, /belongs to team T0002/],
  ];
  for (const [lines, seq, why] of bad) {
    expect(verifyExport(lines.join('\n'))).toEqual({ ok: false, seq, why: expect.stringMatching(why) });
  }
  // Truncating the end leaves a shorter valid chain: only its head shows it.
  const shorter = verifyExport([one, two].join('\n'));
  expect(shorter).toMatchObject({ ok: true, count: 2 });
  expect(shorter.ok && whole.ok && shorter.head !== whole.head).toBe(true);
});

test('any JSON survives the chain, and any change of a single character is detected', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (values, place, char) => {
        // Through text once: the generator makes -0, which JSON does not have.
        const data: Json[] = JSON.parse(JSON.stringify(values));
        const text = exportOf(...data).join('\n');
        expect(verifyExport(text)).toMatchObject({ ok: true, count: values.length });
        const at = place % text.length;
        const changed = text.slice(0, at) + char + text.slice(at + 1);
        if (changed !== text) expect(verifyExport(changed).ok).toBe(false);
      },
    ),
  );
});

test('text that canonical JSON cannot hold is replaced, and the line is still written', async () => {
  await audit.append(store.db(), entry('T0HALF', 1, { name: 'half \ud83d' }));
  const [row] = await auditRows(store.db(), 'T0HALF');
  expect(row?.data).toBe('{"name":"half \ufffd"}');
  expect(await audit.verify(store.db(), 'T0HALF')).toMatchObject({ ok: true });
});

test('the data of a line is stored as canonical JSON', async () => {
  await audit.append(store.db(), entry('T0CANON', 1, { b: [1.0, 'x\u0000'], a: { d: null, c: true } }));
  const [row] = await auditRows(store.db(), 'T0CANON');
  expect(row?.data).toBe(canonicalJson({ a: { c: true, d: null }, b: [1, 'x\u0000'] }));
  expect(row).toMatchObject({ seq: 1, prevHash: GENESIS, at: minutes(1) });
  expect(await audit.verify(store.db(), 'T0CANON')).toMatchObject({ ok: true, head: row?.hash });
});
