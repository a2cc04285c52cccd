import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as audit from '../../src/audit/chain.ts';
import { currentHead, formatHead, noteHead, parseHeads } from '../../src/audit/head.ts';
import { auditKeys } from '../../src/audit/key.ts';
import { auditCommand } from '../../src/commands/audit.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Db } from '../../src/store/tables.ts';
import { NOON, openTestStore, TEAM } from '../support/store.ts';

const store = openTestStore();
const secret = 'k'.repeat(40);
let folder: string;
let db: Db;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-audit-'));
  const log = { info() {}, warn() {}, error() {} };
  db = await openDatabase({ url: store.url(), max: 2, log, auditKeys: auditKeys([secret]) });
});
afterAll(async () => {
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function command(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; said: string[] }> {
  const said: string[] = [];
  const out = (line: string) => said.push(line);
  const given = { DATABASE_URL: store.url(), AUDIT_KEY: secret, ...variables };
  const code = await auditCommand(args, { variables: given, out, error: out });
  return { code, said: said.filter((line) => !line.startsWith('note:')) };
}

let lines = 0;

async function append(count: number): Promise<void> {
  const line = { teamId: TEAM, at: NOON, kind: 'test.line', actor: 'U0ANA', subject: 'thing' };
  for (const end = lines + count; lines < end; lines += 1)
    await audit.append(db, { ...line, data: { lines } });
}

/** With every right in the database, as somebody with the owner's password. */
async function cutTo(seq: number): Promise<void> {
  await store
    .db()
    .connection()
    .execute(async (connection) => {
      await sql`set session_replication_role = replica`.execute(connection);
      await sql`delete from audit where seq > ${seq}`.execute(connection);
      await sql`set session_replication_role = default`.execute(connection);
    });
}

async function head() {
  const found = await currentHead(db, TEAM, NOON);
  if (found === null) throw new Error('the log is empty');
  return found;
}

test('verify prints count and head, and warns that the role could rewrite the log', async () => {
  await append(5);
  const said: string[] = [];
  const variables = { DATABASE_URL: store.url(), AUDIT_KEY: secret };
  const out = (line: string) => said.push(line);
  expect(await auditCommand(['verify'], { variables, out, error: out })).toBe(0);
  expect(said).toEqual([
    `${TEAM} ok, 5 lines, head ${(await head()).head}`,
    expect.stringContaining('note: nothing here recorded'),
    expect.stringContaining('can rewrite the audit log; give it a role of its own'),
  ]);
});

test('another key proves nothing, and an export verifies only with the right one', async () => {
  const other = await command(['verify'], { AUDIT_KEY: 'o'.repeat(40) });
  expect(other.code).toBe(1);
  expect(other.said[0]).toMatch(/^T0001 not proven, 5 lines, .* which is not given: linked, not proven$/);
  const { said } = await command(['export', TEAM]);
  const file = path.join(folder, 'log.jsonl');
  await writeFile(file, `${said.join('\n')}\n`);
  const { head: hash } = await head();
  expect(await command(['verify', file])).toEqual({ code: 0, said: [`ok, 5 lines, head ${hash}`] });
  expect(await command(['verify', file, '--witness', formatHead(await head())])).toMatchObject({ code: 0 });
  expect((await command(['verify', file], { AUDIT_KEY: 'o'.repeat(40) })).code).toBe(1);
});

test('a posted line is found in a log that has grown, from text or a file; a forged one is not', async () => {
  const posted = formatHead(await head());
  await append(3);
  const around = `Ana: did you see this?\n  \`${posted}\` (edited)`;
  const file = path.join(folder, 'posted.txt');
  await writeFile(file, around);
  for (const given of [posted, around, file]) {
    const { code, said } = await command(['verify', '--witness', given]);
    expect(code).toBe(0);
    expect(said.at(-1)).toBe(`${TEAM} as posted at ${NOON.toISOString()}: is line 5 of the log`);
  }
  const forged = posted.replace(/head=\w{4}/, 'head=0000');
  const wrong = await command(['verify', '--witness', forged]);
  expect(wrong.code).toBe(1);
  expect(wrong.said.at(-1)).toContain('is NOT in the log; line 5 was 0000');
  const late = await command(['verify', '--witness', posted.replace('count=5', 'count=99')]);
  expect(late).toMatchObject({ code: 1 });
  expect(late.said.at(-1)).toContain('there is no such line');
  await expect(command(['verify', '--witness', 'all is well'])).rejects.toThrow('no “countersign-audit …”');
});

test('a truncated log is detected by the head noted outside the database, and the note stays', async () => {
  const variables = { DATA_DIR: folder };
  await noteHead(db, folder, TEAM, NOON);
  expect(await command(['verify'], variables)).toMatchObject({ code: 0 });
  const noted = await head();
  await cutTo(6);
  const missing = `${TEAM} was cut or rewritten: at ${NOON.toISOString()} line 8 had the hash ${noted.head}`;
  const { code, said } = await command(['verify'], variables);
  expect(code).toBe(1);
  expect(said).toEqual([expect.stringMatching(/ok, 6 lines/), missing]);
  // Lines added later do not hide it.
  await append(4);
  await expect(noteHead(db, folder, TEAM, NOON)).rejects.toMatchObject({ code: 'audit_rewritten' });
  expect(parseHeads(await readFile(path.join(folder, 'audit-heads'), 'utf8'))).toEqual([noted]);
  expect((await command(['verify'], variables)).said).toContain(missing);
  expect((await command(['verify', '--witness', formatHead(noted)], variables)).code).toBe(1);
  await cutTo(0);
  expect((await command(['verify'], variables)).said).toEqual(['the audit log is empty', missing]);
});

test('a change of key is a command of its own, for every log that another key signs', async () => {
  const newer = 'n'.repeat(40);
  const both = { AUDIT_KEY: `${newer},${secret}` };
  await append(2);
  const { count, head: before } = await head();
  const changed = await command(['change-key'], both);
  expect(changed).toEqual({
    code: 0,
    said: [
      expect.stringMatching(
        /^T0001 is signed with [0-9a-f]{8} from line \d+ on, and [0-9a-f]{8} has signed that too$/,
      ),
    ],
  });
  const now = await head();
  expect(now).toMatchObject({ count: count + 1 });
  expect(now.head).not.toBe(before);
  expect((await command(['change-key'], both)).said).toEqual([
    'No log is signed with another key than the first one of AUDIT_KEY.',
  ]);
  expect(await command(['verify'], both)).toMatchObject({ code: 0 });
  await expect(command(['change-key'])).rejects.toThrow('which AUDIT_KEY does not hold');
  const lost = await command(['change-key', '--lost'], { AUDIT_KEY: 'x'.repeat(40) });
  expect(lost.said).toEqual([expect.stringMatching(/ from line \d+ on; [0-9a-f]{8} has not signed that$/)]);
  const verified = await command(['verify'], { AUDIT_KEY: 'x'.repeat(40) });
  expect(verified.said.at(-1)).toMatch(/not given: linked, not proven$/);
});
