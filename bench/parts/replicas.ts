import { setTimeout as pause } from 'node:timers/promises';
import { type Fleet, startFleet } from '../chaos/fleet.ts';
import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import { atPace, callsAt, type Pace } from '../pace.ts';
import { cpuOf } from '../processes.ts';
import { cards, command, givenCards, pageGoal, type Workspace } from '../talk.ts';
import { takeover } from './takeover.ts';

/** Milliseconds without a new card before we stop waiting. */
const patienceMs = 20_000;

/** Two full processes on one Postgres, reached in turn over signed HTTP: their load, and what happens when one dies. */
export async function replicas({ kills, ...pace }: Pace & { kills: number }): Promise<PartResult> {
  const fleet = await startFleet('replicas');
  const workspace = {
    sandbox: fleet.sandbox,
    get log() {
      return fleet.members.map(({ name, log }) => `--- ${name}\n${log.slice(-2_000)}`).join('\n');
    },
    cpu: () => cpuOf(fleet.members.map(({ pid }) => pid)),
  };
  try {
    // The first ones include compiling.
    for (const { requestUrl } of fleet.members) {
      fleet.sandbox.slack.requestUrl = requestUrl;
      await givenCards(workspace, pageGoal, Math.min(10, callsAt(pace)));
    }
    const [load, deaths] = [await carried(fleet, workspace, pace), await takeover(fleet, workspace, kills)];
    return {
      measures: [...load.measures, ...deaths.measures],
      checks: [...load.checks, ...deaths.checks],
    };
  } finally {
    await fleet.close();
  }
}

async function carried(fleet: Fleet, workspace: Workspace, pace: Pace): Promise<PartResult> {
  const total = callsAt(pace);
  const before = new Set(cards(workspace).map(({ ts }) => ts));
  let sent = 0;
  const waits = await atPace(pace, () => {
    const member = fleet.members[sent % fleet.members.length];
    sent += 1;
    fleet.sandbox.slack.requestUrl = member?.requestUrl ?? '';
    return command(workspace, pageGoal);
  });
  const acknowledged = Date.now();
  const shown = await allShown(workspace, before, total);
  const behind = Math.max(...shown.map(({ ts }) => Number(ts) * 1_000)) - acknowledged;
  const goals = new Set(shown.map(({ blocks }) => /run \d+/.exec(JSON.stringify(blocks))?.[0]));
  const at = `two replicas, ${pace.perSecond}/s for ${pace.seconds} s`;
  return {
    measures: [
      {
        id: 'replicas.ack.p50',
        what: `/plan acknowledged, p50, ${at}`,
        unit: 'ms',
        value: quantile(waits, 0.5),
      },
      {
        id: 'replicas.ack.p99',
        what: `/plan acknowledged, p99, ${at}`,
        unit: 'ms',
        value: quantile(waits, 0.99),
        budget: 100,
      },
      { id: 'replicas.behind', what: 'last card after the last acknowledgement', unit: 'ms', value: behind },
    ],
    checks: [
      {
        what: `${total} commands: ${goals.size} shown, ${shown.length - goals.size} of them twice`,
        ok: goals.size === total && shown.length === total,
      },
    ],
  };
}

/** The new cards, once there are enough or no more arrive. */
async function allShown(workspace: Workspace, before: ReadonlySet<string>, total: number) {
  const fresh = () => cards(workspace).filter(({ ts }) => !before.has(ts));
  let shown = fresh();
  for (let since = performance.now(); shown.length < total && performance.now() - since < patienceMs; ) {
    await pause(500);
    const now = fresh();
    if (now.length > shown.length) since = performance.now();
    shown = now;
  }
  return shown;
}
