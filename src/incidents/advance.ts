import { jsonOf } from '../core/json.ts';
import { progressOf, type RunCardDeps } from '../report/reporter.ts';
import * as incidents from '../store/followed-incidents.ts';
import * as outbox from '../store/outbox.ts';
import { queued } from '../store/outbox-messages.ts';
import type { IncidentRow, TeamDb } from '../store/tables.ts';
import { earlierMessages, type FollowStep, lifeMessages, type PagedCard, redrawnWith } from './messages.ts';

export interface AdvanceDeps extends TeamDb, RunCardDeps {
  /** Called after messages are stored. */
  kick(): void;
  readonly now: () => Date;
}

/** Locks the row, gets the step, and stores it with its messages. `seen` is its state a moment ago. */
export async function advance(
  seen: IncidentRow,
  deps: AdvanceDeps,
  stepFor: (row: IncidentRow) => FollowStep | null,
): Promise<void> {
  const { db, teamId, manifests, now } = deps;
  const { id } = seen;
  // Read without holding a lock: a holder of one connection must not wait for another. Usually nothing is new, and no
  // card has to be read.
  let cards = isNews(stepFor(seen)) ? await pagedCards(id, deps) : null;
  const attempt = () =>
    db.transaction().execute(async (trx): Promise<boolean> => {
      const row = await incidents.lock(trx, { teamId, id });
      const step = row && stepFor(row);
      if (!row || !step) return true;
      if (isNews(step) && cards === null) return false;
      const messages = lifeMessages(cards ?? [], id, step, manifests);
      await outbox.enqueueAll(
        trx,
        messages.map((message) => queued(message, now())),
      );
      for (const { keys, next } of earlierMessages(cards ?? [], step, manifests))
        await outbox.rewrite(trx, { teamId, keys, now: now() }, redrawnWith(next));
      const { life, fresh, lookAt, failures } = step;
      const told = [...row.told, ...fresh.map(({ key }) => key)];
      await incidents.change(trx, { teamId, id }, { life: life && jsonOf(life), told, lookAt, failures });
      return true;
    });
  if (!(await attempt())) {
    cards = await pagedCards(id, deps);
    await attempt();
  }
  if (cards !== null) deps.kick();
}

function isNews(step: FollowStep | null): boolean {
  return step !== null && (step.fresh.length > 0 || step.notice !== null);
}

/** The cards whose runs opened an incident or were added to it, oldest first. */
export async function pagedCards(id: string, deps: AdvanceDeps): Promise<PagedCard[]> {
  const { db, teamId, manifests } = deps;
  const pages = await incidents.pagesOf(db, { teamId, id, tools: incidents.openingTools(manifests) });
  const cards = await Promise.all(
    pages.map(async ({ runId, joined, at, thread, ...of }): Promise<PagedCard[]> => {
      const progress = await progressOf(teamId, { ...of, runId }, deps);
      return progress === null ? [] : [{ runId, joined, at, thread, progress }];
    }),
  );
  return cards.flat();
}
