// JavaScript, and importing nothing else of the bot: what strips types would take 8 MB in each of these threads.
import { parentPort, workerData } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';

const { wasmModule, prelude, bounds } = workerData;
const pages = (bounds.memoryMb * 1_024 * 1_024) / 65_536;

// The engine has this memory and no more, whatever its own limits miss.
const wasmMemory = new WebAssembly.Memory({ initial: pages, maximum: pages });
const engine = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory, wasmModule }));

// No clock, no regular expressions (matching cannot be interrupted), no typed arrays, proxies or promises.
const intrinsics = { BaseObjects: true, Eval: true, JSON: true, MapSet: true, StringNormalize: true };

/** The answer as JSON, still to be checked. Each evaluation has a runtime of its own: nothing is left of the last one. */
function evaluate(job) {
  const runtime = engine.newRuntime();
  runtime.setMaxStackSize(bounds.stackBytes);
  // Processor time, so that a busy machine fails no step.
  const began = process.threadCpuUsage();
  let isLate = false;
  runtime.setInterruptHandler(() => {
    const { user, system } = process.threadCpuUsage(began);
    isLate ||= user + system > bounds.cpuMs * 1_000;
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
function called(context, { source, names, inputs }) {
  const made = context.evalCode(`(function(${names.join(',')}){"use strict";\n${source}\n})`, 'code.js');
  if (made.error) {
    const words = made.error.consume((error) => context.getProp(error, 'message').consume(context.getString));
    return JSON.stringify({ why: 'threw', words });
  }
  const call = context.unwrapResult(context.evalCode(prelude, 'prelude.js'));
  const args = [made.value, context.newString(inputs), context.newNumber(bounds.resultBytes)];
  const result = context.callFunction(call, context.undefined, ...args);
  const text = result.error ? null : context.getString(result.value);
  for (const handle of [call, ...args, result]) handle.dispose();
  return text;
}

parentPort?.on('message', (job) => {
  let answer;
  parentPort?.postMessage('begun');
  try {
    answer = evaluate(job);
  } catch {
    // The engine gave up, for example because its memory ran out where it does not look.
    answer = '{"why":"broken"}';
  }
  parentPort?.postMessage(answer);
});
