/** A document of the yaml package, as far as it is needed. */
interface Document {
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
    const line = source.slice(0, source.indexOf(`*${name}`)).split('\n').length;
    return { line, message: `nothing above is called &${name}; put a text that begins with * in quotes` };
  }
}
