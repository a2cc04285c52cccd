import { readFile, stat } from 'node:fs/promises';
import { distance } from 'fastest-levenshtein';
import { createSlices } from '../../core/slices.ts';
import { maxBytes, maxErrors } from './limits.ts';
import type { ErrorCatalogue, KnownError } from './port.ts';
import { CatalogueError } from './problem.ts';
import { readApart } from './read-apart.ts';
import { partsOf, plain, shows } from './signature.ts';

/** Codes that are offered when nothing is known of the one that was asked for. */
const maxNear = 3;
/** Longer words are no codes that somebody mistyped. */
const maxMistyped = 60;

/** An error with what it is looked for by. */
interface Entry {
  readonly error: KnownError;
  readonly code: string;
  readonly signatures: readonly (readonly string[])[];
}

interface Kept {
  readonly version: string;
  readonly entries: readonly Entry[];
}

/** Known errors of YAML and Markdown files, read again when one changes. */
export function openCatalogue(files: readonly string[]): ErrorCatalogue {
  const kept = new Map<string, Promise<Kept>>();
  return {
    async lookUp(said) {
      const all = (await Promise.all(files.map((file) => current(file, kept)))).flat();
      const wanted = said.trim().toLowerCase();
      const exact = all.filter(({ code }) => code === wanted);
      const found = exact.length > 0 ? exact : await shownIn(said, all);
      return {
        found: found.map(({ error }) => error),
        near: found.length > 0 ? [] : nearCodes(wanted, all),
      };
    },
  };
}

async function current(file: string, kept: Map<string, Promise<Kept>>): Promise<readonly Entry[]> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile())
    throw new CatalogueError(file, null, 'is not a file that can be read');
  if (found.size > maxBytes) throw new CatalogueError(file, null, 'is larger than 5 MB');
  const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
  const known = await kept.get(file)?.catch(() => null);
  if (known?.version === version) return known.entries;
  // Whoever asks meanwhile waits for the same thread.
  const reading = read(file, version);
  kept.set(file, reading);
  return (await reading).entries;
}

async function read(file: string, version: string): Promise<Kept> {
  const errors = await readApart(file, await readFile(file, 'utf8'));
  if (errors.length > maxErrors) throw new CatalogueError(file, null, `has more than ${maxErrors} errors`);
  const turn = createSlices();
  const entries: Entry[] = [];
  for (const error of errors) {
    entries.push({ error, code: error.code.toLowerCase(), signatures: error.signatures.map(partsOf) });
    await turn();
  }
  return { version, entries };
}

/** A log line or message may carry the code itself, or a signature. */
async function shownIn(said: string, all: readonly Entry[]): Promise<Entry[]> {
  const [text, within, turn] = [said.toLowerCase(), plain(said), createSlices()];
  const found: Entry[] = [];
  for (const entry of all) {
    if (hasWord(text, entry.code) || entry.signatures.some((parts) => shows(within, parts)))
      found.push(entry);
    await turn();
  }
  return found;
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
    if (around.every((one) => !/[\p{L}\p{N}_-]/u.test(one))) return true;
  }
  return false;
}

function nearCodes(wanted: string, all: readonly Entry[]): string[] {
  if (wanted.length > maxMistyped) return [];
  return all
    .filter(({ code }) => code.length <= maxMistyped * 2)
    .map(({ code, error }) => ({ code: error.code, far: distance(code, wanted) }))
    .filter(({ code, far }) => far <= Math.max(1, Math.floor(code.length / 5)))
    .sort((a, b) => a.far - b.far)
    .slice(0, maxNear)
    .map(({ code }) => code);
}
