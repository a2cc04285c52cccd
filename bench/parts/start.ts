import type { PartResult } from '../measure.ts';
import { median } from '../numbers.ts';
import type { Workspace } from '../workspace.ts';

/**
 * From the start of the process until it listens to Slack: with an empty folder, and with existing data. Leaves the bot
 * running.
 */
export async function start(workspace: Workspace, { runs }: { runs: number }): Promise<PartResult> {
  const first = await workspace.startBot();
  const again: number[] = [];
  for (let i = 0; i < runs; i += 1) {
    await workspace.stopBot();
    again.push(await workspace.startBot());
  }
  return {
    measures: [
      { id: 'start.first', what: 'ready, very first start (initdb)', unit: 'ms', value: first },
      {
        id: 'start.again',
        what: 'ready, later starts',
        unit: 'ms',
        value: median(again),
        budget: 3_000,
        runs: again,
      },
    ],
    checks: [],
  };
}
