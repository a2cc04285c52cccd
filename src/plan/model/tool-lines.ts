import { z } from 'zod';
import { celType } from '../../core/cel.ts';
import { fieldInfo, isOptional, unwrap } from '../../core/fields.ts';
import type { Manifest } from '../../core/manifest.ts';
import { plain } from './draft.ts';

function hint(schema: z.core.$ZodType): string {
  const inner = unwrap(schema);
  const info = fieldInfo(schema);
  const list = inner instanceof z.ZodArray ? '[]' : '';
  if (info.kind === 'target') return `${info.target === 'severity' ? 'P1..P5' : info.target}${list}`;
  if (inner instanceof z.ZodEnum) return inner.options.join('|');
  const says = inner instanceof z.ZodType ? plain(inner.description ?? '', 40) : '';
  if (info.kind === 'text') return `"${says || 'text'}"${list}`;
  return celType(schema) ?? 'value';
}

function argLine(name: string, schema: z.core.$ZodType): string {
  return `${name}${isOptional(schema) ? '?' : ''}: ${hint(schema)}`;
}

function resultLine(name: string, schema: z.core.$ZodType): string {
  const info = fieldInfo(schema);
  const list = unwrap(schema) instanceof z.ZodArray ? '[]' : '';
  const type =
    info.kind === 'target' ? `${info.target}${list}` : info.kind === 'text' ? 'text' : celType(schema);
  return `${name}: ${type ?? `list of ${recordHint(schema)}`}`;
}

/** The fields of a record, for code. */
function recordHint(schema: z.core.$ZodType): string {
  const inner = unwrap(schema);
  const item = inner instanceof z.ZodArray ? unwrap(inner.element) : inner;
  return item instanceof z.ZodObject ? `{${Object.keys(item.shape).join(', ')}}` : 'values';
}

/** Results only meant for people's eyes: table rows, and addresses behind values already listed, and what qualifies a result. */
function onlyShown({ shows = {}, result }: Manifest): ReadonlySet<string> {
  const behind = (shows.links ?? []).filter(({ names = '' }) => Object.hasOwn(result.shape, names));
  const ofTables = (shows.tables ?? []).flatMap(({ rows, total = '', least = '', columns }) =>
    'length' in columns ? [rows] : [rows, total, least, columns.names],
  );
  return new Set([...ofTables, ...(shows.besides ?? []), ...behind.map(({ field }) => field)]);
}

/** Data levels other than the default. Where the arguments name a channel, that has its own level. */
function levelsOf({ yields, accepts, args }: Manifest): string {
  const marks = [
    ...(yields === 'internal' ? [] : [`yields ${yields}`]),
    ...(accepts === 'internal' || Object.hasOwn(args.shape, 'channel') ? [] : [`may hold ${accepts}`]),
  ];
  return marks.length === 0 ? '' : ` [${marks.join(', ')}]`;
}

/**
 * One line per manifest: arguments, results, purpose; `!` marks a write. Arguments shared with an earlier tool refer to
 * it, and data levels appear only if they are not internal, which saves a third of the tokens for similar tools such as
 * count and search. `withRows`: with the tables that otherwise only people see.
 */
export function toolLines(manifests: readonly Manifest[], withRows = false): string[] {
  const above: { name: string; args: string[] }[] = [];
  return manifests.map((manifest) => {
    const args = Object.entries(manifest.args.shape)
      .filter(([name]) => manifest.later?.includes(name) !== true)
      .map(([name, schema]) => argLine(name, schema));
    const without = (other: { readonly args: readonly string[] }): string[] =>
      other.args.filter((arg) => !args.includes(arg));
    const twin = above.find((other) => other.args.length > 3 && without(other).length <= 1);
    const own = twin ? args.filter((arg) => !twin.args.includes(arg)) : args;
    above.push({ name: manifest.name, args });
    const lacks = twin ? without(twin).map((arg) => ` without ${arg.replace(/\??:.*$/s, '')}`) : [];
    const inside = [...(twin ? [`as ${twin.name}${lacks.join('')}`] : []), ...own].join(', ');
    const shown = onlyShown(manifest);
    const results = Object.entries(manifest.result.shape)
      .filter(
        ([name]) =>
          !shown.has(name) || (withRows && manifest.shows?.tables?.some(({ rows }) => rows === name)),
      )
      .map(([name, schema]) => resultLine(name, schema));
    const one = manifest.exactlyOne.map((group) => ` exactly one of ${group.join(', ')};`).join('');
    const some = manifest.anyOf ? ` at least one of ${manifest.anyOf.join(', ')};` : '';
    const mark = manifest.effect === 'write' ? '!' : '';
    return `${mark}${manifest.name}(${inside})${one}${some}${levelsOf(manifest)} -> ${results.join(', ')} — ${plain(manifest.summary, 100)}`;
  });
}
