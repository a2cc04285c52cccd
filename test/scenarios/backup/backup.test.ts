/** Why: a lost disk must cost neither the pending plans nor the proof of what was done. */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupCommand, restoreCommand } from '../../../src/commands/backup.ts';
import { exportCommand, pruneCommand } from '../../../src/commands/data.ts';
import { runCommand } from '../../support/command.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { rowsOf } from '../../support/rows.ts';
import { finish, rows, until } from '../../support/scenario.ts';
import { testAuditKey } from '../../support/surroundings.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let folder: string;
let file: string;
const databases: FreshDatabase[] = [];

beforeAll(async () => {
  workspace = await Workspace.start();
  folder = await mkdtemp(join(tmpdir(), 'countersign-backup-'));
  file = join(folder, 'backup.gz');
});
afterAll(async () => {
  await finish(workspace);
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<{ DATABASE_URL: string; AUDIT_KEY: string }> {
  const database = await freshDatabase();
  databases.push(database);
  return { DATABASE_URL: database.url, AUDIT_KEY: testAuditKey };
}

async function cardFor(threshold: number): Promise<Message> {
  const goal = `if OPS has more than ${threshold} open P1 tickets, page ops`;
  await workspace.plan('ben', goal);
  return workspace.card(goal);
}

/** A checksum and row count for each of our tables. */
async function contents(url: string, tables: readonly string[]): Promise<unknown> {
  const each = tables.map(async (table) => [
    table,
    await rowsOf(
      url,
      `select md5(string_agg(t::text, '|' order by t::text)) as sum, count(*) from ${table} t`,
    ),
  ]);
  return Object.fromEntries(await Promise.all(each));
}

async function allNoted(): Promise<boolean> {
  const [found] = await rows(
    workspace,
    `select not exists (select from outbox where state = 'pending')
      and not exists (select from revisions where card_ts is null) as all_noted`,
  );
  return found?.all_noted === true;
}

const kept = ['requests', 'revisions', 'grants', 'step_results', 'writes', 'audit', 'outbox', 'playbooks'];

test('a backup restores every row and the audit log, and a pending card can still be approved', async () => {
  const done = await cardFor(1);
  await workspace.click('ana', done, 'plan.approve');
  await workspace.reply(done, /^Done/);
  await workspace.becomes(done, 'finished');
  const waiting = await cardFor(2);
  // The card reaches Slack before the bot records that, and later rows are not in the backup.
  await until(allNoted);
  const backedUp = await runCommand(backupCommand, [file], workspace.env);
  expect(backedUp).toMatchObject({
    code: 0,
    lines: [
      expect.stringMatching(/^Rows in .*backup\.gz: \d+\. /),
      expect.stringContaining('audit key is not in it'),
    ],
  });
  expect(await workspace.bot.stop()).toBe(0);

  const target = await emptyDatabase();
  const restored = await runCommand(restoreCommand, [file, '--go-on'], target);
  expect(restored.lines).toEqual([
    expect.stringMatching(/^\d+ rows of \S+ are restored, from version \d/),
    expect.stringMatching(/^T0SANDBOX audit log: ok, \d+ lines, head [0-9a-f]{64}$/),
  ]);
  expect(restored.code).toBe(0);
  const source = workspace.env.DATABASE_URL ?? '';
  expect(await contents(target.DATABASE_URL, kept)).toEqual(await contents(source, kept));

  workspace.bot = await workspace.startAnother(target);
  workspace.resolvePages();
  await workspace.click('ana', waiting, 'plan.approve');
  await workspace.reply(waiting, /^Done/);
  await workspace.becomes(waiting, 'finished');
  expect(workspace.pages()).toHaveLength(2);
  // The database's sequences continue after the restored values.
  const [sent] = await rowsOf(target.DATABASE_URL, 'select count(*) = count(distinct id) as own from outbox');
  expect(sent).toEqual({ own: true });
  expect(await workspace.bot.stop()).toBe(0);
  workspace.bot = await workspace.startAnother();
});

test('an existing backup is overwritten only with --replace', async () => {
  const kept = join(folder, 'kept.gz');
  await writeFile(kept, 'the only backup');
  const refused = await runCommand(backupCommand, [kept], workspace.env);
  expect(refused).toEqual({
    code: 2,
    lines: [`${kept} exists: choose another name, or say --replace.`],
  });
  expect(await readFile(kept, 'utf8')).toBe('the only backup');
  expect(await runCommand(backupCommand, ['--replace', kept], workspace.env)).toMatchObject({ code: 0 });
  expect(gunzipSync(await readFile(kept)).toString()).toContain('countersign');
});

test('a restore stops runs and arrivals that were in progress unless told to go on', async () => {
  const target = await emptyDatabase();
  const source = workspace.env.DATABASE_URL ?? '';
  // A running bot would finish the run before the backup is taken.
  expect(await workspace.bot.stop()).toBe(0);
  await rowsOf(
    source,
    `update runs set state = 'running', outcome = null, finished_at = null where mode = 'run'`,
  );
  const under = join(folder, 'under-way.gz');
  await runCommand(backupCommand, [under], workspace.env);
  await rowsOf(
    source,
    `update runs set state = 'finished', outcome = 'done', finished_at = now() where mode = 'run'`,
  );
  workspace.bot = await workspace.startAnother();
  const { lines } = await runCommand(restoreCommand, [under], target);
  expect(lines.at(-1)).toMatch(/^Stopped: 1 runs and \d+ arrivals that were under way\.$/);
  const found = await rowsOf(target.DATABASE_URL, `select cancel_by from runs where mode = 'run'`);
  expect(found).toEqual([{ cancel_by: 'system' }]);
});

test('a restore that cannot succeed prints one line and changes nothing', async () => {
  const used = await runCommand(restoreCommand, [file], workspace.env);
  expect(used).toEqual({
    code: 2,
    lines: [
      expect.stringMatching(
        /^The database is not empty \(it has .*\); restore into a new one: another DATA_DIR/,
      ),
    ],
  });
  const target = await emptyDatabase();
  const text = gunzipSync(await readFile(file)).toString();
  const broken = async (name: string, bytes: Buffer | string): Promise<string> => {
    const place = join(folder, name);
    await writeFile(place, bytes);
    const { code, lines } = await runCommand(restoreCommand, [place], target);
    expect(code).toBe(2);
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  };
  const whole = await readFile(file);
  expect(await broken('cut', whole.subarray(0, whole.length / 2))).toMatch(/not whole, or not compressed/);
  expect(await broken('plain', text)).toMatch(/not whole, or not compressed/);
  expect(await broken('short', gzipSync(text.split('\n').slice(0, 9).join('\n')))).toMatch(
    /its end is missing/,
  );
  expect(await broken('changed', gzipSync(text.replace('"ben"', '"eve"').replace('U0ANA', 'U0EVE')))).toMatch(
    /it was changed after it was made/,
  );
  expect(await broken('other', gzipSync('hello\n'))).toMatch(/it does not begin like one/);
  const lines = text.split('\n');
  const later = text.replace('"001-requests"', '"001-requests","999-later"');
  expect(lines.length).toBeGreaterThan(10);
  const { createHash } = await import('node:crypto');
  const body = `${later.split('\n').slice(0, -2).join('\n')}\n`;
  const trailer = { rows: lines.length - 3, sha256: createHash('sha256').update(body).digest('hex') };
  expect(await broken('newer', gzipSync(`${body}${JSON.stringify(trailer)}\n`))).toMatch(
    /made by a newer Countersign \(it has 999-later\); restore it with that version/,
  );
  expect(await rowsOf(target.DATABASE_URL, `select 1 from pg_class where relname = 'requests'`)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a full disk is reported, and no partial backup is left behind',
  async () => {
    const place = join(folder, 'full.gz');
    await symlink('/dev/full', `${place}.part`);
    expect(await runCommand(backupCommand, [place], workspace.env)).toEqual({
      code: 2,
      lines: [`The disk is full: ${place} was not written. Make room and try again.`],
    });
    await expect(readFile(place)).rejects.toThrow('ENOENT');
    const nowhere = join(folder, 'no', 'such', 'folder.gz');
    const { lines } = await runCommand(backupCommand, [nowhere], workspace.env);
    expect(lines).toEqual([`${nowhere} cannot be written (ENOENT): choose another place.`]);
  },
);

test('requests are exported with their outcome, and old ones are pruned', async () => {
  const { lines } = await runCommand(exportCommand, [], workspace.env);
  const all = lines.map((line) => JSON.parse(line));
  expect(all[0]).toMatchObject({
    goal: 'if OPS has more than 1 open P1 tickets, page ops',
    requester: 'U0BEN',
    revisions: [{ number: 1, state: 'approved', decided_by: 'U0ANA' }],
  });
  expect(all[0].runs.at(-1)).toMatchObject({ mode: 'run', outcome: 'done' });
  expect(all[0].runs.at(-1).steps.at(-1)).toMatchObject({ tool: 'pagerduty.page', status: 'succeeded' });
  expect((await runCommand(exportCommand, ['--since', '2999-01-01'], workspace.env)).lines).toEqual([]);
  await expect(runCommand(exportCommand, ['--since', 'soon'], workspace.env)).rejects.toThrow(
    '“soon” is not a date',
  );

  const source = workspace.env.DATABASE_URL ?? '';
  const older = [
    ['requests', 'id', 'created_at'],
    ['revisions', 'request_id', 'created_at', 'decided_at'],
    ['runs', 'request_id', 'started_at', 'finished_at'],
    ['outbox', 'conversation', 'created_at'],
  ] as const;
  for (const [table, id, ...times] of older) {
    const set = times.map((time) => `${time} = ${time} - interval '40 days'`).join(', ');
    await rowsOf(source, `update ${table} set ${set} where ${id} = $1`, [all[0].request]);
  }
  const pruned = await runCommand(pruneCommand, ['--days', '30'], workspace.env);
  expect(pruned.lines).toEqual(['T0SANDBOX: removed 1 request that had not changed for 30 days']);
  await expect(runCommand(pruneCommand, ['--days', '0'], workspace.env)).rejects.toThrow('1 or more');
  const left = await runCommand(exportCommand, [], workspace.env);
  expect(left.lines).toHaveLength(all.length - 1);
});
