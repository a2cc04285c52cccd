import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';

/** One evaluation: the body of a function, the names of its parameters, and their values as a JSON list. */
export interface Job {
  readonly source: string;
  readonly names: readonly string[];
  readonly inputs: string;
}

/** An answer of a worker. It was made where the source ran, so it is read like any other input. */
const answerSchema = z.union([
  z.object({ json: z.string() }),
  z.object({
    why: z.enum(['time', 'memory', 'depth', 'threw', 'not_finite', 'size', 'broken']),
    words: z.string().optional(),
    stack: z.string().optional(),
  }),
]);
export type CodeAnswer = z.infer<typeof answerSchema>;

/** Runs the source of code steps in threads of their own. */
export interface CodePool {
  /** Never throws for anything that a source does. */
  evaluate(job: Job): Promise<CodeAnswer>;
  close(): Promise<void>;
}

/** `memoryMb` is all that the engine has, for the inputs as well. */
export const codeBounds = {
  cpuMs: 50,
  memoryMb: 16,
  stackBytes: 256 * 1_024,
  inputBytes: 1_048_576,
  resultBytes: 65_536,
} as const;

/** Processor time is counted inside; this only ends what no longer looks at it. */
const killMs = 1_000;
/** More would wait too long. */
const maxWaiting = 200;
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4, stackSizeMb: 2 };

const broken: CodeAnswer = { why: 'broken' };
/** After these a worker's memory may be full, or its engine in the middle of something. */
const spoils = new Set(['time', 'memory', 'depth', 'broken']);

/** At most `size` workers, each started when it is first needed and replaced after a source that went too far. */
export function createCodePool({ size }: { readonly size: number }): CodePool {
  const idle: Worker[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;
  let isClosed = false;
  let data: Promise<object> | undefined;

  async function takeTurn(): Promise<boolean> {
    if (busy >= size && waiting.length >= maxWaiting) return false;
    if (busy >= size) await new Promise<void>((go) => waiting.push(go));
    else busy += 1;
    return true;
  }

  function passOn(): void {
    const next = waiting.shift();
    if (next === undefined) busy -= 1;
    else next();
  }

  async function answerTo(job: Job): Promise<CodeAnswer> {
    data ??= workerData();
    const given = await data;
    if (isClosed) return broken;
    const worker = idle.pop() ?? start(given);
    const answer = await answerOf(worker, job);
    const isSpoilt = 'why' in answer && spoils.has(answer.why);
    if (isSpoilt || isClosed) await worker.terminate();
    else idle.push(worker);
    return answer;
  }

  return {
    async evaluate(job) {
      if (!(await takeTurn())) return broken;
      try {
        return await answerTo(job);
      } finally {
        passOn();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

/** The data of each worker. The engine is compiled once for all of them. */
async function workerData(): Promise<object> {
  const wasm = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
  const [wasmModule, prelude] = await Promise.all([
    readFile(wasm).then((bytes) => WebAssembly.compile(bytes)),
    readFile(new URL('./prelude.js', import.meta.url), 'utf8'),
  ]);
  return { wasmModule, prelude, bounds: codeBounds };
}

function start(data: object): Worker {
  const quiet = { env: {}, execArgv: [], stdout: true, stderr: true };
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    ...quiet,
    resourceLimits,
    workerData: data,
  });
  // It keeps no process alive that has nothing else to do.
  worker.unref();
  // It has ended then, which is what is looked at.
  worker.on('error', () => undefined);
  return worker;
}

async function answerOf(worker: Worker, job: Job): Promise<CodeAnswer> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  let timer: NodeJS.Timeout | undefined;
  // Loading the engine takes a while on a busy machine, and is not the source's fault.
  const hear = (said: unknown) => {
    if (said === 'begun') timer = setTimeout(() => resolve('{"why":"time"}'), killMs);
    else resolve(said);
  };
  const ended = () => resolve(null);
  worker.on('message', hear).once('exit', ended);
  worker.postMessage(job);
  const text = await promise;
  clearTimeout(timer);
  worker.off('message', hear).off('exit', ended);
  return answerSchema.safeParse(parseJson(String(text))).data ?? broken;
}
