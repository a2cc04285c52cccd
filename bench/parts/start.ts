import type { PartResult } from '../measure.ts';
import { median } from '../numbers.ts';
import { Workspace } from '../workspace.ts';

/** From the start of the process until it listens to Slack: on an empty folder, and on data that is there. */
export async function start({ runs }: { runs: number }): Promise<PartResult> {
  const workspace = await Workspace.create();
  try {
    const first = await workspace.startBot();
    await workspace.stopBot();
    const again: number[] = [];
    for (let i = 0; i < runs; i += 1) {
      again.push(await workspace.startBot());
      await workspace.stopBot();
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
  } finally {
    await workspace.close();
  }
}
