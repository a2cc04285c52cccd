/** Why: an operator sees what new rules would have changed before anybody meets them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { approvedRun, planOf, slaPlan } from '../support/runs.ts';
import { configWith } from '../support/scenario.ts';
import { openTestStore } from '../support/store.ts';

const store = openTestStore();
const folder = mkdtempSync(join(tmpdir(), 'countersign-policy-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `policy test` with these rules in the file. */
async function tested(changes: Parameters<typeof configWith>[0], ...args: string[]) {
  const file = join(folder, 'countersign.yml');
  writeFileSync(file, configWith(changes));
  const env = { DATABASE_URL: store.url(), COUNTERSIGN_CONFIG: file };
  return cli(['policy', 'test', '--since', '2026-01-01', ...args], { env });
}

beforeAll(async () => {
  await approvedRun(store.db(), 'sla', slaPlan());
  const count = { id: 'count', tool: 'jira.count', why: 'x', args: { project: 'OPS', priority: 'P1' } };
  await approvedRun(store.db(), 'answer', planOf([count], { summary: 'Count open tickets' }));
  await sql`delete from grants where request_id = 'answer'`.execute(store.db());
  await sql`update revisions set state = 'answered' where request_id = 'answer'`.execute(store.db());
});

test('nothing would change where the people who approved still may', async () => {
  const { code, text } = await tested({ rules: [{ approvers: ['U0CHIARA'] }] });
  expect([code, text.trim()]).toEqual([0, '2 decisions since 2026-01-01: 0 would change']);
});

test('names the plans that rules would now refuse, and why', async () => {
  const rules = [{ name: 'quiet', services: ['ops'], deny: 'Call them.' }, { approvers: ['U0CHIARA'] }];
  const { code, text } = await tested({ rules });
  expect(code).toBe(1);
  expect(text).toMatch(/1 would be refused\n\n[0-9a-f]{4} [0-9a-f]{4} {2}2026-03-02T12:02 {2}Check and page/);
  expect(text).toContain('approved by U0CHIARA; refused: Call them. (rule “quiet”)');
});

test('names the plans that would now need other or more people', async () => {
  const other = await tested({ rules: [{ name: 'pages', approvers: ['U0ANA', 'U0EVA'] }] });
  expect(other.text).toMatch(/1 would need other approvers[\s\S]*now approved by .*U0ANA.*U0EVA.*“pages”/);
  const more = await tested({ rules: [{ approvers: ['U0CHIARA', 'U0EVA'], needed: 2 }] });
  expect(more.text).toMatch(/now approved by 2 of/);
});

test('an editor who approved would not be enough under four eyes', async () => {
  const approvedBy = (id: string) => sql`update approvals set approver = ${id}`.execute(store.db());
  await approvedBy('U0BEN');
  const rule = { approvers: ['U0BEN'] };
  const { text } = await tested({ rules: [{ ...rule, four_eyes: true }] });
  expect(text).toMatch(/1 would need other approvers[\s\S]*not who asked or edited/);
  expect((await tested({ rules: [{ ...rule, four_eyes: false }] })).code).toBe(0);
  await approvedBy('U0CHIARA');
});

test('does not guess who was in a group or on call', async () => {
  const { code, text } = await tested({ rules: [{ approvers: ['oncall', 'S0LEADS'] }] });
  expect([code, text]).toEqual([0, expect.stringContaining('1 cannot be told')]);
});

test('a plan that was answered at once needs an approval if reads ask, as --json says', async () => {
  const { code, out } = await tested(
    { rules: [{ approvers: ['U0CHIARA'] }], approval: { reads: 'ask' } },
    '--json',
  );
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    ...{ decisions: 2, stands: 1, unsure: 0 },
    changed: [{ request: 'answer', change: 'needs_approval', by: [] }],
  });
});

test('a plan that the review would no longer pass counts as refused', async () => {
  const { text } = await tested({ rules: [{ approvers: ['U0CHIARA'] }], caps: { writes: 0 } });
  expect(text).toMatch(/1 would be refused[\s\S]*writes/);
});
