import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import { command, isCard, journalEnd, pageGoal, seen, type Workspace } from '../talk.ts';

/** From the command to the card's arrival at Slack, one after the other. */
export async function card(workspace: Workspace, { count }: { count: number }): Promise<PartResult> {
  const times: number[] = [];
  const cpuBefore = await workspace.cpu();
  for (let nth = 0; nth < count; nth += 1) {
    const after = journalEnd(workspace);
    const from = performance.now();
    await command(workspace, pageGoal);
    const [posted] = await seen(workspace, after, isCard);
    times.push((posted?.clockMs ?? Number.NaN) - from);
  }
  const cpuMs = ((await workspace.cpu()) ?? Number.NaN) - (cpuBefore ?? Number.NaN);
  return {
    measures: [
      {
        id: 'card.p50',
        what: 'goal to posted card, p50',
        unit: 'ms',
        value: quantile(times, 0.5),
        budget: 150,
      },
      { id: 'card.p99', what: 'goal to posted card, p99', unit: 'ms', value: quantile(times, 0.99) },
      { id: 'card.cpu', what: 'CPU for each card, bot and Postgres', unit: 'ms', value: cpuMs / count },
    ],
    checks: [{ what: `${count} goals, ${count} cards`, ok: times.every(Number.isFinite) }],
  };
}
