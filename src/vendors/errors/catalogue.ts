import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { distance } from 'fastest-levenshtein';
import type { ErrorCatalogue, KnownError } from './port.ts';
import { CatalogueError } from './problem.ts';
import { readMarkdownCatalogue } from './read-markdown.ts';
import { readYamlCatalogue } from './read-yaml.ts';
import { shows } from './signature.ts';

const maxBytes = 5_000_000;
const maxErrors = 20_000;
/** Codes that are offered when nothing is known of the one that was asked for. */
const maxNear = 3;

interface Kept {
  readonly version: string;
  readonly errors: readonly KnownError[];
}

/** Known errors of YAML and Markdown files, read again when one changes. */
export function openCatalogue(files: readonly string[]): ErrorCatalogue {
  const kept = new Map<string, Kept>();
  return {
    async lookUp(said) {
      const all = (await Promise.all(files.map((file) => current(file, kept)))).flat();
      const wanted = said.trim().toLowerCase();
      const exact = all.filter(({ code }) => code.toLowerCase() === wanted);
      const found = exact.length > 0 ? exact : all.filter((one) => isShown(said, one));
      return { found, near: found.length > 0 ? [] : nearCodes(wanted, all) };
    },
  };
}

async function current(file: string, kept: Map<string, Kept>): Promise<readonly KnownError[]> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile())
    throw new CatalogueError(file, null, 'is not a file that can be read');
  if (found.size > maxBytes) throw new CatalogueError(file, null, 'is larger than 5 MB');
  const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
  const known = kept.get(file);
  if (known?.version === version) return known.errors;
  const source = await readFile(file, 'utf8');
  const isMarkdown = /\.(md|markdown)$/i.test(path.extname(file));
  const errors = isMarkdown ? readMarkdownCatalogue(source) : readYamlCatalogue(source, path.basename(file));
  if (errors.length > maxErrors) throw new CatalogueError(file, null, `has more than ${maxErrors} errors`);
  kept.set(file, { version, errors });
  return errors;
}

/** A log line or message may carry the code itself, or a signature. */
function isShown(said: string, { code, signatures }: KnownError): boolean {
  return hasWord(said.toLowerCase(), code.toLowerCase()) || signatures.some((one) => shows(said, one));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
    if (around.every((one) => !/[\p{L}\p{N}_-]/u.test(one))) return true;
  }
  return false;
}

function nearCodes(wanted: string, all: readonly KnownError[]): string[] {
  if (wanted.length > 60) return [];
  return all
    .map(({ code }) => ({ code, far: distance(code.toLowerCase(), wanted) }))
    .filter(({ code, far }) => far <= Math.max(1, Math.floor(code.length / 5)))
    .sort((a, b) => a.far - b.far)
    .slice(0, maxNear)
    .map(({ code }) => code);
}
