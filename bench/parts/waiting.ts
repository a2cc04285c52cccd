import { setTimeout as pause } from 'node:timers/promises';
import type { Measure, PartResult } from '../measure.ts';
import type { Memory } from '../memory.ts';
import { command, goals, isCard, journalEnd, seen } from '../talk.ts';
import type { Workspace } from '../workspace.ts';

/** Commands under way at once: enough to keep the bot busy, few enough to keep every acknowledgement quick. */
const atOnce = 8;
const settleMs = 3_000;
const megabytes = 300;

/** Resident memory now, and again with `plans` more that wait for a decision. */
export async function waiting(workspace: Workspace, { plans }: { plans: number }): Promise<PartResult> {
  await pause(settleMs);
  const before = await sizes(workspace);
  const after = journalEnd(workspace);
  const from = performance.now();
  await fill(workspace, plans, after);
  const perSecond = (plans / (performance.now() - from)) * 1_000;
  await pause(settleMs);
  const then = await sizes(workspace);
  if (before === null || then === null) {
    return { measures: [], checks: [{ what: 'memory is measured on Linux only', ok: true }] };
  }
  const growthKb = ((then.all.pssMb - before.all.pssMb) * 1024) / plans;
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
    await Promise.all(Array.from({ length: batch }, (_, nth) => command(workspace, goals.page, sent + nth)));
    const posted = await seen(workspace, last, isCard, batch);
    last = posted.at(-1)?.id ?? last;
    sent += batch;
  }
}

interface Sizes {
  readonly all: Memory;
  readonly bot: Memory;
}

async function sizes(workspace: Workspace): Promise<Sizes | null> {
  const [all, bot] = [await workspace.memory(), await workspace.botMemory()];
  return all === null || bot === null ? null : { all, bot };
}

function lines(id: string, when: string, { all, bot }: Sizes): Measure[] {
  const measure = (name: string, what: string, value: number): Measure => {
    return { id: `memory.${id}.${name}`, what: `${what}, ${when}`, unit: 'MB', value };
  };
  return [
    { ...measure('pss', `bot and Postgres (${all.processes} processes), PSS`, all.pssMb), budget: megabytes },
    measure('rss', 'bot and Postgres, RSS summed up', all.rssMb),
    measure('bot', 'of it the bot, RSS', bot.rssMb),
  ];
}
