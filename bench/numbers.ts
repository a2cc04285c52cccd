/** The smallest value that the share `q` (0 to 1) of the values does not exceed (nearest rank); NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Times a fixed amount of work, in milliseconds: shows whether the machine is busy. */
export function calibrate(): number {
  const from = performance.now();
  let x = 1;
  for (let i = 0; i < 2e7; i += 1) x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0;
  return performance.now() - from + (x === 0 ? 1 : 0);
}
