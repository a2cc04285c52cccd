import type { Log } from '../core/log.ts';
import * as inbox from '../store/inbox.ts';
import { oldRequests, removeLoose, removeRequests, removeSaid } from '../store/retention.ts';
import type { Books } from './books.ts';

export interface RetentionDeps extends Books {
  /** Days that a finished plan is kept. */
  readonly days: number;
  readonly now: () => Date;
  readonly log: Log;
}

const dayMs = 24 * 3_600_000;
/** Batches in one round; a large backlog is worked off over several. */
const maxBatches = 200;
/** Days that a message is remembered after it went out; a run that starts again after a pause says nothing twice. */
const saidDays = 2;

/** Removes what is older than the operator wants to keep; resolves with how many requests. */
export async function removeOld({ db, teamId, days, now, log }: RetentionDeps): Promise<number> {
  const old = { teamId, before: new Date(now().getTime() - days * dayMs) };
  let removed = 0;
  for (let round = 0; round < maxBatches; round += 1) {
    const ids = await oldRequests(db, old);
    if (ids.length === 0) break;
    removed += await removeRequests(db, { ...old, ids, now: now() });
  }
  const said = { teamId, before: new Date(now().getTime() - Math.min(days, saidDays) * dayMs) };
  await untilNone(() => removeSaid(db, said));
  await untilNone(() => removeLoose(db, old));
  await untilNone(() => inbox.removeOld(db, now()));
  if (removed > 0) log.info({ requests: removed, days }, 'Removed what is older than retention.days');
  return removed;
}

async function untilNone(remove: () => Promise<number>): Promise<void> {
  for (let round = 0; round < maxBatches && (await remove()) > 0; round += 1);
}
