import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../../core/errors.ts';
import { isMarkdown } from './limits.ts';
import { CatalogueError } from './problem.ts';
import { readMarkdownCatalogue } from './read-markdown.ts';
import { readYamlCatalogue } from './read-yaml.ts';

/** Runs in a separate thread, which can be terminated at any time: other people's files can be slow to read and deeply nested. */
const { file } = workerData as { readonly file: string };

function read() {
  try {
    const source = readFileSync(file, 'utf8');
    return {
      errors: isMarkdown(file)
        ? readMarkdownCatalogue(source)
        : readYamlCatalogue(source, path.basename(file)),
    };
  } catch (error) {
    if (error instanceof CatalogueError) return { problem: error.place };
    if (error instanceof RangeError) return { problem: { line: null, says: 'is nested too deep' } };
    return { problem: { line: null, says: `cannot be read: ${describeError(error).message}` } };
  }
}

parentPort?.postMessage(read());
