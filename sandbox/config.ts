import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const path = z.string().transform((relative) => fileURLToPath(new URL(relative, import.meta.url)));
const configSchema = z.looseObject({
  runbooks: z.looseObject({ folder: path }),
  errors: z.looseObject({ files: z.array(path) }),
});

const read = (file: string): unknown => parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** The workspace's countersign.yml, for a file elsewhere: its relative paths still resolve. */
export function sandboxConfig(): Record<string, unknown> {
  return configSchema.parse(read('countersign.yml'));
}

/** The demo's settings: the workspace's, with the door for alerts. */
export function demoConfig(): string {
  return stringify({ ...sandboxConfig(), ...z.looseObject({}).parse(read('alerts.yml')) });
}
