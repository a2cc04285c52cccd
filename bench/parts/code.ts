import { readFileSync } from 'node:fs';
import { createCodePool } from '../../src/run/code/pool.ts';
import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';

const source = `const late = rows.filter(({ age }) => age > 50);
return { keys: late.map(({ key }) => key), most: Math.max(...rows.map(({ age }) => age)) };`;
const rows = Array.from({ length: 100 }, (_, index) => ({
  key: `OPS-${index}`,
  age: index,
  who: `p${index % 7}`,
}));
const job = { source, names: ['rows'], inputs: JSON.stringify([rows]) };

/** Code steps one after the other, and what ten workers hold. */
export async function code({ runs }: { readonly runs: number }): Promise<PartResult> {
  const before = resident();
  const ten = createCodePool({ size: 10 });
  await Promise.all(Array.from({ length: 40 }, () => ten.evaluate(job)));
  const held = resident() - before;
  await ten.close();
  const one = createCodePool({ size: 1 });
  for (let warm = 0; warm < 20; warm += 1) await one.evaluate(job);
  const times: number[] = [];
  let right = 0;
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    const answer = await one.evaluate(job);
    times.push(performance.now() - began);
    if ('json' in answer) right += 1;
  }
  await one.close();
  return {
    measures: [
      {
        id: 'code.p50',
        what: 'a code step over 100 rows, p50',
        unit: 'ms',
        value: quantile(times, 0.5),
        budget: 5,
      },
      { id: 'code.p99', what: 'a code step over 100 rows, p99', unit: 'ms', value: quantile(times, 0.99) },
      { id: 'code.memory', what: 'ten workers after use', unit: 'MB', value: held, budget: 120 },
    ],
    checks: [{ what: `${runs} code steps`, ok: right === runs }],
  };
}

function resident(): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kb) / 1_024;
}
