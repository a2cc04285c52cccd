import { readRow, type TellDamage } from '../core/damaged-row.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Followed, FollowPort, FollowStep } from '../incidents/follow.ts';
import { lifeParcels, type PagedCard, redrawnWith, toldBefore } from '../incidents/messages.ts';
import * as followed from '../store/followed-incidents.ts';
import * as outbox from '../store/outbox.ts';
import type { IncidentRow } from '../store/tables.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import { messageOf } from './report-rows.ts';
import type { Reporting } from './reporting.ts';
import { lifeReader, type SoundBooks } from './stored-requests.ts';

export interface FollowingDeps extends SoundBooks {
  readonly pagerduty: Pick<PagerDutyReader, 'life'>;
  readonly reporting: Reporting;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** PagerDuty's webhooks reach us. */
  readonly isTold: boolean;
  readonly now: () => Date;
  readonly log: Log;
}

/** Time limit for asking PagerDuty about one incident, in milliseconds. */
const askMs = 10_000;
/** Milliseconds for which claimed incidents are kept from other processes: longer than checking all of them takes. */
const leaseMs = 120_000;
const maxAtOnce = 5;
/** How far back to look for incidents opened by runs, in milliseconds. */
const adoptMs = 24 * 3_600_000;

/** Tools that open something that lives on. */
export function openingTools(manifests: ReadonlyMap<string, Manifest>): readonly string[] {
  return [...manifests.values()].filter(({ livesOn }) => livesOn).map(({ name }) => name);
}

/** How incidents opened by runs are followed. */
export function followPort(deps: FollowingDeps): FollowPort {
  const { db, teamId, damaged, pagerduty, manifests, isTold, now, log } = deps;
  const tools = openingTools(manifests);
  return {
    adopt() {
      const at = now().getTime();
      const since = new Date(at - adoptMs);
      return followed.adopt(db, { teamId, tools, since, lookAt: new Date(at) });
    },
    async due() {
      const at = now();
      const until = new Date(at.getTime() + leaseMs);
      const rows = await followed.due(db, { teamId, now: at, until, limit: maxAtOnce });
      return rows.map((row) => followedOf(row, damaged));
    },
    async get(id) {
      const row = await followed.get(db, { teamId, id });
      return row && followedOf(row, damaged);
    },
    isBusy: (id) => followed.isBusy(db, { teamId, id }),
    putOff: (id, at) => followed.change(db, { teamId, id }, { lookAt: at }),
    life: (id) => pagerduty.life(id, AbortSignal.timeout(askMs)),
    ownChanges: (id) => followed.ownChanges(db, { teamId, id }),
    advance: (seen, step) => advance(seen, step, tools, deps),
    ...{ isTold, now, log },
  };
}

async function advance(
  seen: Followed,
  stepOf: Parameters<FollowPort['advance']>[1],
  tools: readonly string[],
  { db, teamId, damaged, reporting, manifests, now }: FollowingDeps,
): Promise<void> {
  const { id } = seen;
  // Read without holding a lock: a holder of one connection must not wait for another. Usually nothing is new, and no
  // card has to be read.
  const read = async () => pagedCards(await followed.pagesOf(db, { teamId, id, tools }), teamId, reporting);
  let cards = isNews(stepOf(seen)) ? await read() : null;
  const attempt = () =>
    db.transaction().execute(async (trx): Promise<boolean> => {
      const row = await followed.lock(trx, { teamId, id });
      const step = row && stepOf(followedOf(row, damaged));
      if (!row || !step) return true;
      if (isNews(step) && cards === null) return false;
      const parcels = lifeParcels(cards ?? [], id, step, manifests);
      await outbox.enqueueAll(
        trx,
        parcels.map((parcel) => messageOf(parcel, now())),
      );
      for (const { keys, next } of toldBefore(cards ?? [], step, manifests))
        await outbox.rewrite(trx, { teamId, keys, now: now() }, redrawnWith(next));
      const { life, fresh, lookAt, failures } = step;
      const told = [...row.told, ...fresh.map(({ key }) => key)];
      await followed.change(trx, { teamId, id }, { life: life && jsonOf(life), told, lookAt, failures });
      return true;
    });
  if (!(await attempt())) {
    cards = await read();
    await attempt();
  }
  if (cards !== null) reporting.kick();
}

function isNews(step: FollowStep | null): boolean {
  return step !== null && (step.fresh.length > 0 || step.word !== null);
}

async function pagedCards(
  pages: readonly followed.PageOf[],
  teamId: string,
  reporting: Reporting,
): Promise<PagedCard[]> {
  const cards = await Promise.all(
    pages.map(async ({ runId, joined, at, thread, ...of }): Promise<PagedCard[]> => {
      const progress = await reporting.progressOf(teamId, { ...of, runId });
      return progress === null ? [] : [{ runId, joined, at, thread, progress }];
    }),
  );
  return cards.flat();
}

/** An incident with a damaged history is read again as if for the first time. */
function followedOf(row: IncidentRow, damaged: TellDamage): Followed {
  const { id, told, openedAt, failures } = row;
  return { id, life: readRow(row, lifeReader, damaged)?.life ?? null, told, openedAt, failures };
}
