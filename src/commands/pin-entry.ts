import { stringify } from 'yaml';
import { oneLine } from '../core/clean-text.ts';
import type { JsonObject } from '../core/json.ts';
import { mapArguments, planName } from '../core/json-schema.ts';
import { isObject, SchemaError } from '../core/json-schema-value.ts';
import { type DeclaredTool, pinDigest } from '../vendors/mcp/declared.ts';

/**
 * Entries for `countersign.yml`, as lines. Everything is a write until the operator says otherwise, and the server's
 * own description goes into comments: it is shown, not believed.
 */
export function pinEntries(server: string, tools: readonly DeclaredTool[]): string[] {
  return [
    'mcp:',
    `  ${server}:`,
    '    tools:',
    ...tools.flatMap((tool) => entryLines(tool).map((line) => `      ${line}`)),
  ];
}

function entryLines(tool: DeclaredTool): string[] {
  const verb = planName(tool.name).replaceAll(/[^a-z_]/g, '');
  const about = sentence(tool);
  try {
    mapArguments(tool.inputSchema, {});
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return [
      `# ${oneLine(tool.name)}: ${error.message}`,
      ...(isRenamable(error) ? [] : ['# it cannot be pinned']),
    ];
  }
  const [order = verb, ...rest] = verb.split('_');
  const nouns = rest.length === 0 ? [] : [rest.join(' ')];
  const entry = {
    ...(verb === tool.name ? {} : { tool: tool.name }),
    sha256: pinDigest(tool),
    effect: 'write',
    about,
    ask: { verbs: [order], nouns, examples: [[order, ...rest].join(' ')] },
    undo: 'The server does not say how this is taken back.',
  };
  const [first = '', ...lines] = stringify({ [verb]: entry }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
  return [
    first,
    ...hints(tool).map((hint) => `  # ${hint}`),
    ...lines,
    `  input: ${inline(tool.inputSchema)}`,
  ];
}

function isRenamable({ facts }: SchemaError): boolean {
  return String(facts.at).startsWith('args.');
}

/** JSON is valid YAML, and stays on one line. Invisible characters are escaped. */
function inline(schema: JsonObject): string {
  const invisible = /[\p{Cf}\p{DI}\u2028\u2029]/gu;
  const spelt = (character: string) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    );
  return JSON.stringify(schema).replaceAll(invisible, (character) => spelt(character).join(''));
}

function sentence({ name, description = '' }: DeclaredTool): string {
  const text = oneLine(description).replaceAll('“', '"').replaceAll('”', '"');
  const first = /^.{1,199}?[.](?= |$)/.exec(text)?.[0] ?? text.slice(0, 199);
  return first === '' ? `Call ${oneLine(name)}.` : first;
}

function hints({ annotations, outputSchema }: DeclaredTool): string[] {
  const said = Object.entries(annotations ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  const fields =
    outputSchema !== undefined && isObject(outputSchema.properties) ? outputSchema.properties : {};
  const names = Object.keys(fields).map(oneLine);
  return [
    ...(said.length === 0 ? [] : [`the server says: ${oneLine(said.join(', '))}`]),
    ...(names.length === 0 ? [] : [`fields of its answer, for results: ${names.join(', ')}`]),
  ];
}
