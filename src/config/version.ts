import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** This installation's version, from package.json. */
export function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
