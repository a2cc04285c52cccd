import { z } from 'zod';
import { allWarnings, checkSettings } from '../app/settings.ts';
import { fileSchema, workspaceSchema } from '../config/workspaces.ts';
import { type Command, UsageError } from './command.ts';
import { checkPins } from './mcp.ts';

/**
 * `config check [file]` reports what a start would, by setting and line, and asks MCP servers whether their tools match
 * the pins; `config schema` prints the JSON Schema for editors.
 */
export const configCommand: Command = async ([what, given], context) => {
  if (what === 'schema') {
    context.out(operatorJsonSchema().trimEnd());
    return 0;
  }
  if (what !== 'check') throw new UsageError();
  const file = given ?? context.variables.COUNTERSIGN_CONFIG ?? 'countersign.yml';
  const { settings, errors } = checkSettings({ ...context.variables, COUNTERSIGN_CONFIG: file });
  for (const { message } of errors) context.out(message);
  if (settings === null) return 1;
  const warnings = await allWarnings(settings);
  for (const warning of warnings) context.out(`Warning: ${warning}`);
  const pins = await checkPins(settings.config, context);
  if (pins) context.out(warnings.length === 0 ? `${file} is fine` : `${file} works; see the warnings`);
  return pins ? 0 : 1;
};

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
