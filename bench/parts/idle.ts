import { setTimeout as pause } from 'node:timers/promises';
import type { PartResult } from '../measure.ts';
import type { Workspace } from '../talk.ts';

/** What the bot uses while nobody asks it for anything, and plans wait for a yes. */
export async function idle(
  workspace: Workspace,
  { idleSeconds }: { idleSeconds: number },
): Promise<PartResult> {
  // What came before is told, compiled and tidied up meanwhile.
  await pause(idleSeconds * 500);
  const [before, from] = [await workspace.cpu(), performance.now()];
  await pause(idleSeconds * 1_000);
  const used = ((await workspace.cpu()) ?? Number.NaN) - (before ?? Number.NaN);
  const value = (1_000 * used) / (performance.now() - from);
  const what = 'CPU while nothing happens, bot and Postgres, a second';
  return { measures: [{ id: 'idle.cpu', what, unit: 'ms', value }], checks: [] };
}
