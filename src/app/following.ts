import { readRow, type TellDamage } from '../core/damage.ts';
import { jsonOf } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Followed, FollowPort, FollowStep } from '../report/follow.ts';
import { lifeParcels, type PagedCard, redrawnWith, toldBefore } from '../report/life-parcels.ts';
import * as followed from '../store/followed.ts';
import * as outbox from '../store/outbox.ts';
import type { IncidentRow } from '../store/tables.ts';
import type { PagerDutyReader } from '../vendors/pagerduty/port.ts';
import { lifeReader, type SoundBooks } from './books.ts';
import { messageOf } from './report-rows.ts';
import type { Reporting } from './reporting.ts';

export interface FollowingDeps extends SoundBooks {
  readonly pagerduty: Pick<PagerDutyReader, 'life'>;
  readonly reporting: Reporting;
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** PagerDuty's webhooks reach us. */
  readonly isTold: boolean;
  readonly now: () => Date;
  readonly log: Log;
}

/** Milliseconds to ask PagerDuty about one incident. */
const askMs = 10_000;
/** Milliseconds for which what is taken is kept from other processes: longer than a look at all of it takes. */
const leaseMs = 120_000;
const maxAtOnce = 5;
/** Milliseconds back in which what runs have opened is taken notice of. */
const adoptMs = 24 * 3_600_000;

/** Tools that open what lives on after them. */
export function openingTools(manifests: ReadonlyMap<string, Manifest>): readonly string[] {
  return [...manifests.values()].filter(({ livesOn }) => livesOn).map(({ name }) => name);
}

/** How incidents that runs have opened are followed. */
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
  // Read while nothing is locked: who holds one connection must not wait for another. Mostly nothing is new, and then
  // nobody's card has to be looked at.
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

/** An incident whose stored life is damaged is read anew, as if for the first time. */
function followedOf(row: IncidentRow, damaged: TellDamage): Followed {
  const { id, told, openedAt, failures } = row;
  return { id, life: readRow(row, lifeReader, damaged)?.life ?? null, told, openedAt, failures };
}
