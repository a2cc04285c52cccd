/** Milliseconds of work after which everything else has its turn. */
const sliceMs = 10;

/** Lets other work in between, whenever a slice of time is over. Made anew for each piece of long work. */
export function createSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  };
}
