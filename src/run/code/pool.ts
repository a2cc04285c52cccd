import { Worker } from 'node:worker_threads';
import { parseJson } from '../../core/json.ts';
import { answerSchema, begun, type CodeAnswer, type Job } from './job.ts';

/** Runs the source of code steps in threads of their own. */
export interface CodePool {
  /** Never throws for anything that a source does. */
  evaluate(job: Job): Promise<CodeAnswer>;
  close(): Promise<void>;
}

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

  async function free(): Promise<boolean> {
    if (busy >= size && waiting.length >= maxWaiting) return false;
    if (busy >= size) await new Promise<void>((go) => waiting.push(go));
    else busy += 1;
    return !isClosed;
  }

  function release(worker: Worker | null): void {
    if (worker !== null && !isClosed) idle.push(worker);
    else void worker?.terminate();
    const next = waiting.shift();
    if (next === undefined) busy -= 1;
    else next();
  }

  return {
    async evaluate(job) {
      if (!(await free())) return broken;
      const worker = idle.pop() ?? start();
      const answer = await answerOf(worker, job);
      const isSpoilt = 'why' in answer && spoils.has(answer.why);
      if (isSpoilt) await worker.terminate();
      release(isSpoilt ? null : worker);
      return answer;
    },
    async close() {
      isClosed = true;
      for (const go of waiting.splice(0)) go();
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}

function start(): Worker {
  const script = new URL('./worker.ts', import.meta.url);
  const worker = new Worker(script, { env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits });
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
    if (said === begun) timer = setTimeout(() => resolve('{"why":"time"}'), killMs);
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
