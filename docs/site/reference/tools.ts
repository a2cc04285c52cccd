import { z } from 'zod';
import { allManifests } from '../../../manifests/all.ts';
import type { Manifest } from '../../../src/core/manifest.ts';
import { anchorOf } from '../anchor.ts';
import { code, page, table } from './markdown.ts';

/** Every tool that comes with the bot, with what it takes and answers. */
export function toolsPage(): string {
  const summary = allManifests.map(({ name, effect, summary }) => [
    `[${code(name)}](#${anchorOf(name)})`,
    effect,
    summary,
  ]);
  return page(
    'Tools',
    'What a plan may name. A write waits for an approval; a read does not. Tools of MCP servers come beside these ([Tools of MCP servers](../mcp.md)).',
    table(['tool', 'effect', 'what it does'], summary),
    ...allManifests.map(section),
  );
}

/** Added by the operator's file, with the parameters of its queries. */
const vetted = {
  named: z
    .string()
    .describe('a vetted query of `countersign.yml`, by its name; its parameters are arguments as well')
    .optional(),
};

function section(manifest: Manifest): string {
  const example = manifest.asked?.examples?.[0];
  const parts = [
    `## ${manifest.name}`,
    manifest.summary,
    example === undefined ? '' : `Ask: “${example}”.`,
    fields('argument', manifest.queries === undefined ? manifest.args : manifest.args.extend(vetted)),
    fields('result', manifest.result),
    manifest.undo === undefined ? '' : `Taken back: ${manifest.undo}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const described = z.object({
  properties: z
    .record(
      z.string(),
      z.object({ description: z.string().optional(), enum: z.array(z.unknown()).optional() }),
    )
    .default({}),
  required: z.array(z.string()).default([]),
});

function fields(title: string, schema: z.ZodType): string {
  const { properties, required } = described.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  );
  const rows = Object.entries(properties).map(([name, field]) => {
    const choices = field.enum?.map((one) => code(String(one))).join(', ') ?? '';
    const about = [field.description ?? '', choices].filter((part) => part !== '').join(': ');
    return [code(name), required.includes(name) ? 'always' : '', about];
  });
  return rows.length === 0 ? '' : table([title, title === 'argument' ? 'needed' : 'there', 'meaning'], rows);
}
