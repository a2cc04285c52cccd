import { existsSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/commands/all.ts';
import { version } from '../../src/config/version.ts';
import { cli, cliProcess } from '../support/cli.ts';

test('requested help is output, and a missing command is an error with the same help', async () => {
  const help = await cliProcess(['--help']);
  expect(help).toMatchObject({ code: 0, error: '' });
  expect(help.out).toMatch(/config check[\s\S]*writes stop/);
  expect(await cliProcess([])).toMatchObject({ code: 2, out: '', error: help.out });
  expect(await cli(['--help'])).toEqual(help);
});

test('a mistake is explained in plain words, without the name of a system call', async () => {
  expect(await cli(['check', 'nosuch.json'])).toMatchObject({
    code: 2,
    out: '',
    error: 'nosuch.json does not exist.\n',
  });
  const env = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
  expect(await cli(['config', 'check', 'nosuch/countersign.yml'], { env })).toMatchObject({
    code: 1,
    out: 'COUNTERSIGN_CONFIG: nosuch/countersign.yml cannot be read. Copy countersign.example.yml and fill it in.\n',
  });
  expect((await cli(['check', 'README.md'])).out).toMatch(/^Line \d+: /);
  expect((await cli(['config', 'check', 'docs'], { env })).out).toContain('docs is a folder, not a file. ');
  const yaml = await cli(['config', 'check', 'README.md'], { env });
  expect(yaml.code).toBe(1);
  expect(yaml.out.match(/^ {2}- README\.md:\d+ /gm)).toHaveLength(5);
});

test('every command prints its usage when asked, and does nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cli-'));
  const env = { DATA_DIR: folder };
  const asked = await Promise.all(Object.keys(commands).map((name) => cli([name, '--help'], { env })));
  for (const [index, [name, { ways }]] of Object.entries(commands).entries()) {
    expect(asked[index], name).toMatchObject({ code: 0, error: '' });
    for (const typed of Object.keys(ways)) expect(asked[index]?.out).toContain(`  ${typed}`);
  }
  expect((await cli(['audit', 'verify', '-h'], { env })).out).toBe((await cli(['audit', '--help'])).out);
  expect(await readdir(folder)).toEqual([]);
  expect(existsSync('--help')).toBe(false);
  expect((await cli(['--version'])).out).toBe(`${version()}\n`);
});

test('an unknown word is named, with the most likely one', async () => {
  for (const [typed, says] of [
    [['doctr'], 'There is no command “doctr”. Do you mean “doctor”?'],
    [['zzz'], 'There is no command “zzz”.'],
    [['config', 'chek'], '“config” has no “chek”. Do you mean “check”?'],
    [['learn', 'aply', '1'], '“learn” has no “aply”. Do you mean “apply”?'],
    [['plan', '--jsn', 'page ops'], '“plan” has no “--jsn”. Do you mean “--json”?'],
    [['backup', '--now'], '“backup” has no “--now”.'],
    [['doctor', '-v'], '“doctor” has no “-v”.'],
  ] as const) {
    const said = await cli(typed);
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.error.split('\n')[0]).toBe(says);
  }
  expect((await cli(['plan', '--jsn', 'page ops'])).error).toContain(
    'usage: npm run -s cli -- plan [--json]',
  );
  expect((await cli(['plan', '--', '--jsn'])).error).not.toContain('has no');
});

test('a planned request is shown with the question and its likely answers', async () => {
  const env = { COUNTERSIGN_CONFIG: 'sandbox/countersign.yml' };
  const { out } = await cli(['plan', 'undo last deploy of checkout'], { env });
  expect(out).toMatch(/^question: .*“last”.*\n- Roll back checkout\n$/);
});
