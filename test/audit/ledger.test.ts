import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { audited } from '../../src/audit/ledger.ts';
import type { Db } from '../../src/store/tables.ts';
import { auditRows, NOON, openTestStore } from '../support/store.ts';

const store = openTestStore();

function line(teamId: string, kind: string): audit.AuditEntry {
  return { teamId, at: NOON, kind, actor: 'U1', subject: 'x', data: {} };
}

async function transactionOf(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db);
  return rows[0]?.id ?? '';
}

/** Everything requested while the first work is in progress is batched. */
async function together<T>(teamId: string, ask: () => Promise<T>): Promise<T> {
  const goOn = Promise.withResolvers<void>();
  const first = audited(store.db(), teamId, async () => {
    await goOn.promise;
    return { value: null, lines: [] };
  });
  const asked = ask();
  goOn.resolve();
  await first;
  return asked;
}

async function kinds(teamId: string): Promise<string[]> {
  return (await auditRows(store.db(), teamId)).map(({ kind }) => kind).reverse();
}

test("concurrent work shares a transaction, even across teams, with each team's lines in its own chain", async () => {
  const work = (teamId: string, kind: string) =>
    audited(store.db(), teamId, async (trx) => ({
      value: await transactionOf(trx),
      lines: [line(teamId, kind)],
    }));
  const ids = await together('T0ONE', () =>
    Promise.all([work('T0ONE', 'a'), work('T0TWO', 'b'), work('T0ONE', 'c')]),
  );
  expect(new Set(ids).size).toBe(1);
  expect(await kinds('T0ONE')).toEqual(['a', 'c']);
  expect(await kinds('T0TWO')).toEqual(['b']);
  for (const team of ['T0ONE', 'T0TWO']) {
    expect(await audit.verify(store.db(), team)).toMatchObject({ ok: true });
  }
});

test('failed work is rolled back with its line and rejects alone; the rest of the batch is done once', async () => {
  const work = (kind: string, fails: boolean) =>
    audited(store.db(), 'T0FAILS', async (trx) => {
      await sql`insert into taken_by_test (kind) values (${kind})`.execute(trx);
      if (fails) await sql`select 1 / 0`.execute(trx);
      return { value: kind, lines: [line('T0FAILS', kind)] };
    });
  await sql`create table taken_by_test (kind text)`.execute(store.db());
  const ends = await together('T0FAILS', () =>
    Promise.allSettled([work('before', false), work('failing', true), work('after', false)]),
  );
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await kinds('T0FAILS')).toEqual(['before', 'after']);
  const { rows } = await sql`select kind from taken_by_test`.execute(store.db());
  expect(rows).toEqual([{ kind: 'before' }, { kind: 'after' }]);
});

test('statements behind a commit find what it stored, and nothing where it failed', async () => {
  await sql`create table found_by_test (kind text unique deferrable initially deferred)`.execute(store.db());
  const found: string[] = [];
  const insert = (kind: string) =>
    audited(
      store.db(),
      'T0BEHIND',
      async (trx) => {
        await sql`insert into found_by_test (kind) values ('the same'), (${kind})`.execute(trx);
        return { value: null, lines: [line('T0BEHIND', kind)] };
      },
      async (connection) => {
        const { rows } = await sql`select from found_by_test where kind = ${kind}`.execute(connection);
        found.push(`${kind} ${rows.length}`);
      },
    );
  await insert('stored');
  await expect(insert('refused')).rejects.toMatchObject({ code: '23505' });
  expect(found).toEqual(['stored 1', 'refused 0']);
});

test('a prepared statement is prepared anew after a newer bot changes the tables', async () => {
  await sql`create table changed_by_test (a integer)`.execute(store.db());
  await sql`insert into changed_by_test values (1)`.execute(store.db());
  const ask = () =>
    audited(store.db(), 'T0STALE', async (trx) => {
      const { rows } = await sql`select * from changed_by_test where a = ${1}`.execute(trx);
      return { value: rows, lines: [] };
    });
  // It is prepared from the second time on.
  for (let times = 0; times < 2; times += 1) expect(await ask()).toEqual([{ a: 1 }]);
  await sql`alter table changed_by_test add column b integer default 2`.execute(store.second());
  // The first to notice fails, as when the database is away, and its caller repeats it.
  const [first, second] = [await ask().catch(() => null), await ask()];
  expect(first ?? second).toEqual([{ a: 1, b: 2 }]);
  expect(second).toEqual([{ a: 1, b: 2 }]);
});

test('outside a transaction a table change by a newer bot goes unnoticed', async () => {
  await sql`create table widened_by_test (a integer)`.execute(store.db());
  await sql`insert into widened_by_test values (1)`.execute(store.db());
  const ask = async () => (await sql`select * from widened_by_test where a = ${1}`.execute(store.db())).rows;
  for (let times = 0; times < 3; times += 1) expect(await ask()).toEqual([{ a: 1 }]);
  await sql`alter table widened_by_test add column b integer default 2`.execute(store.second());
  for (let times = 0; times < 3; times += 1) expect(await ask()).toEqual([{ a: 1, b: 2 }]);
});
