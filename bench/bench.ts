import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { inspect } from 'node:util';
import type { PartResult } from './measure.ts';
import { calibrate } from './numbers.ts';
import { type Options, readOptions, usage } from './options.ts';
import { acknowledge } from './parts/acknowledge.ts';
import { agents } from './parts/agents.ts';
import { alerts } from './parts/alerts.ts';
import { card } from './parts/card.ts';
import { click } from './parts/click.ts';
import { code } from './parts/code.ts';
import { far } from './parts/far.ts';
import { graph } from './parts/graph.ts';
import { growth } from './parts/growth.ts';
import { hostile } from './parts/hostile.ts';
import { idle } from './parts/idle.ts';
import { peers } from './parts/peers.ts';
import { planner } from './parts/planner.ts';
import { replicas } from './parts/replicas.ts';
import { split } from './parts/split.ts';
import { start } from './parts/start.ts';
import { tools } from './parts/tools.ts';
import { transactions } from './parts/transactions.ts';
import { waiting } from './parts/waiting.ts';
import { watches } from './parts/watches.ts';
import { isOver, table } from './report.ts';
import { inRounds } from './rounds.ts';
import { Workspace } from './workspace.ts';

type Say = (text: string) => void;

/** Each of these starts its own processes; the others share the bot whose start is measured. */
const alone: ReadonlySet<string> = new Set([
  'commits',
  'planner',
  'growth',
  'split',
  'replicas',
  'tools',
  'hostile',
  'far',
  'watches',
  'agents',
  'alerts',
  'code',
]);

/** One round of the selected parts. */
async function round({ parts, counts }: Options): Promise<PartResult[]> {
  const results: PartResult[] = [];
  const has = (name: Options['parts'][number]) => parts.includes(name);
  if (has('commits')) results.push(await transactions({ runs: counts.clicks }));
  if (has('planner')) results.push(await planner(counts));
  if (has('growth')) results.push(await growth(counts));
  if (has('split')) results.push(await split({ count: counts.clicks }));
  if (has('replicas')) results.push(await replicas(counts));
  if (has('tools')) results.push(await tools({ runs: counts.clicks, files: counts.runbooks }));
  if (has('far')) results.push(await far({ count: Math.ceil(counts.clicks / 4) }));
  if (has('watches')) results.push(await watches(counts));
  if (has('agents')) results.push(await agents({ cards: counts.cards }));
  if (has('alerts')) results.push(await alerts({ seconds: counts.seconds, runs: counts.graphs }));
  if (has('code')) results.push(await code({ runs: counts.clicks }));
  if (has('hostile')) results.push(await hostile(counts));
  if (parts.every((name) => alone.has(name))) return results;
  const workspace = await Workspace.create();
  try {
    if (has('start')) results.push(await start(workspace, { runs: counts.starts }));
    else await workspace.startBot();
    if (parts.every((name) => name === 'start' || alone.has(name))) return results;
    // The first cards include compiling; they are not measured.
    await card(workspace, { count: Math.min(10, counts.cards) });
    await workspace.analyze();
    if (has('idle')) results.push(await idle(workspace, counts));
    if (has('card')) results.push(await card(workspace, { count: counts.cards }));
    if (has('click')) results.push(await click(workspace, { count: counts.clicks }));
    if (has('graph')) results.push(await graph(workspace, { runs: counts.graphs }));
    if (has('ack')) results.push(await acknowledge(workspace, counts));
    if (has('memory')) results.push(await waiting(workspace, counts));
    return results;
  } finally {
    await workspace.close();
  }
}

async function measured(argv: readonly string[], say: Say): Promise<number> {
  const options = readOptions(argv);
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    load1: loadavg()[0] ?? 0,
    calibrationMs: calibrate(),
  };
  const results = options.parts.length === 0 ? [] : await inRounds(options.rounds, () => round(options));
  if (options.peers !== null) results.push(await peers(options.peers));
  say(`\n${table(results)}\n`);
  say(
    `${machine.cores} cores, ${machine.cpu}, Node ${machine.node}; load before ${machine.load1.toFixed(1)}, calibration ${machine.calibrationMs.toFixed(1)} ms`,
  );
  const measures = results.flatMap((result) => result.measures);
  const checks = results.flatMap((result) => result.checks);
  if (options.json !== null) {
    const when = new Date().toISOString();
    const text = results.flatMap((result) => result.text ?? []);
    await writeFile(options.json, `${JSON.stringify({ when, machine, measures, checks, text }, null, 2)}\n`);
  }
  if (checks.some(({ ok }) => !ok)) return 2;
  return measures.some(isOver) ? 1 : 0;
}

/** Measures the selected parts; resolves with the exit code: 1 over a budget, 2 on an error. */
export async function bench(argv: readonly string[], out: Say, error: Say): Promise<number> {
  try {
    return await measured(argv, out);
  } catch (reason) {
    error(reason instanceof TypeError ? `${reason.message}\n\n${usage}` : inspect(reason));
    return 2;
  }
}
