/** Why: an upgrade happens while plans are pending and runs are under way. Approved runs end, once, and nothing is lost. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noAuditKeys } from '../../../src/audit/key.ts';
import { GENESIS, hashLine } from '../../../src/audit/line.ts';
import type { Json } from '../../../src/core/json.ts';
import { backup } from '../../../src/store/backup.ts';
import { connect } from '../../../src/store/database.ts';
import { migrateTo } from '../../../src/store/migrate.ts';
import { type BotProcess, startHere } from '../../support/bot.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { rowsOf } from '../../support/rows.ts';
import { finish } from '../../support/scenario.ts';
import { type Message, Workspace } from '../../support/workspace.ts';

const log = { info() {}, warn() {}, error() {} };
/** The first schema that a bot could run on; audit keys, the inbox and much else came later. */
const firstSchema = ['001-requests', '002-runs', '003-audit', '004-outbox', '005-switches'];

let workspace: Workspace;
let dies: BotProcess;
let old: FreshDatabase;

beforeAll(async () => {
  const spawned = await Workspace.spawn();
  [workspace, dies] = [spawned, spawned.bot];
  old = await freshDatabase();
});
afterAll(async () => {
  await finish(workspace);
  await old.drop();
});

async function cardFor(goal: string, words: string): Promise<Message> {
  await workspace.plan('ben', goal);
  return workspace.card(words);
}

/** Copies what the first schema can hold, as a bot of that time would have written it. */
async function copyBack(from: string, to: string): Promise<void> {
  const [source, target] = await Promise.all(
    [from, to].map((url) => connect({ url, max: 1, log }, noAuditKeys)),
  );
  if (source === undefined || target === undefined) throw new TypeError('two addresses make two pools');
  try {
    await migrateTo(target, firstSchema);
    const known = new Set(
      (await rowsOf(to, `select relname from pg_class where relkind = 'r'`)).map(({ relname }) => relname),
    );
    // Run modes that did not exist then.
    const isNew = (row: string) => /"(run_id|id)":"(read|dry)-/.test(row);
    await backup(source, { version: '0', now: new Date() }, async (line) => {
      const [table = '', row = ''] = line.split('\t');
      if (!known.has(table) || table === 'audit' || isNew(row)) return;
      const insert = `insert into ${table} overriding system value select * from json_populate_record(null::${table}, $1)`;
      await rowsOf(to, insert, [row]);
    });
  } finally {
    await source.destroy();
    await target.destroy();
  }
}

/** The audit log as it was before it had keys. */
async function copyLogBack(from: string, to: string): Promise<number> {
  let prev = GENESIS;
  const lines = await rowsOf(from, 'select * from audit order by seq');
  for (const line of lines) {
    const text = (name: string) => String(line[name]);
    const at = line.at instanceof Date ? line.at : new Date(0);
    const data: Json = JSON.parse(text('data'));
    const about = { kind: text('kind'), actor: text('actor'), subject: text('subject'), data };
    const fact = { team: text('team_id'), seq: Number(line.seq), at: at.toISOString(), ...about };
    const hash = hashLine(prev, fact) ?? '';
    const insert = `insert into audit (team_id, seq, at, kind, actor, subject, data, prev_hash, hash)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
    const values = [
      fact.team,
      fact.seq,
      at,
      about.kind,
      about.actor,
      about.subject,
      text('data'),
      prev,
      hash,
    ];
    await rowsOf(to, insert, values);
    prev = hash;
  }
  return lines.length;
}

test('from the first schema on, a run under way ends once, and a pending card says what it lacks', async () => {
  const waiting = await cardFor('slack.post channel=general text="The shop is back"', 'The shop is back');
  const goal = 'if OPS has more than 2 open P1 tickets, page ops';
  const underWay = await cardFor(goal, goal);
  const { faults, journal } = workspace.sandbox;
  const filter = { vendor: 'jira', path: '/rest/api/3/search' } as const;
  const before = journal.list(filter).length;
  faults.add({ vendor: 'jira', match: { path: filter.path }, kind: 'hang' });
  await workspace.click('ana', underWay, 'plan.approve');
  await workspace.until(() => journal.list(filter).length > before, 'a read of the approved run');
  await dies.kill();
  faults.clear();

  const source = workspace.env.DATABASE_URL ?? '';
  await copyBack(source, old.url);
  expect(await copyLogBack(source, old.url)).toBeGreaterThan(0);
  const open = await rowsOf(old.url, `select state, count(*)::int as n from runs group by state`);
  expect(open).toEqual([{ state: 'running', n: 1 }]);

  workspace.bot = await startHere(workspace.sandbox, { ...workspace.env, DATABASE_URL: old.url });
  await workspace.reply(underWay, /^Done/);
  expect(workspace.pages().map(({ triggers }) => triggers)).toEqual([1]);
  // The first schema has no reads before a card, so an approval would be without facts.
  await workspace.click('ana', waiting, 'plan.approve');
  await workspace.whisper('ana', /^Not approved\..*has not been read.*Try again/s);
  expect(workspace.messages('general')).toEqual([]);
  expect(await workspace.bot.stop()).toBe(0);
  const unsigned = await rowsOf(
    old.url,
    `select min(seq)::int as first from audit where kind = 'audit.key_changed'`,
  );
  expect(unsigned[0]?.first).toBeGreaterThan(1);
  workspace.bot = await startHere(workspace.sandbox, { ...workspace.env, DATABASE_URL: old.url });
});

test('a migration removes nothing that the previous version still uses', () => {
  const folder = 'src/store/migrations';
  const later = readdirSync(folder).filter((name) => /^\d{3}-/.test(name) && name > '012');
  expect(later.length).toBeGreaterThan(0);
  const takes =
    /\b(drop (table|column|function|trigger)|rename (to|column)|set not null|alter column \w+ type)\b/i;
  expect(later.filter((name) => takes.test(readFileSync(`${folder}/${name}`, 'utf8')))).toEqual([]);
});
