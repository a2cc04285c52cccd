/** Why: each example of the page about actions is pasted as it is, so it passes `config check`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { actionsSchema, secretsOf } from '../../src/core/actions.ts';
import { cli } from '../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-actions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const page = readFileSync('docs/actions.md', 'utf8');
const examples = [...page.matchAll(/```yaml\n(actions:[\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
const slack = { SLACK_BOT_TOKEN: 'xoxb-1-2-abc', SLACK_APP_TOKEN: 'xapp-1-A1-2-abc' };

test('there are four, of the systems that people ask for first', () => {
  expect(examples).toHaveLength(4);
  for (const name of ['api.github.com', 'argocd', 'jenkins', 'unleash'])
    expect(examples.filter((one) => one.includes(name))).toHaveLength(1);
});

test.each(examples.map((yaml, index) => [index + 1, yaml] as const))(
  'example %i passes the check',
  async (_nth, yaml) => {
    const actions = actionsSchema.parse(parse(yaml).actions);
    const secrets = Object.values(actions).flatMap(secretsOf);
    const file = join(folder, 'countersign.yml');
    writeFileSync(file, `rules: [{ approvers: [U0ANA] }]\n${yaml}`);
    const env = { ...slack, ...Object.fromEntries(secrets.map((name) => [name, 'a-secret-value'])) };
    const fine = await cli(['config', 'check', file], { env });
    expect(fine.text).toContain('is fine');
    expect(fine.code).toBe(0);
    const { code, text } = await cli(['config', 'check', file], { env: slack });
    expect(code).toBe(1);
    expect(text).toContain(`needs ${secrets[0]} in the environment`);
  },
);

test.each([
  [
    'a host that is not listed',
    'hosts: [api.github.com]',
    'hosts: [evil.example]',
    /api\.github\.com, which is not under hosts/,
  ],
  [
    'plain http',
    'https://api.github.com/repos/acme/shop/actions/workflows/rollback.yml/dispatches',
    'http://api.github.com/',
    /https/,
  ],
  [
    'a host out of a parameter',
    'https://api.github.com/repos',
    'https://{service}.github.com/repos',
    /must name its host/,
  ],
  [
    'a name that is no parameter',
    'version: "{version}"',
    'version: "{verion}"',
    /names \{verion\}, which is no parameter/,
  ],
  [
    'a write without a way back',
    '    undo: The version before can be deployed again by the same workflow.\n',
    '',
    /undo: is missing/,
  ],
  ['a check with a mistake', 'after.total * 6', 'after.totl * 6', /verify\.plan: .*totl/],
  [
    'a check that writes',
    'before = logs',
    'told = slack.post channel=#ops text=x\n        before = logs',
    /may only read/,
  ],
  ['a tool of another system', 'deploys.rollback:', 'jira.rollback:', /has tools of its own/],
])('is refused with %s', async (_name, from, to, says) => {
  const file = join(folder, 'countersign.yml');
  writeFileSync(file, `rules: [{ approvers: [U0ANA] }]\n${(examples[0] ?? '').replace(from, to)}`);
  const { code, text } = await cli(['config', 'check', file], {
    env: { ...slack, GITHUB_TOKEN: 'a-secret-value' },
  });
  expect(text).toMatch(says);
  expect(code).toBe(1);
});
