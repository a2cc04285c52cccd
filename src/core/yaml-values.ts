/** A document of the yaml package, as far as it is needed. */
interface Document {
  readonly contents: unknown;
  toJS(options: { maxAliasCount: number }): unknown;
}

export type YamlValues = { readonly values: unknown } | { readonly line: number; readonly message: string };

/** The values of a parsed document, or what is wrong with its aliases: parsing alone does not look at them. */
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

/** Where `*name` stands first, by the nodes: the text may have it in a comment as well. */
function aliasOffset(node: unknown, name: string): number | null {
  if (typeof node !== 'object' || node === null) return null;
  // Scalars have the text that they were read from as `source`, too, beside their value.
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
