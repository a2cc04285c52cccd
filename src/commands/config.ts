import { parseArgs } from 'node:util';
import { z } from 'zod';
import { allWarnings, checkSettings } from '../app/settings.ts';
import { fileSchema, workspaceSchema } from '../config/workspaces.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { vettedQueries } from './doctor-sources.ts';
import { checkPins } from './mcp.ts';

/**
 * `config check [file]` reports what a start would, by setting and line, and asks MCP servers whether their tools match
 * the pins; with `--online` also databases and log systems whether they would run the vetted queries. `config schema`
 * prints the JSON Schema for editors.
 */
export const configCommand: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean' }, online: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [what, given] = positionals;
  if (what === 'schema') {
    context.out(operatorJsonSchema().trimEnd());
    return 0;
  }
  if (what !== 'check') throw new UsageError();
  const file = given ?? context.variables.COUNTERSIGN_CONFIG ?? 'countersign.yml';
  const lines: string[] = [];
  const out = (line: string) => void lines.push(line);
  const { warnings, isFine } = await check(file, { ...context, out }, values.online === true);
  if (values.json) {
    context.out(JSON.stringify({ file, isFine, said: lines, warnings }));
    return isFine ? 0 : 1;
  }
  for (const warning of warnings) context.out(`Warning: ${warning}`);
  for (const line of lines) context.out(line);
  const verdict = warnings.length === 0 ? 'is fine' : 'works; see the warnings';
  if (isFine) context.out(`${file} ${verdict}; doctor says whether its ids exist`);
  return isFine ? 0 : 1;
};

/** Each problem goes to `out`. */
async function check(
  file: string,
  context: CommandContext,
  online: boolean,
): Promise<{ readonly warnings: readonly string[]; readonly isFine: boolean }> {
  const { settings, errors } = checkSettings({ ...context.variables, COUNTERSIGN_CONFIG: file });
  for (const { message } of errors) context.out(message);
  if (settings === null) return { warnings: [], isFine: false };
  const { env, config } = settings;
  const queries = online ? await vettedQueries(env, config, context.variables) : [];
  for (const { about, level, says } of queries) if (level !== 'ok') context.out(`${about}: ${says}`);
  const isFine = await checkPins(config, context);
  const isRefused = queries.some(({ level }) => level === 'wrong');
  return { warnings: await allWarnings(settings), isFine: isFine && !isRefused };
}

/** JSON Schema of `countersign.yml`; `countersign.schema.json` provides it to editors. */
export function operatorJsonSchema(): string {
  const schema = z.toJSONSchema(fileSchema, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      // A workspace's sections are those of the file; written out, they would be duplicated.
      if (zodSchema !== workspaceSchema) return;
      const sections = Object.keys(workspaceSchema.shape).map((name) => [
        name,
        { $ref: `#/properties/${name}` },
      ]);
      jsonSchema.properties = Object.fromEntries(sections);
    },
  });
  return `${JSON.stringify({ title: 'countersign.yml', ...schema }, null, 2)}\n`;
}
