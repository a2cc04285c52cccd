import { oldRequests, removeLoose, removeRequests, removeSaid } from '../store/retention.ts';
import type { World } from './world.ts';

const dayMs = 24 * 3_600_000;
/** Batches in one round; a large backlog is worked off over several. */
const mostBatches = 200;
/** Days that a message is remembered after it went out; a run that starts again after a pause says nothing twice. */
const saidDays = 2;

/** Removes what is older than the operator wants to keep. The engine's rows go first: they alone cannot be found again. */
export async function removeOld(
  world: Pick<World, 'db' | 'teamId' | 'runner' | 'log' | 'now'>,
  days: number,
): Promise<void> {
  const { db, teamId, runner, log, now } = world;
  const old = { teamId, before: new Date(now().getTime() - days * dayMs) };
  let removed = 0;
  for (let round = 0; round < mostBatches; round += 1) {
    const { ids, runIds } = await oldRequests(db, old);
    if (ids.length === 0) break;
    await runner().forget(runIds);
    removed += await removeRequests(db, { ...old, ids, now: now() });
  }
  const said = { teamId, before: new Date(now().getTime() - Math.min(days, saidDays) * dayMs) };
  await untilNone(() => removeSaid(db, said));
  await untilNone(() => removeLoose(db, old));
  if (removed > 0) log.info({ requests: removed, days }, 'what is older than retention.days was removed');
}

async function untilNone(remove: () => Promise<number>): Promise<void> {
  for (let round = 0; round < mostBatches && (await remove()) > 0; round += 1);
}
