import { expect, test } from 'vitest';
import { cli } from '../support/cli.ts';

test('help that is asked for is an answer, and a command that does not exist is an error with the same help', async () => {
  const help = await cli(['--help']);
  expect(help).toMatchObject({ code: 0, error: '' });
  expect(help.out).toMatch(/config check[\s\S]*writes stop/);
  expect(await cli(['nosuch'])).toMatchObject({ code: 2, out: '', error: help.out });
});

test('what was mistyped is said in plain words, without the name of a system call', async () => {
  expect(await cli(['check', 'nosuch.json'])).toMatchObject({
    code: 2,
    out: '',
    error: 'nosuch.json does not exist.\n',
  });
  expect((await cli(['config', 'check', 'nosuch/countersign.yml'])).error).toBe(
    'nosuch/countersign.yml does not exist. Copy countersign.example.yml and fill it in.\n',
  );
  expect((await cli(['check', 'README.md'])).out).toMatch(/^Line \d+: /);
  expect((await cli(['config', 'check', 'docs'])).error).toMatch(/^docs is a folder, not a file\. /u);
  const yaml = await cli(['config', 'check', 'README.md']);
  expect(yaml.code).toBe(1);
  expect(yaml.out.trim().split('\n')).toHaveLength(5);
});
