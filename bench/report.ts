import type { Measure, PartResult } from './measure.ts';

/** The result as a readable table: name, value, budget, verdict, and the individual runs. */
export function table(results: readonly PartResult[]): string {
  const rows = results.flatMap(({ measures }) => measures.map(row));
  const head = ['what', 'measured', 'budget', '', 'runs'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 1 || column === 2 ? cell.padStart(width) : cell.padEnd(width);
    });
    return padded.join('  ').trimEnd();
  };
  const checks = results.flatMap((result) => result.checks);
  const verdicts = checks.map(({ what, ok }) => `${ok ? 'ok   ' : 'WRONG'}  ${what}`);
  const texts = results.flatMap(({ text }) => (text === undefined ? [] : ['', text.trim()]));
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [
    ...(rows.length === 0 ? [] : [line(head), rule, ...rows.map(line), '']),
    ...verdicts,
    ...texts,
  ].join('\n');
}

function row(measure: Measure): string[] {
  const { what, unit, value, budget, runs = [] } = measure;
  const verdict = budget === undefined ? '' : isOver(measure) ? 'OVER' : 'ok';
  const limit = budget === undefined ? '' : `< ${budget} ${unit}`;
  return [
    what,
    `${number(value)} ${unit}`,
    limit,
    verdict,
    runs.length > 1 ? runs.map(number).join(' ') : '',
  ];
}

export function isOver({ value, budget }: Measure): boolean {
  return budget !== undefined && !(value < budget);
}

function number(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);
}
