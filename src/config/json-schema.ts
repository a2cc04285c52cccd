import { z } from 'zod';
import { fileSchema } from './workspaces.ts';

/** JSON Schema of `countersign.yml`, as `countersign.schema.json` carries it for editors. */
export function operatorJsonSchema(): string {
  const schema = { title: 'countersign.yml', ...z.toJSONSchema(fileSchema, { io: 'input' }) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
