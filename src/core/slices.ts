/** Milliseconds of work before yielding to the event loop. */
const sliceMs = 10;

/** Yields to other work whenever a time slice is used up. Create one per long piece of work. */
export function createSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  };
}

/** Lets callers go on one after the other, each in a round of the event loop of its own. */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
