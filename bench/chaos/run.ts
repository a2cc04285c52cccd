import { parseArgs } from 'node:util';
import { median } from '../numbers.ts';
import { type ChaosResult, chaos } from './chaos.ts';
import type { Account } from './verdict.ts';

const usage = `npm run chaos -- [options]
  --seconds n     how long there is trouble (60)
  --seed n        the same seed makes the same trouble (a random one)
  --shape s       split: 2 fronts and 2 executors; all: 2 processes that do everything; one: 1 of them (split)
  --every ms      milliseconds between two requests (400)
  --several       two workspaces instead of one, each asking at that pace
  --evidence dir  writes logs, rows, messages and vendors' requests to a folder`;

async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      shape: { type: 'string', default: 'split' },
      every: { type: 'string', default: '400' },
      several: { type: 'boolean', default: false },
      evidence: { type: 'string' },
    },
  });
  const { shape, several } = values;
  if (shape !== 'split' && shape !== 'all' && shape !== 'one')
    throw new TypeError(`there is no shape ${shape}`);
  const numbers = { seconds: values.seconds, seed: values.seed, everyMs: values.every };
  const [seconds, seed, everyMs] = Object.entries(numbers).map(([name, text]) => whole(name, text));
  console.log(`seed ${seed}, ${seconds} s, ${shape}${several ? ', two workspaces' : ''}`);
  const numbered = { seconds: seconds ?? 60, seed: seed ?? 0, everyMs: everyMs ?? 400 };
  const result = await chaos({ shape, several, evidence: values.evidence ?? null, ...numbered });
  console.log(report(result));
  return isRight(result) ? 0 : 1;
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new TypeError(`--${name} must be a whole number`);
  return value;
}

function isRight({ verdict, audit }: ChaosResult): boolean {
  return Object.values(verdict).every((wrong) => wrong.length === 0) && audit.startsWith('whole');
}

function done(where: string, { asked, runs, effects }: Account): [string, number][] {
  const written = [...effects.values()].reduce((sum, count) => sum + count, 0);
  return [
    [`${where}asked`, asked.length],
    [`${where}acknowledged`, asked.filter(({ acknowledged }) => acknowledged).length],
    [`${where}runs`, runs.length],
    [`${where}written`, written],
  ];
}

function report(result: ChaosResult): string {
  const { accounts, verdict, troubles, starts, takeovers, audit, settledMs, logs } = result;
  const lines: [string, string | number][] = [
    ...[...accounts].flatMap(([team, account]) => done(accounts.size > 1 ? `${team}: ` : '', account)),
    ...[...troubles].map(([name, times]): [string, number] => [`trouble: ${name}`, times]),
    ['starts of processes', starts],
    ['runs under way at a kill -9', takeovers.length],
    ...(takeovers.length > 0
      ? [['taken over in ms, p50 and longest', spread(takeovers)] satisfies [string, string]]
      : []),
    ['seconds until all was done', Math.round(settledMs / 1_000)],
    ['audit log', audit],
    ['lost', verdict.lost.length],
    ['repeated', verdict.repeated.length],
    ['untold', verdict.untold.length],
    ...(accounts.size > 1 ? [['mixed up', verdict.mixedUp.length] satisfies [string, number]] : []),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  const table = lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
  if (isRight(result)) return table;
  const wrong = (['lost', 'repeated', 'untold', 'mixedUp'] as const).flatMap((kind) =>
    verdict[kind].map((what) => `${kind}: ${what}`),
  );
  const said = [...logs].map(([name, log]) => `--- ${name}\n${log.split('\n').slice(-25).join('\n')}`);
  return [table, '', ...wrong, '', ...said].join('\n');
}

function spread(times: readonly number[]): string {
  return `${median(times).toFixed(0)}, ${Math.max(...times).toFixed(0)}`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof TypeError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 2;
}
