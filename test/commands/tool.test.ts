import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolCommand } from '../../src/commands/tool.ts';
import { cli } from '../support/cli.ts';
import { readRecipe } from '../support/recipe.ts';

/** The files of a new tool, and those it changes. */
const touched = [
  'manifests',
  'tools',
  'test/tools/deploys.*',
  'src/core/manifest.ts',
  'src/config/build-catalogue.ts',
];

/** Everything that making them wrote or changed. */
const written = [
  ...['manifests/deploys.list.ts', 'manifests/deploys.freeze.ts', 'manifests/all.ts'],
  ...['tools/read/deploys.list.ts', 'tools/write/deploys.freeze.ts', 'tools/all.ts'],
  ...['test/tools/deploys.list.test.ts', 'test/tools/deploys.freeze.test.ts', 'src/core/manifest.ts'],
  'src/config/build-catalogue.ts',
];

/** A copy of the project, in which tools are made as docs/tools.md and the recipe say. */
const copy = mkdtempSync(join(tmpdir(), 'countersign-tool-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const parts = ['src', 'tools', 'manifests', 'sandbox', 'test', 'playbooks', 'docs/reference'];
const machinery = ['docs/site/reference', 'docs/site/anchor.ts'];
const files = ['package.json', 'tsconfig.json', 'biome.json', 'slack-manifest.yml', '.gitignore'];

// The copy has other paths in every run, so what is compiled of it goes with it.
const env = { ...process.env, NODE_COMPILE_CACHE: join(copy, 'compiled') };

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env });
  return { code: status, text: `${stdout}${stderr}` };
}

const cliThere = (...args: string[]) => run(process.execPath, 'src/cli.ts', ...args);
/** Everything that the recipe tells its reader to type, in the order of the page. */
const recipe = readRecipe('own-tool');
const results: { code: number | null; text: string }[] = [];

beforeAll(() => {
  for (const part of [...parts, ...machinery, ...files]) cpSync(part, join(copy, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  // A tool's tests need no database, and load shared modules once, like all tests of the project.
  const settings = {
    ...{ include: ['test/**/*.test.ts'], pool: 'forks', isolate: false, maxWorkers: 1 },
    experimental: { viteModuleRunner: false, nodeLoader: false },
  };
  const config = `export default { test: ${JSON.stringify(settings)} };\n`;
  writeFileSync(join(copy, 'vitest.config.ts'), config);
  const types = {
    extends: './tsconfig.json',
    include: [...touched, 'src/vendors/*/port.ts'],
  };
  writeFileSync(join(copy, 'tsconfig.tools.json'), JSON.stringify(types));
  for (const command of recipe.commands) {
    if (command[0] === 'check') writeFileSync(join(copy, command[1] ?? ''), recipe.plans[0] ?? '');
    results.push(cliThere(...command));
  }
});

test('a tool made as in the recipe is found by words and checked as notation', () => {
  const expected = [
    /manifests\/deploys\.list\.ts/,
    /^deploys\.list service=ops/m,
    /^ok/,
    /tools\/write\/deploys\.freeze\.ts/,
  ];
  const every = expected.map((words) => ({ code: 0, text: expect.stringMatching(words) }));
  expect(results).toEqual(every);
});

test('the read and write tools of docs/tools.md are made, registered, and pass the type check', () => {
  const page = readFileSync('docs/tools.md', 'utf8').matchAll(/^npm run -s cli -- (tool new .*)$/gm);
  const commands = Array.from(page, ([, command = '']) => command.split(' '));
  expect(commands).toEqual([
    ['tool', 'new', 'deploys.list', '--effect', 'read'],
    ['tool', 'new', 'deploys.freeze', '--effect', 'write'],
  ]);
  expect(recipe.commands.filter(([word]) => word === 'tool')).toEqual(commands);
  expect(readFileSync(join(copy, 'docs/reference/tools.md'), 'utf8')).toContain('## deploys.freeze');
  const registered = readFileSync(join(copy, 'tools/all.ts'), 'utf8');
  expect(registered).toMatch(/reads = \[[^\]]*deploysList,/);
  expect(registered).toMatch(/writes = \[[^\]]*deploysFreeze,/);
  // Several threads would each read the same types, for three times the processor time.
  const checked = run('node_modules/.bin/tsc', '--project', 'tsconfig.tools.json', '--singleThreaded');
  expect(checked).toEqual({ code: 0, text: '' });
});

test("their files follow the project's style", () => {
  const style = run('node_modules/.bin/biome', 'check', ...written);
  expect(style.text).not.toContain('×');
  expect(style.code).toBe(0);
});

test('their tests pass at once, with the contract of every tool and the cases of how people ask', () => {
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/tools/contract.test.ts',
    'test/tools/eval/tools.test.ts',
  ];
  const own = ['test/tools/deploys.list.test.ts', 'test/tools/deploys.freeze.test.ts'];
  const { code, text } = run(process.execPath, ...vitest, ...own);
  expect(text).toMatch(/4 passed/);
  expect(code).toBe(0);
});

test('an existing tool is not overwritten, and an invalid name or effect is refused', async () => {
  const again = await cli(['tool', 'new', 'jira.search', '--effect', 'read']);
  expect(again).toMatchObject({ code: 2, text: expect.stringContaining('jira.search exists') });
  for (const [args, words] of [
    [['new', 'Deploys', '--effect', 'read'], /A name looks like deploys\.list/],
    [['new', '../../etc.x', '--effect', 'read'], /A name looks like/],
    [['new', 'deploys.show'], /whether it reads or writes/],
    [['new', 'deploys.show', '--effect', 'both'], /whether it reads or writes/],
    [['old', 'deploys.show', '--effect', 'read'], /^$/],
  ] as const) {
    const silent = { variables: {}, out: () => undefined, error: () => undefined };
    await expect(toolCommand(args, silent), args.join(' ')).rejects.toThrowError(words);
  }
});

test('words that already mean another tool are reported when a tool is made', () => {
  const made = cliThere('tool', 'new', 'incidents.list', '--effect', 'read');
  expect(made.code).toBe(1);
  expect(made.text).toMatch(
    /“list incidents of ops” is not understood: it plans pagerduty\.incidents[\s\S]*manifests\/incidents\.list\.ts/,
  );
});
