import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boot } from '../../src/app/boot.ts';
import { configCommand } from '../../src/commands/config.ts';
import { runCommand } from '../support/command.ts';

const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
const rules = 'rules: [{ approvers: [U0ANA] }]\n';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-config-'));
  file = join(folder, 'countersign.yml');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function alerted(how: string): string {
  return `${rules}channels: { ops: { id: C0OPS } }\nalerts:\n  rules:\n    - { name: shop, channel: ops, ${how} }\n`;
}

/** The output of `config check` for a file and an environment. */
async function checked(text: string, env: Readonly<Record<string, string>> = {}) {
  await writeFile(file, text);
  return runCommand(configCommand, ['check'], { ...slack, COUNTERSIGN_CONFIG: file, ...env });
}

/** The error of a start with the same file. */
async function failedStart(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const variables = { ...slack, COUNTERSIGN_CONFIG: file, LOG_LEVEL: 'silent', ...env };
  return boot(variables, { onLost: () => undefined }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
}

test.each([
  ['an empty file', '', /countersign\.yml:1 is empty: copy countersign\.example\.yml/],
  ['a file of comments', '# later\n', /countersign\.yml:1 is empty/],
  [
    'no folder of runbooks',
    `${rules}runbooks:\n  folder: books\n`,
    /:3 runbooks\.folder: books is not a folder/,
  ],
  ['no file of errors', `${rules}errors: { files: [a.yml] }\n`, /:2 errors\.files\.0: a\.yml is not a file/],
  ['a playbook that is not there', scheduled('playbook: nothing'), /schedules\.0\.playbook: is not a known/],
  [
    'a playbook that writes, for the reads of an alert',
    alerted('reads: { playbook: escalation }'),
    /:\d+ alerts\.rules\.0\.reads\.playbook: writes \(pagerduty\.page\), so it can only be proposed/,
  ],
  [
    'an input that the playbook for an alert does not have',
    alerted('propose: [{ playbook: escalation, inputs: { ticket: WEB-1 } }]'),
    /propose\.0\.inputs\.ticket: is no input of it; there are key, service/,
  ],
])('%s is refused by line, in the same words as by a start', async (_what, text, says) => {
  const { code, lines } = await checked(text);
  expect(lines.join('\n')).toMatch(says);
  expect(code).toBe(1);
  expect(await failedStart()).toBe(lines.join('\n'));
});

test('problems in the environment and in the file are reported together, by both', async () => {
  const wrong = { SLACK_APP_TOKEN: '', TOKEN_KEY: 'k'.repeat(32), COUNTERSIGN_ROLE: 'front' };
  const { code, lines } = await checked('caps: { steps: many }\n', wrong);
  const said = lines.join('\n');
  expect(said).toMatch(/SLACK_APP_TOKEN \(Socket Mode\)[\s\S]*countersign\.yml:1 caps\.steps/);
  expect(code).toBe(1);
  expect(await failedStart(wrong)).toBe(said);
});

test('runbooks are found relative to the file', async () => {
  await mkdir(join(folder, 'runbooks'));
  const { code, lines } = await checked(`${rules}runbooks: { folder: runbooks }\n`);
  expect({ code, last: lines.at(-1) }).toEqual({
    code: 0,
    last: `${file} is fine; doctor says whether its ids exist`,
  });
});

test("missing rules, and a schedule's goal that cannot be planned, are warnings", async () => {
  const bare = await checked('channels: { ops: { id: C0OPS } }\n', { JIRA_HOTS: 'x' });
  expect(bare).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([expect.stringContaining('works; see the warnings')]),
  });
  expect(bare.lines.join('\n')).toMatch(/^Warning: JIRA_HOTS is no setting.*JIRA_HOST\?/m);
  expect(bare.lines.join('\n')).toMatch(
    /^Warning: \S+:1 rules: there are none, so nobody can approve a write$/m,
  );
  const said = async (goal: string, env = {}) =>
    (await checked(scheduled(`goal: ${JSON.stringify(goal)}`), env)).lines.join('\n');
  expect(await said('water the plants')).toMatch(/^Warning: \S+:8 schedules\.0\.goal: cannot be planned/m);
  expect(await said('how many open P1 tickets in OPS')).toMatch(/cannot be planned: .*JIRA_HOST/);
  expect(await said('who is on call for ops')).toMatch(/cannot be planned: .*PAGERDUTY_API_TOKEN/);
  for (const fine of ['handover 12h', 'slack.post channel=#ops text="Stand-up"'])
    expect(await said(fine), fine).toContain('is fine');
  const model = { PLANNER_MODEL: 'm', OPENAI_API_KEY: 'k' };
  expect(await said('water the plants', model)).toContain('is fine');
});

test('a rule by which nobody can ever approve is a warning', async () => {
  const { lines } = await checked(
    'rules: [{ tools: [slack.post], approvers: [] }, { approvers: [U0ANA] }]\n',
  );
  expect(lines.filter((one) => one.startsWith('Warning'))).toEqual([
    expect.stringMatching(/:1 rules\.0\.approvers: is empty, so nobody can ever approve this/),
  ]);
});

test('each workspace has its own warnings', async () => {
  const several = { SLACK_BOT_TOKEN: '', TOKEN_KEY: 'k'.repeat(32), SLACK_CLIENT_ID: '1.2', PORT: '0' };
  const env = { ...several, SLACK_CLIENT_SECRET: 'secret' };
  const text = `workspaces:\n  T0A:\n    ${rules}  T0B:\n    channels: { ops: { id: C0OPS } }\n`;
  const { lines } = await checked(text, env);
  expect(lines.filter((line) => line.startsWith('Warning'))).toEqual([
    expect.stringMatching(/:5 workspaces\.T0B\.rules: there are none/),
  ]);
});

function scheduled(what: string): string {
  return `${rules}channels: { ops: { id: C0OPS } }\nservices:\n  ops: { pagerduty: P1OPS, routing_key: KEY }\nprojects:\n  OPS: {}\nschedules:\n  - { name: daily, cron: "0 8 * * *", channel: ops, ${what} }\n`;
}

test('with --json the result is one object', async () => {
  await writeFile(file, 'rules: [{ approvers: [nobody] }]\n');
  const { code, lines } = await runCommand(configCommand, ['check', file, '--json'], slack);
  expect(code).toBe(1);
  expect(JSON.parse(lines.join('\n'))).toMatchObject({
    isFine: false,
    said: [expect.stringContaining('rules.0.approvers.0')],
  });
});

test('more checks of watches than a process can make are a warning', async () => {
  const said = async (limits: string) => (await checked(`${rules}watches: ${limits}\n`)).lines.join('\n');
  expect(await said('{ in_all: 2000, min_minutes: 5 }')).toContain('is fine');
  expect(await said('{ in_all: 2000, min_minutes: 1 }')).toMatch(
    /^Warning: \S+:2 watches\.in_all: allows 2000 checks a minute with min_minutes; a process makes 480/m,
  );
});
