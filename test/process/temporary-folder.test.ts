/** Why: a machine that runs the tests every day must not fill up with their leftovers. */
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

test("temporary files of tests, and Node's compile cache, are removed with the run's folder", () => {
  expect(basename(tmpdir())).toMatch(/^countersign-tests-/);
  expect(process.env.NODE_COMPILE_CACHE?.startsWith(tmpdir())).toBe(true);
});
