import { setTimeout as pause } from 'node:timers/promises';
import type { PartResult } from '../measure.ts';
import { quantile } from '../numbers.ts';
import { command, isCard, journalEnd, pageGoal, seen } from '../talk.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Commands at a fixed rate, whether or not the ones before were answered. Counted from the moment a command was due,
 * so a bot that stalls cannot hide it by holding up the next ones.
 */
export async function acknowledge(
  workspace: Workspace,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<PartResult> {
  const total = Math.round(perSecond * seconds);
  const after = journalEnd(workspace);
  const from = performance.now();
  const times: Promise<number>[] = [];
  for (let nth = 0; nth < total; nth += 1) {
    const due = from + (nth * 1_000) / perSecond;
    while (performance.now() < due) await pause(Math.max(0, due - performance.now()));
    times.push(command(workspace, pageGoal).then(() => performance.now() - due));
  }
  const waits = await Promise.all(times);
  const acknowledged = performance.now();
  await seen(workspace, after, isCard, total);
  const behind = performance.now() - acknowledged;
  const at = `${perSecond}/s for ${seconds} s`;
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
