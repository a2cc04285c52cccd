import { type Fleet, startFleet } from '../chaos/fleet.ts';
import type { Measure, PartResult } from '../measure.ts';
import { cpuOf } from '../processes.ts';
import { command, givenCards, isCard, journalEnd, pageGoal, seen, type Workspace } from '../talk.ts';
import { card } from './card.ts';
import { clicks } from './click.ts';

/** Milliseconds there and back. */
const distances = [0, 2, 5, 10];

/**
 * The database at several distances: a card, a click to its page, and cards a second of one process and of three. How
 * much more each millisecond costs is the number of round trips that wait for each other.
 */
export async function far({ count }: { count: number }): Promise<PartResult> {
  const near: Record<string, number> = {};
  const measures: Measure[] = [];
  const checks: PartResult['checks'][number][] = [];
  for (const distance of distances) {
    const one = await at('far', distance, async (workspace) => {
      const [shown, pressed] = [await card(workspace, { count }), await clicks(workspace, { count })];
      checks.push(...shown.checks, ...pressed.checks);
      const rate = await burst(workspace, count);
      return { values: valuesOf([shown, pressed]), rate };
    });
    const three = await at('farReplicas', distance, (workspace, urls) => burst(workspace, count, urls));
    const away = `Postgres ${distance} ms away`;
    const timed = (id: 'card.p50' | 'click.page.p50', what: string): void => {
      const value = one.values.get(id) ?? Number.NaN;
      if (distance === 0) near[id] = value;
      const trips =
        distance === 0 ? '' : `, ${((value - (near[id] ?? 0)) / distance).toFixed(1)} round trips`;
      measures.push({ id: `far.${distance}.${id}`, what: `${what}, ${away}${trips}`, unit: 'ms', value });
    };
    timed('card.p50', 'goal to posted card, p50');
    timed('click.page.p50', 'Approve click to the page, p50');
    const rates = [
      ['one', one.rate],
      ['three', three],
    ] as const;
    for (const [name, value] of rates)
      measures.push({
        ...{ id: `far.${distance}.rate.${name}`, unit: '/s', value },
        what: `cards a second, ${name === 'one' ? 'one process' : 'three processes'}, ${away}`,
      });
  }
  return { measures, checks };
}

const valuesOf = (results: readonly PartResult[]): Map<string, number> =>
  new Map(results.flatMap(({ measures }) => measures.map(({ id, value }) => [id, value] as const)));

async function at<T>(
  shape: 'far' | 'farReplicas',
  distance: number,
  measure: (workspace: Workspace, urls: readonly string[]) => Promise<T>,
): Promise<T> {
  const fleet: Fleet = await startFleet(shape, { delayMs: distance / 2 });
  const workspace: Workspace = {
    sandbox: fleet.sandbox,
    get log() {
      return fleet.members.map(({ log }) => log.slice(-2_000)).join('\n');
    },
    cpu: () => cpuOf(fleet.members.map(({ pid }) => pid)),
  };
  try {
    // The first ones include compiling.
    for (const { requestUrl } of fleet.members) {
      fleet.sandbox.slack.requestUrl = requestUrl;
      await givenCards(workspace, pageGoal, 5);
    }
    return await measure(
      workspace,
      fleet.members.map(({ requestUrl }) => requestUrl),
    );
  } finally {
    await fleet.close();
  }
}

/** Cards a second when all are asked for at once, of each process in turn. */
async function burst(workspace: Workspace, count: number, urls: readonly string[] = []): Promise<number> {
  const after = journalEnd(workspace);
  const from = performance.now();
  const asked = Array.from({ length: count }, (_, nth) => {
    const url = urls[nth % urls.length];
    if (url !== undefined) workspace.sandbox.slack.requestUrl = url;
    return command(workspace, pageGoal);
  });
  await Promise.all(asked);
  const shown = await seen(workspace, after, isCard, count);
  return (1_000 * count) / (Math.max(...shown.map(({ clockMs }) => clockMs)) - from);
}
