import { z } from 'zod';
import { digestOf } from '../../core/canonical.ts';
import type { JsonObject } from '../../core/json.ts';

/** A server's declaration of one tool, limited to the fields that change what a call means. Icons and the like are dropped. */
export const declaredTool = z.object({
  name: z.string().min(1).max(128),
  description: z.string().max(20_000).optional(),
  inputSchema: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null),
  outputSchema: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null).optional(),
  annotations: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null).optional(),
});
export type DeclaredTool = z.infer<typeof declaredTool>;

/** The hash that pins it: name, description, both schemas and the hints together. */
export function pinDigest(tool: DeclaredTool): string {
  return digestOf(Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== undefined)));
}
