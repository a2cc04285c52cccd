/** The parts of the yaml package's document that we need. */
interface Document {
  readonly contents: unknown;
  toJS(options: { maxAliasCount: number }): unknown;
}

export type YamlValues = { readonly values: unknown } | { readonly line: number; readonly message: string };

/** The values of a parsed document, or the problem with its aliases, which parsing alone does not check. */
export function yamlValues(document: Document, source: string): YamlValues {
  try {
    return { values: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const [, name] = /^Unresolved alias.*: (\S+)$/.exec(error.message) ?? [];
    if (name === undefined) return { line: 1, message: 'has too many aliases' };
    const line = source.slice(0, aliasOffset(document.contents, name) ?? 0).split('\n').length;
    return { line, message: `nothing above is called &${name}; put a text that begins with * in quotes` };
  }
}

/** Position of the first `*name`, by the nodes: the text may also have it in a comment. */
function aliasOffset(node: unknown, name: string): number | null {
  if (typeof node !== 'object' || node === null) return null;
  // Scalars also have a `source`, the text they were read from, in addition to their value.
  if ('source' in node && !('value' in node)) {
    return node.source === name && 'range' in node && Array.isArray(node.range) ? node.range[0] : null;
  }
  const parts = [
    'key' in node ? node.key : null,
    'value' in node ? node.value : null,
    ...('items' in node && Array.isArray(node.items) ? node.items : []),
  ];
  for (const part of parts) {
    const offset = aliasOffset(part, name);
    if (offset !== null) return offset;
  }
  return null;
}
