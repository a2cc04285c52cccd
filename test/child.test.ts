import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type ProgramLimits, runProgram } from '../src/child.ts';

afterEach(() => vi.unstubAllEnvs());

const limits: ProgramLimits = { timeoutMs: 20_000, maxOutput: 10_000 };

function script(code: string, env: Record<string, string> = {}, bounds = limits) {
  return runProgram({ command: process.execPath, args: ['-e', code], cwd: '/', env }, bounds);
}

test('a program gets the given variables and none of the bot’s', async () => {
  vi.stubEnv('PAGERDUTY_TOKEN', 'hunter2-hunter2');
  vi.stubEnv('NODE_OPTIONS', '--no-warnings');
  const { output } = await script('console.log(JSON.stringify(process.env))', { LC_ALL: 'C' });
  expect(JSON.parse(output)).toEqual({ LC_ALL: 'C' });
});

test('a program that does not end is killed, with everything it started', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'child-')), 'pid');
  const code = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
    setInterval(() => {}, 1000);`;
  const ended = script(code, {}, { timeoutMs: 1_500, maxOutput: 10 });
  await expect(ended).rejects.toMatchObject({ code: 'program_timeout' });
  const started = Number(readFileSync(file, 'utf8'));
  await expect.poll(() => existsSync(`/proc/${started}/exe`)).toBe(false);
});

test('only the beginning of endless output is kept', async () => {
  const code = `const text = 'x'.repeat(65536); for (let i = 0; i < 400; i += 1) process.stdout.write(text);`;
  const { output, exitCode } = await script(code);
  expect([output.length, exitCode]).toEqual([10_000, 0]);
});

test('a missing program is an error with a code', async () => {
  const missing = runProgram({ command: '/no/such', args: [], cwd: '/', env: {} }, limits);
  await expect(missing).rejects.toMatchObject({ code: 'program_missing' });
});
