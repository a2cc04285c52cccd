import { setTimeout as pause } from 'node:timers/promises';
import type { Measure, PartResult } from '../measure.ts';
import type { Memory } from '../processes.ts';
import { command, isCard, journalEnd, pageGoal, seen } from '../talk.ts';
import type { Workspace } from '../workspace.ts';

/** Concurrent commands: enough to keep the bot busy, few enough for quick acknowledgements. */
const atOnce = 8;
const megabytes = 300;

/** Resident memory now, and again with `plans` more waiting for a decision. */
export async function waiting(
  workspace: Workspace,
  { plans, settleMs }: { plans: number; settleMs: number },
): Promise<PartResult> {
  await pause(settleMs);
  const before = await workspace.memory();
  const after = journalEnd(workspace);
  const from = performance.now();
  await fill(workspace, plans, after);
  const perSecond = (plans / (performance.now() - from)) * 1_000;
  await pause(settleMs);
  const then = await workspace.memory();
  if (before === null || then === null) {
    return { measures: [], checks: [{ what: 'memory is measured on Linux only', ok: true }] };
  }
  const growthKb = ((total(then).pssMb - total(before).pssMb) * 1024) / plans;
  return {
    measures: [
      ...lines('load', 'after the load', before),
      ...lines('waiting', `with ${plans} more plans waiting`, then),
      { id: 'memory.per_plan', what: 'growth for each waiting plan, PSS', unit: 'KB', value: growthKb },
      { id: 'waiting.rate', what: 'plans a second, as fast as they go', unit: '/s', value: perSecond },
    ],
    checks: [{ what: `${plans} plans wait`, ok: true }],
  };
}

async function fill(workspace: Workspace, plans: number, after: number): Promise<void> {
  let [sent, last] = [0, after];
  while (sent < plans) {
    const batch = Math.min(atOnce, plans - sent);
    await Promise.all(Array.from({ length: batch }, () => command(workspace, pageGoal)));
    const posted = await seen(workspace, last, isCard, batch);
    last = posted.at(-1)?.id ?? last;
    sent += batch;
  }
}

type Sizes = Record<'bot' | 'postgres', Memory>;

function total({ bot, postgres }: Sizes): Memory {
  return {
    rssMb: bot.rssMb + postgres.rssMb,
    pssMb: bot.pssMb + postgres.pssMb,
    processes: bot.processes + postgres.processes,
  };
}

function lines(id: string, when: string, sizes: Sizes): Measure[] {
  const measure = (name: string, what: string, value: number): Measure => {
    return { id: `memory.${id}.${name}`, what: `${what}, ${when}`, unit: 'MB', value };
  };
  const { pssMb, rssMb, processes } = total(sizes);
  return [
    { ...measure('pss', `bot and Postgres (${processes} processes), PSS`, pssMb), budget: megabytes },
    measure('rss', 'bot and Postgres, RSS summed up', rssMb),
    measure('bot', 'of it the bot, PSS', sizes.bot.pssMb),
    measure('postgres', 'of it Postgres, PSS', sizes.postgres.pssMb),
  ];
}
