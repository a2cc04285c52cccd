/** Why: a machine that runs the tests every day must not fill up with their leftovers. */
import { tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';

test("temporary files of tests are removed with the run's folder", () => {
  expect(basename(tmpdir())).toMatch(/^countersign-tests-/);
});

test('the cache of compiled files is one folder for all runs, and goes with the packages', () => {
  expect(process.env.NODE_COMPILE_CACHE).toBe(resolve('node_modules/.cache/compiled'));
});
