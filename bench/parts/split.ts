import { setTimeout as pause } from 'node:timers/promises';
import { startFleet } from '../chaos/fleet.ts';
import type { Measure, PartResult } from '../measure.ts';
import { cpuOf, memoryOf } from '../processes.ts';
import { click } from './click.ts';

/** Milliseconds until the garbage of the work has been collected. */
const quietMs = 3_000;

/** The same clicks through one front and one executor, and the memory of both afterwards. */
export async function split({ count }: { count: number }): Promise<PartResult> {
  const fleet = await startFleet('pair');
  const pids = Object.fromEntries(fleet.members.map(({ name, pid }) => [name, pid]));
  const workspace = {
    sandbox: fleet.sandbox,
    get log() {
      return fleet.members.map(({ name, log }) => `--- ${name}\n${log.slice(-2_000)}`).join('\n');
    },
    cpu: () => cpuOf(Object.values(pids)),
  };
  try {
    // The first ones include compiling.
    await click(workspace, { count: Math.min(5, count) });
    const { measures, checks } = await click(workspace, { count });
    await pause(quietMs);
    const memory = Object.entries((await memoryOf(pids)) ?? {}).map(
      ([name, { pssMb }]): Measure => ({
        id: `split.memory.${name}`,
        what: `${name}, PSS`,
        unit: 'MB',
        value: pssMb,
      }),
    );
    const told = measures.map(({ budget: _budget, ...each }) => ({
      ...each,
      id: `split.${each.id}`,
      what: `front and executor: ${each.what}`,
    }));
    return { measures: [...told, ...memory], checks };
  } finally {
    await fleet.close();
  }
}
