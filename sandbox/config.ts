import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const path = z.string().transform((relative) => fileURLToPath(new URL(relative, import.meta.url)));
const configSchema = z.looseObject({
  runbooks: z.looseObject({ folder: path }),
  errors: z.looseObject({ files: z.array(path) }),
});

/** The workspace's countersign.yml, for a file elsewhere: its relative paths still resolve. */
export function sandboxConfig(): Record<string, unknown> {
  return configSchema.parse(parse(readFileSync(new URL('countersign.yml', import.meta.url), 'utf8')));
}
