import { setFlagsFromString } from 'node:v8';

/** Percentage by which the heap may outgrow the memory in use after the last collection. */
const growth = 30;

/**
 * Keeps the heap close to the memory in use, at the cost of more frequent collections. By default V8 lets it grow to
 * four times that before it collects, so a bot that needs 75 MB would hold 300. The size of the young generation can
 * only be set on the command line; `npm start` does.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}
