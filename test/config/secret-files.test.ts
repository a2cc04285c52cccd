import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv } from '../../src/config/env.ts';
import { withSecretFiles } from '../../src/config/secret-files.ts';
import { cliProcess } from '../support/cli.ts';

const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'secrets-'));

function secretFile(text: string): string {
  const file = join(temporaryFolder(), 'secret');
  writeFileSync(file, text);
  return file;
}

test('NAME_FILE gives a secret, without the line break at its end', () => {
  const env = readEnv(
    withSecretFiles({ ...slack, SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: secretFile('xoxb-from-file\n') }),
  );
  expect(env.SLACK_BOT_TOKEN).toBe('xoxb-from-file');
});

test('variables that only the operator names may come from files as well', () => {
  expect(withSecretFiles({ PD_KEY_OPS_FILE: secretFile('k'.repeat(32)) })).toEqual({
    PD_KEY_OPS: 'k'.repeat(32),
  });
});

test.each([
  [
    'a missing file',
    () => '/nowhere/at/all',
    /SLACK_APP_TOKEN_FILE names something that cannot be read \(ENOENT\)/,
  ],
  ['a folder', () => temporaryFolder(), /SLACK_APP_TOKEN_FILE names something that is not a file/],
  ['an empty file', () => secretFile('\n'), /SLACK_APP_TOKEN_FILE names something that is empty/],
  ['a file too large for a secret', () => secretFile('x'.repeat(20_000)), /too large for a secret/],
])('%s stops the start and is named', (_kind, path, message) => {
  const given = withSecretFiles({ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN_FILE: path() });
  expect(() => readEnv(given)).toThrowError(message);
});

test('a secret set twice stops the start', () => {
  const given = withSecretFiles({ ...slack, SLACK_APP_TOKEN_FILE: secretFile('xapp-2') });
  expect(() => readEnv(given)).toThrowError(/SLACK_APP_TOKEN and SLACK_APP_TOKEN_FILE must not both be set/);
});

test('a value from a file is checked like any other, and never shown', () => {
  const given = withSecretFiles({
    ...slack,
    SLACK_BOT_TOKEN: '',
    SLACK_BOT_TOKEN_FILE: secretFile('hunter2'),
  });
  expect(() => readEnv(given)).toThrowError(/SLACK_BOT_TOKEN must start with xoxb-/);
  expect(() => readEnv(given)).toThrowError(expect.not.objectContaining({ message: /hunter2/ }));
});

test("config check reads the keys of services from files, and says which file it can't read", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys/ops'), `${'k'.repeat(32)}\n`);
  const service = (name: string, id: string) =>
    `  ${name}:\n    pagerduty: ${id}\n    routing_key: PD_${name.toUpperCase()}\n`;
  writeFileSync(
    join(folder, 'countersign.yml'),
    `services:\n${service('ops', 'PAAAAA1')}${service('web', 'PAAAAA2')}`,
  );
  const env = {
    ...slack,
    ...{ PAGERDUTY_API_TOKEN: 't', PAGERDUTY_FROM_EMAIL: 'bot@example.com' },
    PD_OPS_FILE: join(folder, 'keys/ops'),
    PD_WEB_FILE: join(folder, 'keys/web'),
    COUNTERSIGN_CONFIG: join(folder, 'countersign.yml'),
  };
  const { code, text } = await cliProcess(['config', 'check'], { env });
  expect(text).toContain(
    'needs PD_WEB in the environment: PD_WEB_FILE names something that cannot be read (ENOENT)',
  );
  expect(text).not.toContain('PD_OPS');
  expect(code).not.toBe(0);
});
