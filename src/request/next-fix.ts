import { readCardRef } from '../blocks/card-ref.ts';
import type { Say } from '../blocks/message.ts';
import { note } from '../blocks/note.ts';
import { code } from '../blocks/rich.ts';
import { readRow } from '../core/damaged-row.ts';
import { serviceOf } from '../core/targets.ts';
import * as revisions from '../store/revisions.ts';
import { requestsOfThread } from '../store/threads.ts';
import type { RequestContext } from './context.ts';
import { inThread, type ResultClick, seenRevision } from './follow-up.ts';
import type { Arrival } from './intake.ts';

/** Threads are short; whoever has tried more than this looks at the causes themselves. */
const maxTried = 30;

/**
 * After a write that did not help: the request for the fix of the next cause that is supported now. Null after telling
 * the person why there is none.
 */
export async function nextFixRequest(
  click: ResultClick,
  context: RequestContext,
  say: Say,
): Promise<Arrival | null> {
  const { userId: requester, channel } = click;
  const step = readCardRef(click.value)?.step;
  const plan = (await seenRevision(click, context))?.sealed.plan;
  const service = plan && serviceOf(plan, step ?? '', context.catalogue.manifests);
  if (!service) {
    await say(note(['That button is out of date. Ask again.']));
    return null;
  }
  const tried = await triedIn(click, context);
  const { fixes, counts } = await context.fixesNow({ service, channel, requester });
  const cause = fixes.find((id) => !tried.has(id));
  const why = counts === '' ? '' : ` (${counts})`;
  const fix =
    cause === undefined
      ? { why: `no other cause of ${service} with a fix is supported now${why}.` }
      : await context.fixOf({ cause, service });
  if ('why' in fix) {
    await say(
      note(['No fix is proposed: ', fix.why, ' All causes: ', code(`/plan investigate ${service}`), '.']),
    );
    return null;
  }
  return { ...inThread(click), text: fix.goal, via: 'command', planned: fix.reply };
}

/** Causes whose fixes were approved in this thread. */
async function triedIn(
  { channel, threadTs }: ResultClick,
  { db, teamId, damaged }: RequestContext,
): Promise<ReadonlySet<string>> {
  const ids = await requestsOfThread(db, { teamId, channel, threadTs });
  const rows = await Promise.all(
    ids.slice(0, maxTried).map((requestId) => revisions.latest(db, teamId, requestId)),
  );
  const causes = rows.flatMap((row) => {
    const revision = row?.state === 'approved' ? readRow(row, revisions.planReader, damaged) : null;
    return revision?.sealed.plan.situation?.causes ?? [];
  });
  return new Set(causes.map(({ id }) => id));
}
