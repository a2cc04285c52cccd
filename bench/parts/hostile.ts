import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readAll } from '../hostile/reading.ts';
import { shapes } from '../hostile/shapes.ts';
import type { Measure, PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import { approve, givenCards, journalEnd, pageGoal, reported, resolvePages, seen } from '../talk.ts';
import { Workspace } from '../workspace.ts';

const maxBlockMs = 50;
const maxGrowthMb = 64;
const settleMs = 12_000;

/** Hostile texts: how long each reader blocks everything else, and how long a page takes meanwhile. */
export async function hostile({
  megabytes,
  pages,
}: {
  megabytes: number;
  pages: number;
}): Promise<PartResult> {
  const bytes = megabytes * 1_000_000;
  const readings = await readAll(bytes);
  const measures = readings.flatMap(({ reader, shape, blockedMs, grownMb }): Measure[] => [
    {
      ...{ id: `hostile.${reader}.block`, what: `${reader}: longest block (${shape})`, unit: 'ms' },
      ...{ value: blockedMs, budget: maxBlockMs },
    },
    {
      ...{ id: `hostile.${reader}.memory`, what: `${reader}: what is kept in memory`, unit: 'MB' },
      ...{ value: grownMb, budget: maxGrowthMb },
    },
  ]);
  const meanwhile = await pagesMeanwhile(bytes, pages);
  const each = `${megabytes} MB to each of ${readings.length} readers in ${shapes.length} shapes`;
  return { measures: [...measures, ...meanwhile], checks: [{ what: each, ok: true }] };
}

/** From the click to the page, while files written by others change constantly: first harmless ones, then the worst. */
async function pagesMeanwhile(bytes: number, pages: number): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-hostile-'));
  const [open, stock] = [join(folder, 'open'), join(folder, 'stock')];
  const files = {
    runbooks: { folder: open },
    errors: { files: [join(open, 'errors.yml'), join(open, 'errors.md')] },
  };
  await Promise.all([mkdir(open), mkdir(stock)]);
  const harmless = await stocked(stock, 'harmless', 1_000);
  const worst = await stocked(stock, 'worst', bytes);
  await copied(harmless[0] ?? [], open);
  const workspace = await Workspace.create(files);
  try {
    await workspace.startBot();
    await timesToPage(workspace, 3);
    const usual = await timesAmong(workspace, pages, harmless, open);
    const times = await timesAmong(workspace, pages, worst, open);
    const time = (id: string, what: string, value: number): Measure => ({
      ...{ id: `hostile.page.${id}`, what, unit: 'ms', value },
    });
    return [
      time('usual.p50', `Approve click to the page, p50 of ${pages}`, quantile(usual.times, 0.5)),
      time('usual.longest', 'the same, longest', Math.max(...usual.times)),
      time('p50', 'the same while files of others are at their worst, p50', quantile(times.times, 0.5)),
      time('longest', 'the same, longest', Math.max(...times.times)),
      {
        ...{ id: 'hostile.bot.memory', what: 'growth of the bot meanwhile, PSS', unit: 'MB' },
        ...{ value: times.megabytes - usual.megabytes, budget: maxGrowthMb },
      },
    ];
  } finally {
    await workspace.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pages while somebody else asks about files that change with every question; and the bot's memory afterwards. */
async function timesAmong(workspace: Workspace, pages: number, sets: readonly Set[], open: string) {
  let done = false;
  const asking = (async () => {
    for (let nth = 0; !done; nth += 1) {
      await copied(sets[nth % sets.length] ?? [], open);
      const ask = nth % 2 === 0 ? `find the runbook for a full disk ${nth}` : `look up error E-${nth}`;
      await workspace.sandbox.slack.command({ as: 'eva', channel: 'general', text: ask });
      await pause(50);
    }
  })();
  const times = await timesToPage(workspace, pages);
  done = true;
  await asking;
  // A thread that reads a catalogue may take ten seconds, and garbage is collected when there is time.
  await pause(settleMs);
  return { times, megabytes: (await workspace.memory())?.bot.pssMb ?? 0 };
}

type Set = readonly { readonly from: string; readonly name: string }[];

/** Files of every shape, created before measuring: as large as requested, and as large as is still read. */
async function stocked(stock: string, kind: string, bytes: number): Promise<Set[]> {
  const sizes = { 'huge.md': bytes, 'large.md': 240_000, 'errors.yml': 490_000, 'errors.md': 1_900_000 };
  const all: Set[] = [];
  for (const [nth, shape] of shapes.entries()) {
    const set = Object.entries(sizes).map(([name, most]) => {
      return { name, from: join(stock, `${kind}-${nth}-${name}`), size: Math.min(bytes, most) };
    });
    for (const { from, size } of set) await writeFile(from, `# E-1 a\n${shape.text(size)}`);
    all.push(set);
  }
  return all;
}

async function copied(set: Set, open: string): Promise<void> {
  await Promise.all(set.map(({ from, name }) => copyFile(from, join(open, name))));
}

async function timesToPage(workspace: Workspace, count: number): Promise<number[]> {
  const times: number[] = [];
  for (const ts of await givenCards(workspace, pageGoal, count)) {
    const after = journalEnd(workspace);
    const from = approve(workspace, ts);
    const [page] = await seen(workspace, after, ({ vendor }) => vendor === 'pagerduty-events');
    times.push((page?.clockMs ?? Number.NaN) - from);
    await reported(workspace, after);
    resolvePages(workspace);
  }
  return times;
}
