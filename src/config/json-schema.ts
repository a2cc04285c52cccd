import { z } from 'zod';
import { fileSchema, workspaceSchema } from './workspaces.ts';

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
