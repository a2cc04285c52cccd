import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

function cli(...args: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli.ts', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '' },
  });
  return { code: status, out: stdout, error: stderr };
}

test('help that is asked for is an answer, and a command that does not exist is an error with the same help', () => {
  const help = cli('--help');
  expect(help).toMatchObject({ code: 0, error: '' });
  expect(help.out).toMatch(/config check[\s\S]*writes stop/);
  expect(cli('nosuch')).toEqual({ code: 2, out: '', error: help.out });
});

test('what was mistyped is said in plain words, without the name of a system call', () => {
  expect(cli('check', 'nosuch.json')).toEqual({
    code: 2,
    out: '',
    error: 'nosuch.json does not exist.\n',
  });
  expect(cli('config', 'check', 'nosuch/countersign.yml').error).toBe(
    'nosuch/countersign.yml does not exist. Copy countersign.example.yml and fill it in.\n',
  );
  expect(cli('check', 'README.md').out).toMatch(/^Line \d+: /);
  expect(cli('config', 'check', 'docs').error).toBe('That is a folder, not a file.\n');
  const yaml = cli('config', 'check', 'README.md');
  expect(yaml.code).toBe(1);
  expect(yaml.out.trim().split('\n')).toHaveLength(5);
});
