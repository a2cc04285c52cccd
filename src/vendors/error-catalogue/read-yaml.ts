import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { plainWords } from '../../core/value-words.ts';
import { yamlValues } from '../../core/yaml-values.ts';
import type { KnownError } from './port.ts';
import { CatalogueError } from './problem.ts';

const words = z.string().trim().max(4_000);
const entry = z.strictObject({
  code: z.union([z.string(), z.number()]).transform(String).pipe(z.string().trim().min(1).max(120)),
  meaning: words.min(1),
  cause: words.default(''),
  advice: words.default(''),
  signature: z.union([words.min(4), z.array(words.min(4)).max(20)]).default([]),
  runbook: words.default(''),
});
const list = z.array(entry);

/** A YAML catalogue: a list of errors, alone or under `errors`. Throws a CatalogueError with the line. */
export function readYamlCatalogue(source: string, file: string): KnownError[] {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const said = broken.message.split('\n')[0] ?? 'is not valid YAML';
    throw new CatalogueError(
      file,
      lines.linePos(broken.pos[0]).line,
      said.replace(/ at line \d[\s\S]*$/, ''),
    );
  }
  const read = yamlValues(document, source);
  if ('message' in read) throw new CatalogueError(file, read.line, read.message);
  const data = read.values ?? [];
  const sections = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : null;
  // Causes may stand in the same file, or alone: they belong to the settings.
  const under = sections !== null && ('errors' in sections || 'causes' in sections);
  const errors = sections !== null && 'errors' in sections ? sections.errors : [];
  const parsed = list.safeParse(under ? errors : data, { error: plainWords });
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'cannot be read' };
    const line = lineOf(document, lines, under ? ['errors', ...path] : path);
    throw new CatalogueError(file, line, [path.map(String).join('.'), message].filter(Boolean).join(': '));
  }
  return parsed.data.map(({ signature, ...one }) => ({ ...one, signatures: [signature].flat() }));
}

function lineOf(
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      return lines.linePos(node.range[0]).line;
    }
  }
  return 1;
}
