import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allManifests } from '../../manifests/all.ts';
import { offlinePlanner } from '../app/planner.ts';
import { runProgram } from '../child.ts';
import { buildPolicy } from '../config/build-catalogue.ts';
import { operatorSchema } from '../config/schema.ts';
import { openCatalogue } from '../core/catalogue.ts';
import type { Effect, Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import { type Command, UsageError } from './command.ts';
import { filesFor, type NewTool, newTool, registered } from './tool-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `tool new`: manifest, tool, test and cases of a new tool, registered and passing. Nothing is overwritten. */
export const toolCommand: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { effect: { type: 'string' } },
    allowPositionals: true,
  });
  const [what, name = '', ...rest] = positionals;
  const { effect } = values;
  if (what !== 'new' || rest.length > 0) throw new UsageError();
  if (!isEffect(effect)) throw new UsageError('Say whether it reads or writes.');
  if (!/^[a-z]+\.[a-z]+(_[a-z]+)*$/.test(name)) {
    throw new UsageError('A name looks like deploys.list: a system, a dot, a verb.');
  }
  if (allManifests.some((manifest) => manifest.name === name)) throw new UsageError(`${name} exists.`);
  const tool = newTool(name, effect, new Set(allManifests.map(({ system }) => system)));
  const files = write(tool);
  if (!(await formatted(files))) context.error('The new files could not be formatted: npm run fix');
  if (!(await listed())) context.error('The list of tools could not be made anew: npm run docs:reference');
  for (const file of files) context.out(file);
  const strange = await notUnderstood(tool);
  for (const why of strange) context.error(why);
  if (strange.length > 0) {
    context.error(`Say in manifests/${name}.ts, under asked, how people ask for it instead.`);
    return 1;
  }
  context.out(
    `\n${name} works: npm test -- test/tools test/tools/eval/tools.test.ts. docs/tools.md goes on from here.`,
  );
  return 0;
};

/** Examples that lead to another plan: the words may belong to another tool, or be refused. */
async function notUnderstood({ name, id }: NewTool): Promise<string[]> {
  const module: Record<string, Manifest> = await import(`../../manifests/${name}.ts`);
  const manifest = own(module, id);
  if (manifest === undefined) throw new RangeError(`manifests/${name}.ts has no ${id}`);
  const { planner } = offlinePlanner([]);
  const catalogue = openCatalogue([...allManifests, manifest]);
  const strange: string[] = [];
  for (const goal of manifest.asked?.examples ?? []) {
    const about = { quoted: null, answers: [], change: null, replan: null, now: new Date() };
    const { answer } = await planner.plan({
      goal,
      catalogue,
      policy: buildPolicy(operatorSchema.parse({})),
      ...about,
    });
    const tools = answer.kind === 'plan' ? answer.plan.steps.map(({ tool }) => tool) : [];
    if (tools.includes(name)) continue;
    const why = answer.kind === 'refuse' ? answer.explanation : `it plans ${tools.join(', ') || 'nothing'}`;
    strange.push(`“${goal}” is not understood: ${why}`);
  }
  return strange;
}

function isEffect(effect: string | undefined): effect is Effect {
  return effect === 'read' || effect === 'write';
}

/** Writes new and changed files; resolves with the paths relative to the root. */
function write(tool: NewTool): string[] {
  const fresh = Object.entries(filesFor(tool));
  const taken = fresh.map(([file]) => file).find((file) => existsSync(join(root, file)));
  if (taken !== undefined) throw new UsageError(`${taken} exists.`);
  const changed = registered(tool, (file) => readFileSync(join(root, file), 'utf8'));
  const all = [...fresh, ...Object.entries(changed)];
  for (const [file, text] of all) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return all.map(([file]) => file);
}

/** Sorted imports and our line length, as `npm run fix` would. */
function formatted(files: readonly string[]): Promise<boolean> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const code = files.filter((file) => file.endsWith('.ts'));
  return succeeds([biome, 'check', '--write', ...code]);
}

/** The reference page of all tools, which a test compares with the code. */
function listed(): Promise<boolean> {
  return succeeds(['docs/site/reference/write.ts']);
}

/** Runs one of the project's own scripts. */
async function succeeds(args: readonly string[]): Promise<boolean> {
  const program = { command: process.execPath, args, cwd: root, env: { PATH: '/usr/bin:/bin' } };
  const { exitCode } = await runProgram(program, { timeoutMs: 60_000, maxOutput: 0 });
  return exitCode === 0;
}
