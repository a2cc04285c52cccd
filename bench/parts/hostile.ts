import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

/** What texts of others do to the bot: to each reader alone, and to the page of somebody else meanwhile. */
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

/** From the click to the page, while nobody does harm and while the files of others change to the worst every moment. */
async function pagesMeanwhile(bytes: number, pages: number): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-hostile-'));
  await harm(folder, 0, 1_000);
  const files = {
    runbooks: { folder },
    errors: { files: [join(folder, 'errors.yml'), join(folder, 'errors.md')] },
  };
  const workspace = await Workspace.create(files);
  try {
    await workspace.startBot();
    await timesToPage(workspace, 3);
    const usual = await timesToPage(workspace, pages);
    const before = await workspace.memory();
    let done = false;
    const harming = (async () => {
      for (let nth = 0; !done; nth += 1) {
        await harm(folder, nth, bytes);
        const ask = nth % 2 === 0 ? `find the runbook for a full disk ${nth}` : `look up error E-${nth}`;
        await workspace.sandbox.slack.command({ as: 'eva', channel: 'general', text: ask });
        await pause(50);
      }
    })();
    const times = await timesToPage(workspace, pages);
    done = true;
    await harming;
    // A thread that reads a catalogue may take ten seconds, and garbage is collected when there is time.
    await pause(settleMs);
    const after = await workspace.memory();
    const grown = before === null || after === null ? 0 : after.bot.pssMb - before.bot.pssMb;
    const time = (id: string, what: string, value: number): Measure => ({
      id: `hostile.page.${id}`,
      what,
      unit: 'ms',
      value,
    });
    return [
      time('usual.p50', `Approve click to the page, p50 of ${pages}`, quantile(usual, 0.5)),
      time('usual.longest', 'the same, longest', Math.max(...usual)),
      time('p50', 'the same while files of others are at their worst, p50', quantile(times, 0.5)),
      time('longest', 'the same, longest', Math.max(...times)),
      {
        id: 'hostile.bot.memory',
        what: 'growth of the bot meanwhile, PSS',
        unit: 'MB',
        value: grown,
        budget: maxGrowthMb,
      },
    ];
  } finally {
    await workspace.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** As large as is asked for, and as large as is still read. */
async function harm(folder: string, nth: number, bytes: number): Promise<void> {
  const text = (size: number, turn: number): string => shapes[(nth + turn) % shapes.length]?.text(size) ?? '';
  await Promise.all([
    writeFile(join(folder, 'huge.md'), text(bytes, 0)),
    writeFile(join(folder, 'large.md'), `# Disk\n${text(Math.min(bytes, 240_000), 0)}`),
    writeFile(join(folder, 'errors.yml'), text(Math.min(bytes, 490_000), 1)),
    writeFile(join(folder, 'errors.md'), `# E-1 a\n${text(Math.min(bytes, 1_900_000), 2)}`),
  ]);
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
