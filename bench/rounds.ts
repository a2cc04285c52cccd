import type { Measure, PartResult } from './measure.ts';
import { median } from './numbers.ts';

/** Repeats the work; the median of each value over all rounds counts, and the worst of each check. */
export async function inRounds(rounds: number, work: () => Promise<PartResult[]>): Promise<PartResult[]> {
  const all: PartResult[][] = [];
  for (let nth = 0; nth < rounds; nth += 1) all.push(await work());
  const [first = []] = all;
  if (rounds === 1) return first;
  return first.map((part, index) =>
    merged(
      part,
      all.flatMap((results) => results[index] ?? []),
    ),
  );
}

function merged(part: PartResult, all: readonly PartResult[]): PartResult {
  return {
    ...part,
    measures: part.measures.map((measure) => overRounds(measure, all)),
    checks: all
      .flatMap(({ checks }) => checks)
      .filter((check, index, list) => {
        return !check.ok || list.findIndex(({ what }) => what === check.what) === index;
      }),
  };
}

function overRounds(measure: Measure, all: readonly PartResult[]): Measure {
  const runs = all
    .flatMap(({ measures }) => measures.filter(({ id }) => id === measure.id))
    .map(({ value }) => value);
  return { ...measure, value: median(runs), runs };
}
