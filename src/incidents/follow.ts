import { readRow } from '../core/damaged-row.ts';
import { describeError } from '../core/errors.ts';
import { type Life, type LifeEvent, withOwn } from '../core/incident-history.ts';
import type { Manifest } from '../core/manifest.ts';
import { own } from '../core/own-property.ts';
import type { RunEvent } from '../core/run.ts';
import { cannotBeRead, followedNoMore, goneFromPagerDuty } from '../report/incident-words.ts';
import * as alerts from '../store/alerts.ts';
import { claimDue } from '../store/claim-due.ts';
import * as incidents from '../store/followed-incidents.ts';
import type { IncidentRow, TeamDb } from '../store/tables.ts';
import { advance } from './advance.ts';
import { type BeforeDeps, tellBefore } from './before.ts';
import type { FollowStep } from './messages.ts';

export interface FollowDeps extends BeforeDeps {
  readonly pagerduty: {
    /** State of an incident; null if there is none with this id. */
    life(id: string, signal: AbortSignal): Promise<Life | null>;
  };
  /** PagerDuty sends webhooks, so polling only catches lost ones. */
  readonly hasWebhooks: boolean;
}

/** Time limit for asking PagerDuty about one incident, in milliseconds. */
const askMs = 10_000;
/** Milliseconds for which claimed incidents are kept from other processes: longer than checking all of them takes. */
const leaseMs = 120_000;
const maxAtOnce = 5;
/** How far back to look for incidents opened by runs, in milliseconds. */
const adoptMs = 24 * 3_600_000;

const minute = 60_000;
/** Hours after which an unresolved incident is no longer followed. */
const maxHours = 24;
/** Consecutive failures before people are notified. */
const tellAfter = 5;
/** Milliseconds until our own run may have ended: only then is its approver known. */
const busyMs = 1_000;
/** Milliseconds. */
const soonMs = 10_000;

/** Milliseconds until the next read: frequent while people wait for somebody to take it, then less and less. */
export function pauseFor(
  openMs: number,
  { hasWebhooks, failures }: { hasWebhooks: boolean; failures: number },
): number {
  const base = hasWebhooks || openMs > 60 * minute ? 5 * minute : openMs > 10 * minute ? minute : soonMs;
  return Math.min(10 * minute, base * 2 ** Math.min(failures, 6));
}

/** Checks every due incident. */
export async function followRound(deps: FollowDeps): Promise<void> {
  const { db, teamId, now, log } = deps;
  const at = now();
  const until = new Date(at.getTime() + leaseMs);
  for (const row of await claimDue(db, 'incidents', { teamId, now: at, until, limit: maxAtOnce })) {
    await look(row, deps, { isReported: false }).catch((error: unknown) =>
      log.warn({ incident: row.id, ...describeError(error) }, 'An incident could not be followed'),
    );
  }
}

/** PagerDuty reported a change to an incident: the details are read there, even if the report is late or repeated. */
export async function incidentChanged(id: string, deps: FollowDeps): Promise<void> {
  const { db, teamId, now } = deps;
  await alerts.incidentsChanged(db, { teamId, incidents: [id], at: now() });
  await adoptIncidents(deps);
  const row = await incidents.get(db, { teamId, id });
  if (row !== null) await look(row, deps, { isReported: true });
}

interface OpenedDeps extends TeamDb {
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly now: () => Date;
}

/** Starts to follow incidents opened by runs whose process did not get to report them. */
export async function adoptIncidents({ db, teamId, manifests, now }: OpenedDeps): Promise<void> {
  const lookAt = now();
  const since = new Date(lookAt.getTime() - adoptMs);
  await incidents.adopt(db, { teamId, tools: incidents.openingTools(manifests), since, lookAt });
}

/** Reads the incidents soon that a run has opened or changed, and has alerts that show them looked at. */
export async function followAfter(
  event: RunEvent,
  { db, teamId, manifests, now }: OpenedDeps,
): Promise<void> {
  const ids = incidentsIn(event);
  await incidents.follow(db, { teamId, ids, tools: incidents.openingTools(manifests), at: now() });
  await alerts.incidentsChanged(db, { teamId, incidents: ids, at: now() });
}

