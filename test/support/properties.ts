import fc from 'fast-check';

/**
 * Property tests make the same values in every run, so that a red test is about the change at hand.
 * `FC_SEED=random FC_RUNS=5000 npm test -- <file>` looks for values that nobody has met yet.
 */
const { FC_SEED: seed = '20261121', FC_RUNS: runs = '100' } = process.env;

fc.configureGlobal({
  seed: seed === 'random' ? Date.now() % 2 ** 31 : Number(seed),
  numRuns: Number(runs),
});
