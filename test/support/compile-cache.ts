import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The start of a bot is mostly compiling, and the tests start some hundred of them: those of one run share the work. */
process.env.NODE_COMPILE_CACHE = join(tmpdir(), 'compile-cache');
