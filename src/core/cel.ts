import type { ASTNode, ObjectSchema } from '@marcbachmann/cel-js';
import { z } from 'zod';
import { fieldInfo, unwrap } from './fields.ts';
import type { Json, JsonObject } from './json.ts';
import type { Manifest } from './manifest.ts';
import { own } from './own-property.ts';

/** Results of steps in CEL: their names, types and values. */

/** The CEL type of a result field; null for fields a condition may not read (free text, lists of records). */
export function celType(schema: z.core.$ZodType): string | null {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) {
    const item = celType(inner.element);
    return item === null ? null : `list<${item}>`;
  }
  if (fieldInfo(schema).kind === 'text') return null;
  if (inner instanceof z.ZodNumber) return inner.isInt ? 'int' : 'double';
  if (inner instanceof z.ZodBoolean) return 'bool';
  if (inner instanceof z.ZodString || inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral)
    return 'string';
  return null;
}

/** The fields of a result that a condition may read, with their types. */
export function fieldsFor(manifest: Manifest): ObjectSchema {
  const fields: ObjectSchema = {};
  for (const [name, schema] of Object.entries(manifest.result.shape)) {
    const type = celType(schema);
    if (type !== null) fields[name] = type;
  }
  return fields;
}

/** CEL integers are 64-bit: numbers of fields declared int become BigInt. */
function celValue(schema: z.core.$ZodType, value: Json): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber && inner.isInt && typeof value === 'number') return BigInt(value);
  const isList = inner instanceof z.ZodArray && Array.isArray(value);
  return isList ? value.map((v) => celValue(inner.element, v)) : value;
}

/** A result as CEL reads it. */
export function celContext(manifest: Manifest, result: JsonObject): Record<string, unknown> {
  const context: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(manifest.result.shape)) {
    const value = own(result, name);
    if (value !== undefined && celType(schema) !== null) context[name] = celValue(schema, value);
  }
  return context;
}

/** Words of CEL itself, which name no variable; a step may be called so nevertheless, as `list` often is. */
const celNames = new Set(
  (
    'list map int uint double string bool bytes type null_type optional google as break const continue else for ' +
    'function if import let loop package namespace return var void while prototype'
  ).split(' '),
);

/** The name of a step's result in CEL. Ids of steps have no capitals, so it is nobody else's. */
export function celName(id: string): string {
  return celNames.has(id) ? id.toUpperCase() : id;
}

/** The parsed condition with the names of the steps. */
export function withStepNames<N>(node: N): N {
  if (Array.isArray(node)) return node.map(withStepNames) as N;
  if (typeof node !== 'object' || node === null || !('op' in node) || !('args' in node)) return node;
  const { op, args } = node;
  const isStep = op === 'id' && typeof args === 'string' && celNames.has(args.toLowerCase());
  return { op, args: isStep ? args.toLowerCase() : withStepNames(args) } as N;
}

/** The nodes directly inside a node. */
export function children(node: ASTNode): ASTNode[] {
  const found: ASTNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null && 'op' in value) found.push(value as ASTNode);
  };
  visit(node.args);
  return found;
}

/** The field of a result that a node is; null for anything else. */
export function fieldOf(node: ASTNode): readonly [step: string, field: string] | null {
  return node.op === '.' && node.args[0].op === 'id' ? [node.args[0].args, node.args[1]] : null;
}
