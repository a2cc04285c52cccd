import { readRow } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import type { Life } from '../core/incident-history.ts';
import type { Log } from '../core/log.ts';
import type { Reporting } from '../report/reporting.ts';
import * as followed from '../store/followed-incidents.ts';
import * as history from '../store/history.ts';
import { type Newest, type OpenNow, shiftMessage, shown } from './handover-words.ts';
import type { Listed } from './list.ts';
import { everybody, ofRuns, running, visible, waiting } from './plans.ts';
import type { HistoryDeps } from './status.ts';
import { watchesFor } from './watch-list.ts';

export interface HandoverDeps extends HistoryDeps {
  readonly reporting: Pick<Reporting, 'send'>;
  /** Open incidents of services in PagerDuty, newest first; the total counts all of them. */
  openIncidents(
    services: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly total: number; readonly incidents: readonly Life[] }>;
  readonly now: () => Date;
  readonly log: Log;
}

/** Maximum count of each list; if there are more, the message says so. */
const counted = 100;
/** Time limit for asking PagerDuty, in milliseconds. */
const askMs = 10_000;

/** Posts the handover for the next shift to a channel, once per key. */
export async function handOver(
  channel: string,
  hours: number,
  key: string,
  deps: HandoverDeps,
): Promise<void> {
  const { teamId, reporting, now } = deps;
  const since = new Date(now().getTime() - hours * 3_600_000);
  const place = { kind: 'channel', channel, threadTs: null } as const;
  await reporting.send(teamId, place, `handover:${key}`, await handover(channel, since, deps));
}

/**
 * For the next shift: open incidents, pages, and what happened to plans since. It only contains what readers of the
 * channel may see: plans in public channels and in this one.
 */
export async function handover(channel: string, since: Date, all: HandoverDeps) {
  const deps: HandoverDeps = {
    ...all,
    maySee: async (viewer, other) => other === channel || all.maySee(viewer, other),
  };
  const [opened, open, waits, runs, watches, ended] = await Promise.all([
    openedSince(since, deps),
    openNow(deps),
    waiting(deps, counted),
    running(deps, counted),
    watchesFor(everybody, deps),
    history.ended(deps.db, { teamId: deps.teamId, since, limit: counted }),
  ]);
  return shiftMessage({
    ...{ since, opened, open, watches },
    waiting: await seen(waits, waits.length === counted, deps),
    running: await seen(runs, runs.length === counted, deps),
    bad: await endedPlans(
      ended.filter(({ outcome }) => outcome !== 'done'),
      deps,
    ),
    done: await endedPlans(
      ended.filter(({ outcome }) => outcome === 'done'),
      deps,
    ),
  });
}

/** `isCut`: there may be more than were looked at. */
async function seen<T extends Pick<Listed, 'requester' | 'channel'>>(
  looked: readonly T[],
  isCut: boolean,
  deps: HandoverDeps,
): Promise<Newest<T>> {
  const all = await visible(everybody, looked, deps);
  return { all, count: all.length, isCut };
}

/** Only those that are shown are looked up. A full batch of one kind: there may be more of it. */
async function endedPlans(rows: readonly history.Ended[], deps: HandoverDeps): Promise<Newest<Listed>> {
  const kinds = Map.groupBy(rows, ({ mode, outcome }) => `${mode} ${outcome}`);
  const isCut = [...kinds.values()].some(({ length }) => length === counted);
  const { all, count } = await seen(rows, isCut, deps);
  const first = all.toSorted((a, b) => urgencyOf(a) - urgencyOf(b)).slice(0, shown);
  return { all: await ofRuns(deps, first), count, isCut };
}

/** A write in doubt needs a person, a failed write is missing, and a failed look-up can be repeated. */
function urgencyOf({ outcome, mode }: history.Ended): number {
  return outcome === 'unknown' ? 0 : mode === 'read' ? 2 : 1;
}

/** Incidents opened by runs since, and older unresolved ones; newest first. */
async function openedSince(since: Date, deps: HandoverDeps): Promise<Newest<Life>> {
  const { db, teamId, damaged } = deps;
  const rows = await followed.since(db, { teamId, since, limit: counted });
  const placeOf = await pagePlaces(rows, deps);
  const known = rows.flatMap((row) => {
    const [life = null, place] = [readRow(row, followed.lifeReader, damaged)?.life, placeOf(row.id)];
    return life === null || place === null ? [] : [{ ...place, life }];
  });
  const { all, count, isCut } = await seen(known, rows.length === counted, deps);
  return { all: all.map(({ life }) => life), count, isCut };
}

/** Open incidents in PagerDuty for the services of countersign.yml; pages from restricted channels do not show their text. */
async function openNow(deps: HandoverDeps): Promise<OpenNow> {
  const services = deps.catalogue.services.map(({ name }) => name);
  if (services.length === 0) return { total: 0, incidents: [] };
  try {
    const { total, incidents } = await deps.openIncidents(services, AbortSignal.timeout(askMs));
    const placeOf = await pagePlaces(incidents, deps);
    const lives = incidents.map(async (life): Promise<Life> => {
      const place = placeOf(life.id);
      const isOurs = place === null || (await deps.maySee(everybody, place.channel));
      return isOurs ? life : { ...life, title: 'paged from a private conversation' };
    });
    return { total, incidents: await Promise.all(lives) };
  } catch (error) {
    const { code, message } = describeError(error);
    deps.log.warn({ code, message }, 'A hand-over could not ask PagerDuty');
    return { unread: message };
  }
}

/** Who first requested a page about each of these incidents, and where; null if nobody did. */
async function pagePlaces(
  incidents: readonly { readonly id: string }[],
  { db, teamId, manifests }: HandoverDeps,
): Promise<(id: string) => Pick<Listed, 'requester' | 'channel'> | null> {
  const tools = followed.openingTools(manifests);
  const pages = await followed.askedAt(db, { teamId, ids: incidents.map(({ id }) => id), tools });
  const byId = new Map(pages.map(({ id, requester, channel }) => [id, { requester, channel }]));
  return (id) => byId.get(id) ?? null;
}
