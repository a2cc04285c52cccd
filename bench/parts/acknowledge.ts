import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import { atPace, callsAt, type Pace } from '../pace.ts';
import { command, isCard, journalEnd, pageGoal, seen } from '../talk.ts';
import type { Workspace } from '../workspace.ts';

/** Commands at a fixed rate; each is timed from its due time. */
export async function acknowledge(workspace: Workspace, pace: Pace): Promise<PartResult> {
  const total = callsAt(pace);
  const after = journalEnd(workspace);
  const waits = await atPace(pace, () => command(workspace, pageGoal));
  const acknowledged = performance.now();
  await seen(workspace, after, isCard, total);
  const behind = performance.now() - acknowledged;
  const at = `${pace.perSecond}/s for ${pace.seconds} s`;
  return {
    measures: [
      { id: 'ack.p50', what: `/plan acknowledged, p50, ${at}`, unit: 'ms', value: quantile(waits, 0.5) },
      {
        id: 'ack.p99',
        what: `/plan acknowledged, p99, ${at}`,
        unit: 'ms',
        value: quantile(waits, 0.99),
        budget: 100,
      },
      { id: 'ack.behind', what: 'last card after the last acknowledgement', unit: 'ms', value: behind },
    ],
    checks: [{ what: `${total} commands, ${total} cards`, ok: waits.length === total }],
  };
}
