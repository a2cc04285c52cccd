import { Worker } from 'node:worker_threads';
import type { KnownError } from './port.ts';
import { CatalogueError } from './problem.ts';

const timeoutMs = 10_000;
/** Memory of one thread, in MB. Reading a YAML file takes a hundred times its size. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 };

type Answer =
  | { readonly errors: readonly KnownError[] }
  | { readonly problem: { readonly line: number | null; readonly says: string } };

/** Reads a catalogue in a separate thread. Throws a CatalogueError, also when it takes too much memory or time. */
export async function readApart(file: string): Promise<readonly KnownError[]> {
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
