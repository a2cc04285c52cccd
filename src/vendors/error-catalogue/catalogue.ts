import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { distance } from 'fastest-levenshtein';
import type { Readers } from '../../core/ports.ts';
import { createSlices } from '../../core/slices.ts';
import { unconfigured } from '../http/unconfigured.ts';
import { isMarkdown, maxBytes, maxErrors } from './limits.ts';
import type { ErrorCatalogue, KnownError } from './port.ts';
import { CatalogueError } from './problem.ts';

/** Maximum codes suggested when the requested one is unknown. */
const maxNear = 3;
/** Longer words are not mistyped codes. */
const maxMistyped = 60;

/** An error with its search fields. */
interface Entry {
  readonly error: KnownError;
  readonly code: string;
  readonly signatures: readonly (readonly string[])[];
}

interface Kept {
  readonly version: string;
  /** Rejects until the file changes if it could not be read: not every question retries. */
  readonly entries: Promise<readonly Entry[]>;
}

/** Known errors from YAML and Markdown files, read again when one changes. */
export function openCatalogue(files: readonly string[]): ErrorCatalogue {
  const kept = new Map<string, Kept>();
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

/** Callers that arrive while a file is being read wait for the same thread. */
async function current(file: string, kept: Map<string, Kept>): Promise<readonly Entry[]> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile())
    throw new CatalogueError(file, null, 'is not a file that can be read');
  const max = isMarkdown(file) ? maxBytes.markdown : maxBytes.yaml;
  if (found.size > max) throw new CatalogueError(file, null, `is larger than ${max / 1_000} kB`);
  const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
  const known = kept.get(file);
  if (known?.version === version) return known.entries;
  // One thread at a time: a file that changes with every question would otherwise start many.
  const entries = Promise.allSettled([...kept.values()].map((other) => other.entries)).then(() => read(file));
  kept.set(file, { version, entries });
  return entries;
}

async function read(file: string): Promise<readonly Entry[]> {
  const errors = await readApart(file);
  if (errors.length > maxErrors) throw new CatalogueError(file, null, `has more than ${maxErrors} errors`);
  const turn = createSlices();
  const entries: Entry[] = [];
  for (const error of errors) {
    entries.push({ error, code: error.code.toLowerCase(), signatures: error.signatures.map(partsOf) });
    await turn();
  }
  return entries;
}

/** A log line or message may contain the code itself, or a signature. */
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

/** The catalogue of known errors for the tools; `files` is empty if none is set up. */
export function connectErrors(files: readonly string[]): Pick<Readers, 'errors'> {
  return {
    errors: files.length === 0 ? unconfigured('errors.files in countersign.yml') : openCatalogue(files),
  };
}

/** Maximum characters of a text searched for signatures. */
const maxText = 20_000;

/** A text normalised for comparison with signatures. */
export function plain(text: string): string {
  return text.slice(0, maxText).toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** The words of a signature in order, split at `*`; empty if they would match nearly everything. */
export function partsOf(signature: string): readonly string[] {
  const parts = plain(signature)
    .split('*')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.join('').length < 4 ? [] : parts;
}

/**
 * Whether a plain text contains a signature. Nothing that a person or a log wrote becomes a regular expression, so none
 * can run away.
 */
export function shows(within: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = within.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return parts.length > 0;
}

const timeoutMs = 10_000;
/** Memory of one thread, in MB. Reading a YAML file takes a hundred times its size. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 };

type Answer =
  | { readonly errors: readonly KnownError[] }
  | { readonly problem: { readonly line: number | null; readonly says: string } };

/** Reads a catalogue in a separate thread. Throws a CatalogueError, also when it takes too much memory or time. */
async function readApart(file: string): Promise<readonly KnownError[]> {
  const answer = await answerOf(file);
  if ('errors' in answer) return answer.errors;
  throw new CatalogueError(file, answer.problem.line, answer.problem.says);
}

async function answerOf(file: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const script = new URL('./read-worker.ts', import.meta.url);
  const worker = new Worker(script, { workerData: { file }, env: {}, execArgv: [], resourceLimits });
  const giveUp = (says: string) => reject(new CatalogueError(file, null, says));
  const timer = setTimeout(() => giveUp('takes too long to read'), timeoutMs);
  worker.once('message', resolve);
  worker.once('error', (error: Error) =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? giveUp('takes too much memory to read')
      : reject(error),
  );
  worker.once('exit', () => giveUp('could not be read'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