/** Incidents that one of our runs opened or changed. */
function incidentsIn(event: RunEvent): readonly string[] {
  if (event.type !== 'finished' || event.mode !== 'run') return [];
  const ids = event.results.flatMap(({ status, result }) => {
    const id = status === 'succeeded' ? own(result ?? {}, 'incident') : undefined;
    return typeof id === 'string' ? [id] : [];
  });
  return [...new Set(ids)];
}

/** `isReported`: PagerDuty has just reported a change. */
async function look(
  seen: IncidentRow,
  deps: FollowDeps,
  { isReported }: { isReported: boolean },
): Promise<void> {
  const { db, teamId, pagerduty, now } = deps;
  const about = { teamId, id: seen.id };
  if (await incidents.isBusy(db, about)) {
    const lookAt = new Date(now().getTime() + busyMs);
    return incidents.change(db, about, { lookAt });
  }
  try {
    const [life, ownChanges] = await Promise.all([
      pagerduty.life(seen.id, AbortSignal.timeout(askMs)),
      incidents.ownChanges(db, about),
    ]);
    // Before the first read is stored: after a kill in between it is still told, and only once.
    if (seen.life === null && life !== null) await tellBefore(life, deps);
    await advance(seen, deps, (row) => {
      if (life === null) return gone(row, deps);
      const events = withOwn(life.events, ownChanges);
      return changed(row, { ...life, events }, deps, isReported);
    });
  } catch (error) {
    await notRead(seen, error, deps);
  }
}

/** Null when there is nothing to store. */
function changed(
  row: IncidentRow,
  life: Life,
  { damaged, hasWebhooks, now }: FollowDeps,
  isReported: boolean,
): FollowStep | null {
  const stored = lifeIn(row, damaged);
  // Two processes may have asked: the older answer has nothing new.
  if (stored !== null && stored.changedAt > life.changedAt) return null;
  const fresh: LifeEvent[] = life.events.filter(({ key }) => !row.told.includes(key));
  const openMs = now().getTime() - row.openedAt.getTime();
  const step = { life, fresh, notice: null, failures: 0 };
  if (life.state === 'resolved') return { ...step, lookAt: null };
  if (openMs > maxHours * 60 * minute) return { ...step, notice: over(life, row.id), lookAt: null };
  // The change may reach PagerDuty's log a moment later.
  const pause = isReported && fresh.length === 0 ? soonMs : pauseFor(openMs, { hasWebhooks, failures: 0 });
  return { ...step, lookAt: new Date(now().getTime() + pause) };
}

/** An incident with a damaged history is read again as if for the first time. */
function lifeIn(row: IncidentRow, damaged: FollowDeps['damaged']): Life | null {
  return readRow(row, incidents.lifeReader, damaged)?.life ?? null;
}

function gone(row: IncidentRow, { damaged }: FollowDeps): FollowStep {
  const notice = { key: 'gone', message: goneFromPagerDuty(row.id) };
  return { life: lifeIn(row, damaged), fresh: [], notice, lookAt: null, failures: 0 };
}

function over(life: Life | null, id: string): FollowStep['notice'] {
  return { key: 'over', message: followedNoMore(life, id, maxHours) };
}

async function notRead(seen: IncidentRow, error: unknown, deps: FollowDeps): Promise<void> {
  const { damaged, hasWebhooks, now, log } = deps;
  const { id } = seen;
  const { code, message } = describeError(error);
  log.warn({ incident: id, code, message }, 'An incident could not be looked at');
  await advance(seen, deps, (row) => {
    const life = lifeIn(row, damaged);
    const failures = row.failures + 1;
    const openMs = now().getTime() - row.openedAt.getTime();
    if (openMs > maxHours * 60 * minute)
      return { life, fresh: [], notice: over(life, id), lookAt: null, failures };
    const key = `unread:${row.openedAt.getTime()}`;
    const notice = failures === tellAfter ? { key, message: cannotBeRead(life, id, message) } : null;
    const pause = pauseFor(openMs, { hasWebhooks, failures });
    return { life, fresh: [], notice, lookAt: new Date(now().getTime() + pause), failures };
  });
}
