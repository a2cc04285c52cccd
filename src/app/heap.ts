import { setFlagsFromString } from 'node:v8';

/** Per cent by which the heap may outgrow what was in use after the last collection. */
const growth = 30;

/**
 * Keeps the heap near to what is in use, at the price of collecting more often. Left alone, V8 lets it grow to four
 * times that before it looks for garbage, so a bot that needs 75 MB would hold 300. How far the young generation may
 * grow can only be said on the command line; `npm start` does.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}
