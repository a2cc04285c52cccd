import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { begun, codeBounds, type Job } from './job.ts';

const pages = (codeBounds.memoryMb * 1_024 * 1_024) / 65_536;

/** The engine has this memory and no more, whatever its own limits miss. */
const wasmMemory = new WebAssembly.Memory({ initial: pages, maximum: pages });

/** No clock, no regular expressions (matching cannot be interrupted), no typed arrays, proxies or promises. */
const intrinsics = { BaseObjects: true, Eval: true, JSON: true, MapSet: true, StringNormalize: true };

const prelude = readFileSync(new URL('./prelude.js', import.meta.url), 'utf8');
/** The package types its default export as CommonJS would see it. */
const release = variant as unknown as QuickJSSyncVariant;
const engine = await newQuickJSWASMModuleFromVariant(newVariant(release, { wasmMemory }));

/** The answer as JSON, still to be checked. Each evaluation has a runtime of its own: nothing is left of the last one. */
function evaluate(job: Job): string {
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(codeBounds.stackBytes);
  // Processor time, so that a busy machine fails no step.
  const began = process.threadCpuUsage();
  let isLate = false;
  runtime.setInterruptHandler(() => {
    const { user, system } = process.threadCpuUsage(began);
    isLate ||= user + system > codeBounds.cpuMs * 1_000;
    return isLate;
  });
  const context = runtime.newContext({ intrinsics });
  const text = called(context, job);
  // Whatever a source leaves that was stopped is thrown away with the worker.
  if (isLate || text === null) return isLate ? '{"why":"time"}' : '{"why":"broken"}';
  context.dispose();
  runtime.dispose();
  return text;
}

/** Null when even the words for what went wrong could not be made. */
function called(context: QuickJSContext, { source, names, inputs }: Job): string | null {
  const made = context.evalCode(`(function(${names.join(',')}){"use strict";\n${source}\n})`, 'code.js');
  if (made.error) {
    const words = made.error.consume((error) => context.getProp(error, 'message').consume(context.getString));
    return JSON.stringify({ why: 'threw', words });
  }
  const call = context.unwrapResult(context.evalCode(prelude, 'prelude.js'));
  const args = [made.value, context.newString(inputs), context.newNumber(codeBounds.resultBytes)];
  const result = context.callFunction(call, context.undefined, ...args);
  const text = result.error ? null : context.getString(result.value);
  for (const handle of [call, ...args, result]) handle.dispose();
  return text;
}

parentPort?.on('message', (job: Job) => {
  let answer: string;
  parentPort?.postMessage(begun);
  try {
    answer = evaluate(job);
  } catch {
    // The engine gave up, for example because its memory ran out where it does not look.
    answer = '{"why":"broken"}';
  }
  parentPort?.postMessage(answer);
});
