/** Why: a machine that runs the tests every day must not fill up with what they left. */
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

test('what a test puts into the temporary folder, and what Node compiles, goes with the folder of the run', () => {
  expect(basename(tmpdir())).toMatch(/^countersign-tests-/);
  expect(process.env.NODE_COMPILE_CACHE?.startsWith(tmpdir())).toBe(true);
});
