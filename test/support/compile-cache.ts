import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/**
 * The start of a process is mostly compiling. The processes of the tests and the bots that they start share the work, also
 * with later runs; it goes with the next `npm ci`.
 */
const folder = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

process.env.NODE_COMPILE_CACHE = folder;
enableCompileCache(folder);
// A process that is ended by a signal would keep nothing.
afterAll(() => flushCompileCache());
