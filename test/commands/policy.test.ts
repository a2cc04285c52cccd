import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { policyCommand } from '../../src/commands/policy.ts';
import { configWith } from '../support/scenario.ts';

let folder: string;
const rules = [
  {
    name: 'payments',
    tools: ['pagerduty.page'],
    services: ['payments-api'],
    approvers: ['oncall'],
    needed: 2,
  },
  { name: 'quiet', channels: ['general'], deny: 'the company channel is for people' },
];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-policy-'));
  await writeFile(path.join(folder, 'countersign.yml'), configWith({ rules }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function explain(plan?: string): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const out = (line: string) => void said.push(line);
  const file = path.join(folder, 'plan.txt');
  if (plan !== undefined) await writeFile(file, plan);
  const variables = { COUNTERSIGN_CONFIG: path.join(folder, 'countersign.yml') };
  const code = await policyCommand(['explain', ...(plan === undefined ? [] : [file])], {
    variables,
    out,
    error: out,
  });
  return { code, said: said.join('\n') };
}

test('it names the rule, the reason and the approvers for each write of a plan', async () => {
  const { code, said } = await explain(
    [
      'count = jira.count project=OPS',
      'when count.total > 3: pagerduty.page service=payments-api text="x"',
      'slack.post channel=#general text="y"',
      'slack.post channel=#ops text="z"',
    ].join('\n'),
  );
  expect(code).toBe(0);
  expect(said.split('\n')).toHaveLength(3);
  expect(said).toMatch(
    /the rule “payments” fits: this kind of write, service payments-api\. Approvers: 2 of whoever is on call for payments-api/,
  );
  expect(said).toMatch(/the rule “quiet” fits: channel general\. Nobody may approve it: the company channel/);
  expect(said).toMatch(
    /Post to #[^”]*”.*no rule fits it, so nobody may approve it\. Rules: “payments”, “quiet”\./,
  );
});

test('it says that a read-only plan needs nobody, and without a plan lists all rules, denials first', async () => {
  expect((await explain('jira.count project=OPS')).said).toContain('any full member may run it');
  expect((await explain()).said).toMatch(/^quiet: .*\npayments: /);
  expect((await explain('jira.explode project=OPS')).code).toBe(1);
});
