import { setTimeout as pause } from 'node:timers/promises';
import type { PartResult } from '../measure.ts';
import type { Workspace } from '../talk.ts';

/** The bot's CPU use while idle, with plans waiting for approval. */
export async function idle(
  workspace: Workspace,
  { idleSeconds }: { idleSeconds: number },
): Promise<PartResult> {
  // Lets earlier work be reported, compiled and cleaned up.
  await pause(idleSeconds * 500);
  const [before, from] = [await workspace.cpu(), performance.now()];
  await pause(idleSeconds * 1_000);
  const used = ((await workspace.cpu()) ?? Number.NaN) - (before ?? Number.NaN);
  const value = (1_000 * used) / (performance.now() - from);
  const what = 'CPU while nothing happens, bot and Postgres, a second';
  return { measures: [{ id: 'idle.cpu', what, unit: 'ms', value }], checks: [] };
}
