import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allManifests } from '../../manifests/all.ts';
import { offlinePlanner } from '../../src/app/planner.ts';
import { buildPolicy } from '../../src/config/build-catalogue.ts';
import { operatorSchema } from '../../src/config/schema.ts';
import { openCatalogue } from '../../src/core/catalogue.ts';
import { parseCases } from '../../tools/eval/cases.ts';
import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';

const casesFile = fileURLToPath(new URL('../../planner/cases/train/work.jsonl', import.meta.url));
/** Milliseconds too short to notice. */
const budget = 20;

/** Requests longer than anybody types, and requests with very many readings. */
const hard: readonly string[] = [
  'if '.repeat(200),
  'page ops if '.repeat(800),
  'show OPS-1 and OPS-2 '.repeat(40),
  'count open tickets in OPS, '.repeat(80),
  'P1 > 3 and '.repeat(150),
  '"'.repeat(500),
  '('.repeat(900),
  'x'.repeat(10_000),
  'tell ana that '.repeat(715),
];

/** How long planning without a model takes: for typical requests, and for the worst we could think of. */
export async function planner({ requests }: { requests: number }): Promise<PartResult> {
  const cases = parseCases(readFileSync(casesFile, 'utf8'));
  const apart = Math.max(1, Math.floor(cases.length / requests));
  const texts = cases.filter((_, index) => index % apart === 0).map(({ text }) => text);
  const plan = planning();
  // The first rounds include compiling; people use a process that has been running for a while.
  for (let round = 0; round < 2; round += 1) await times(plan, texts);
  const usual: number[] = [];
  for (let round = 0; round < 3; round += 1) usual.push(...(await times(plan, texts)));
  const worst = await times(plan, hard);
  const of = (id: string, what: string, value: number) => ({
    ...{ id: `planner.${id}`, what: `a plan without a model, ${what}`, unit: 'ms' as const, value },
  });
  const measures = [
    of('p50', `${texts.length} requests three times, p50`, quantile(usual, 0.5)),
    { ...of('p95', 'the same, p95', quantile(usual, 0.95)), budget },
    of('longest', 'the same, longest', Math.max(...usual)),
    of('hard.p50', `${hard.length} hard inputs, p50`, quantile(worst, 0.5)),
    of('hard.longest', 'the same, longest', Math.max(...worst)),
  ];
  return { measures, checks: [] };
}

function planning(): (goal: string) => Promise<unknown> {
  const { planner } = offlinePlanner([]);
  const rest = { quoted: null, answers: [], change: null, replan: null, now: new Date() };
  const rules = { catalogue: openCatalogue(allManifests), policy: buildPolicy(operatorSchema.parse({})) };
  return (goal) => planner.plan({ goal, ...rest, ...rules });
}

async function times(plan: (goal: string) => Promise<unknown>, goals: readonly string[]): Promise<number[]> {
  const taken: number[] = [];
  for (const goal of goals) {
    const from = performance.now();
    await plan(goal);
    taken.push(performance.now() - from);
  }
  return taken;
}
