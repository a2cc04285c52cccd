import { numbersShare as manifest } from '../../manifests/numbers.share.ts';
import { measured } from '../../src/core/numbers.ts';
import { defineRead } from '../../src/core/tool.ts';

export const numbersShare = defineRead(manifest, async ({ part, whole }) => {
  const numbers = `${measured(part)} of ${measured(whole)}`;
  if (whole <= 0) return { part, whole, words: `no share (${numbers})` };
  // A bound decides on what texts say.
  const percent = Number(((part / whole) * 100).toPrecision(4));
  return { percent, part, whole, words: `${measured(percent, '%')} (${numbers})` };
});
